import type { DatabaseLocation } from '../../packages/server/src/platform/db/database.ts';
import { BenchServer, type StartOptions } from './bench-server.ts';

/** A server that relays to the fake upstream, and a token key with full access. */
export interface BenchGateway {
  readonly server: BenchServer;
  readonly key: string;
}

export const rootPassword = 'bench-password';

/** Starts a server with one channel per dialect of the upstream. */
export async function startGateway(
  location: DatabaseLocation,
  { settings, ...starting }: StartOptions,
  upstreamPort: number,
): Promise<BenchGateway> {
  const server = await BenchServer.start(location, {
    ...starting,
    settings: { ROOT_PASSWORD: rootPassword, ...settings },
  });
  await server.signIn('root', rootPassword);
  const base_url = `http://127.0.0.1:${upstreamPort}`;
  for (const [name, type, models] of [
    ['plain', 8, 'gpt-4o'],
    ['other', 14, 'claude-3-5-haiku-latest'],
    ['openai', 1, 'gpt-4.1'],
  ] as const) {
    await server.call('POST', '/api/channel/', { name, type, key: 'sk-bench', base_url, models });
  }
  const token = await server.call('POST', '/api/token/', { name: 'bench', unlimited_quota: true });
  await server.call('POST', '/api/topup', { user_id: 1, quota: 4_000_000_000_000 });
  // All clients share one token, so per-user limits must not apply.
  for (const key of ['UserConcurrencyLimit', 'TokenConcurrencyLimit']) {
    await server.call('PUT', '/api/option/', { key, value: '0' });
  }
  return { server, key: (token.data as { key: string }).key };
}
