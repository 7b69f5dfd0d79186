import { tokenApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

test.each([
  ['a null character', 'no\0thing'],
  ['half a surrogate pair', 'no\ud800thing'],
  ['a hundred thousand characters', 'x'.repeat(100_000)],
])('logs an upstream error with %s in its message', async (_, message) => {
  const scene = await relayFixture(app, { upstreams: [reply({ error: { message } }, 400)] });
  expect((await scene.chat()).status).toBe(400);
  const { logs, drift } = await scene.books();
  expect(logs).toMatchObject([{ type: 5, quota: 0 }]);
  expect(logs[0]?.content).not.toContain('\0');
  expect(drift).toBe(0);
  await scene.close();
});

test('logs a model name with a null character, which is possible only with a pinned channel', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const [channel] = await app.database.selectFrom('channels').select('id').where('group', '=', scene.group).execute();
  const { key } = await scene.admin.call(tokenApi.create, { body: { name: 'pin', unlimited_quota: true } });
  const quota = { quota: 100_000, credited: 100_000 };
  await app.database.updateTable('users').set(quota).where('role', '>=', 10).execute();
  const headers = { authorization: `Bearer sk-${key}-${channel?.id}`, 'content-type': 'application/json' };
  expect((await scene.chat({ model: 'gpt\0', max_tokens: 1 }, { headers })).status).toBe(200);
  const log = await app.database.selectFrom('logs').selectAll().where('token_name', '=', 'pin').executeTakeFirst();
  expect(log).toMatchObject({ model_name: 'gpt', type: 2 });
  await scene.close();
});
