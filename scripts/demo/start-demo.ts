import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type DatabaseLocation, openDatabase } from '../../packages/server/src/platform/db/database.ts';
import { StartFailure } from '../../packages/server/src/platform/errors/start-failure.ts';
import { listenError } from '../../packages/server/src/platform/outgoing/reachability.ts';
import { LogRepository, type NewLog } from '../../packages/server/src/records/logs/log-repository.ts';
import { BenchServer } from '../bench/bench-server.ts';
import { createDemoData, type DemoData } from './sample-data.ts';
import { sampleHistory } from './sample-history.ts';
import { startSampleUpstream } from './sample-upstream.ts';

const rowsPerTransaction = 5000;

interface Used {
  requests: number;
  quota: number;
}

/** Writes 30 days of requests and their rollups to a database that no server has open. */
async function writeHistory(location: DatabaseLocation, shop: DemoData, end: number): Promise<number> {
  const database = await openDatabase(location);
  try {
    const rows = [...sampleHistory(shop, end)];
    for (let at = 0; at < rows.length; at += rowsPerTransaction) {
      const part = rows.slice(at, at + rowsPerTransaction);
      await database.transaction().execute((connection) => new LogRepository(connection).insert(part));
    }
    await database.transaction().execute((connection) => writeSums(connection, rows));
    return rows.length;
  } finally {
    await database.destroy();
  }
}

async function writeSums(database: Database, rows: readonly NewLog[]): Promise<void> {
  for (const [id, { requests, quota }] of sumsBy(rows, ({ user_id }) => user_id)) {
    await database
      .updateTable('users')
      .set((column) => ({
        used_quota: column('used_quota', '+', quota),
        credited: column('credited', '+', quota),
        request_count: column('request_count', '+', requests),
      }))
      .where('id', '=', id)
      .execute();
  }
  for (const [name, { quota }] of sumsBy(rows, ({ token_name }) => token_name)) {
    const accessed_time = Math.max(...rows.filter((row) => row.token_name === name).map((row) => row.created_at));
    await database.updateTable('tokens').set({ used_quota: quota, accessed_time }).where('name', '=', name).execute();
  }
  for (const [id, { quota }] of sumsBy(rows, ({ channel }) => channel)) {
    await database.updateTable('channels').set({ used_quota: quota }).where('id', '=', id).execute();
  }
}

function sumsBy<Key>(rows: readonly NewLog[], keyOf: (row: NewLog) => Key): Map<Key, Used> {
  const sums = new Map<Key, Used>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { requests: 0, quota: 0 };
    sum.requests += 1;
    sum.quota += row.quota;
    sums.set(keyOf(row), sum);
  }
  return sums;
}

const pauseMs = 4000;
const questions = [
  'How much water does a field of barley need in June?',
  'Write a note to the neighbours about the repair of the weir.',
  'Which gate was opened last, and by whom?',
  'Summarise the meeting of the canal company in three lines.',
];

/**
 * Sends a request every few seconds with a user's token, so that the console shows activity. Returns a function that
 * stops it.
 */
function startLiveTraffic(address: string, { people, channels }: DemoData): () => void {
  let turn = 0;
  const timer = setInterval(() => {
    turn += 1;
    const person = people[turn % people.length];
    const channel = channels[turn % channels.length];
    const key = person?.keys[0];
    if (key === undefined || !channel) return;
    const content = questions[turn % questions.length] ?? '';
    const body = { model: channel.models[0], stream: turn % 2 === 0, messages: [{ role: 'user', content }] };
    // Requests of the demo may fail: failures are part of what it shows.
    fetch(new URL('/v1/chat/completions', address), {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
  }, pauseMs);
  return () => clearInterval(timer);
}

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

/** Limits, budgets and routing rules that the demo never reaches, and a status page. */
async function createSampleControls(server: BenchServer, { channels, people }: DemoData): Promise<void> {
  const options = { StatusPageEnabled: 'true', RetryTimes: '2' };
  for (const [key, value] of Object.entries(options)) await server.call('PUT', '/api/option/', { key, value });
  const channel = (name: string) => channels.find((each) => each.name === name)?.id;
  const person = (username: string) => people.find((each) => each.username === username)?.id;
  for (const limit of [
    {
      group: 'default',
      model: 'gpt-*',
      measure: 'requests_per_minute',
      amount: 600,
      counts_per: 'user',
      note: 'fair share',
    },
    { channel_id: channel('claude-team'), measure: 'tokens_per_minute', amount: 400_000, note: 'what we bought' },
  ])
    await server.call('POST', '/api/limit/', limit);
  for (const budget of [
    {
      kind: 'user',
      owner_id: person('grace-hopper'),
      amount: 50_000_000,
      period: 'month',
      note: 'continuous integration',
    },
    { kind: 'user', owner_id: person('linus'), amount: 1_000_000, period: 'day', time_zone: 'Europe/Helsinki' },
    { kind: 'group', group: 'vip', amount: 250_000_000, period: 'month' },
  ])
    await server.call('POST', '/api/budget/', budget);
  for (const rule of [
    { model: 'claude-*', affinity: 'conversation' },
    { model: 'gpt-4o-mini', strategy: 'quickest', fallbacks: 'deepseek-chat' },
  ])
    await server.call('POST', '/api/routing/rules', rule);
}
