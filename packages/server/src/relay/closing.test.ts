import { channelApi, defaultRoot, sessionApi, tokenApi } from '@headgate/contract';
import { ApiClient, StubUpstream, stream } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { addressOf, startServer } from '../testing/program.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { piece } from '../testing/upstream-answers.ts';

/** Until nobody listens there any more. */
async function untilRefused(url: string): Promise<void> {
  for (;;) {
    const isRefused = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
      () => false,
      (error: { cause?: { code?: string } }) => error.cause?.code === 'ECONNREFUSED',
    );
    if (isRefused) return;
  }
}

test('a client that leaves while the server closes is charged before the database is closed', async () => {
  await using stored = await createTestDatabase();
  const upstream = await StubUpstream.start(stream([piece('Hello')], 'stall'));
  await using server = startServer({ ...stored.environment, LOG_LEVEL: 'error' }, stored.location.dataDir);
  const url = await addressOf(server);
  const root = new ApiClient(url);
  await root.call(sessionApi.login, { body: defaultRoot });
  const channel = { name: 'stub', type: 8, key: 'upstream-key-123456', base_url: upstream.url, models: 'gpt-4o' };
  await root.call(channelApi.create, { body: channel });
  const { key } = await root.call(tokenApi.create, { body: { name: 'x', unlimited_quota: true } as never });
  const leaving = new AbortController();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  server.process.kill('SIGTERM');
  await untilRefused(url);
  leaving.abort();
  expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
  await upstream.close();

  const database = await openDatabase(stored.location);
  const log = await database.selectFrom('logs').selectAll().where('type', '=', 2).executeTakeFirstOrThrow();
  const user = await database.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  await database.destroy();
  expect(log).toMatchObject({ content: 'The client left', is_stream: 1 });
  expect(log.quota).toBeGreaterThan(0);
  expect(user).toMatchObject({ used_quota: log.quota, quota: user.credited - log.quota, request_count: 1 });
});
