import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFailure } from '../../packages/server/src/platform/errors/start-failure.ts';
import { listenError } from '../../packages/server/src/platform/outgoing/reachability.ts';
import { BenchServer } from '../bench/bench-server.ts';
import { startLiveTraffic } from './live-traffic.ts';
import { createSampleControls } from './sample-controls.ts';
import { createDemoData, type DemoData } from './sample-data.ts';
import { startSampleUpstream } from './sample-upstream.ts';
import { writeHistory } from './write-history.ts';

export const demoPassword = 'headgate-demo';

export interface Demo {
  readonly server: BenchServer;
  readonly shop: DemoData;
  readonly requests: number;
  readonly stop: () => Promise<void>;
}

interface DemoOptions {
  readonly port: number;
  readonly say: (step: string) => void;
}

/** Starts a gateway with history and live traffic, in a temporary folder. */
export async function startDemo({ port, say }: DemoOptions): Promise<Demo> {
  // Checked first: filling the demo takes a while.
  const reason = port === 0 ? undefined : await listenError('127.0.0.1', port);
  if (reason !== undefined)
    throw new StartFailure(`Cannot listen on port ${port} (${reason}); choose another one with --port.`);
  await using undo = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-demo-'));
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const upstream = await startSampleUpstream();
  undo.defer(upstream.stop);
  // Never the configured database: the demo must not touch real data.
  const location = { dataDir, databaseUrl: undefined };
  const settings = { ROOT_PASSWORD: demoPassword, DATABASE_URL: undefined };
  say('Creating channels, users, tokens and codes');
  const shop = await createSampleGateway(location, settings, upstream);
  say('Writing 30 days of requests');
  const requests = await writeHistory(location, shop, Math.floor(Date.now() / 1000));
  const server = await BenchServer.start(location, { settings: { ...settings, PORT: String(port) } });
  undo.defer(() => server.stop());
  const endTraffic = startLiveTraffic(server.address, shop);
  undo.defer(endTraffic);
  const kept = undo.move();
  return { server, shop, requests, stop: () => kept.disposeAsync() };
}

/** Uses a separate server, which must stop before the database is written to directly. */
async function createSampleGateway(
  location: { readonly dataDir: string; readonly databaseUrl: undefined },
  settings: NodeJS.ProcessEnv,
  upstream: Awaited<ReturnType<typeof startSampleUpstream>>,
): Promise<DemoData> {
  const server = await BenchServer.start(location, { settings: { ...settings, CRITICAL_RATE_LIMIT: '0' } });
  try {
    await server.signIn('root', demoPassword);
    const shop = await createDemoData(server, upstream, demoPassword);
    await createSampleControls(server, shop);
    return shop;
  } finally {
    await server.stop();
  }
}
