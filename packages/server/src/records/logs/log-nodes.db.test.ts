import { type Log, logApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, inject, onTestFinished, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

test('shows the node that served or rejected a request only to admins, and no node on SQLite', async () => {
  await using app = await startTestApp({ config: { nodeName: 'first.example' } });
  const scene = await relayFixture(app, { upstreams: [completion()] });
  onTestFinished(async () => void (await scene.close()));
  expect((await scene.chat()).status).toBe(200);
  expect((await scene.chat({ model: 'unknown' })).status).toBe(404);
  const { username, password } = scene.user;
  const admin = await app.as('admin');
  const own = await app.signedIn(username, password);
  const nodes = (rows: readonly Log[]) => rows.map(({ node }) => node);
  const name = inject('database') === 'postgres' ? 'first.example' : '';
  expect(nodes(await admin.call(logApi.list, { query: { username } }))).toEqual([name, name]);
  expect(nodes(await own.call(logApi.listOwn, { query: {} }))).toEqual(['', '']);
});
