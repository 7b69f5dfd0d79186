import {
  channelApi,
  channelBulkApi,
  channelKeyApi,
  limitRuleApi,
  managedApi,
  optionApi,
  priceApi,
  userApi,
  userBulkApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { beforeAll, expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const database = await createMigratedDatabase();
const scene = new ConfigFileFixture(database);
let app: TestApp;
let root: ApiClient;

/** Ids of the file's objects by name. */
const ids = new Map<string, number>();
const idOf = (name: string): number => ids.get(name) ?? 0;

beforeAll(async () => {
  Object.assign(scene.variables, { KEY: 'sk-one', TOKEN: 'smtp-token' });
  scene.write({
    options: { RetryTimes: 2, SMTPToken: { env: 'TOKEN' } },
    groups: { vip: 0.8 },
    models: { 'my-model': { input: 2 } },
    channels: {
      main: { type: 'OpenAI', key: { env: 'KEY' }, models: ['m'] },
      off: { type: 'OpenAI', key: { env: 'KEY' }, models: ['m'], enabled: false },
    },
    users: { alice: {} },
    limits: { slow: { measure: 'requests_per_minute', amount: 5 } },
  });
  await scene.apply();
  app = await startTestApp({ on: database });
  root = await app.signedIn('root', '123456');
  for (const { name, id } of await root.call(managedApi.list)) ids.set(name, id);
  return async () => {
    await app.close();
    scene[Symbol.dispose]();
    await database.drop();
  };
});

test('admins can list the objects that the file manages, but other users cannot', async () => {
  expect((await root.call(managedApi.list)).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'channel main',
    'channel off',
    'group vip',
    'limit slow',
    'model my-model',
    'option RetryTimes',
    'option SMTPToken',
    'user alice',
  ]);
  expect(idOf('main')).toBeGreaterThan(0);
  expect((await (await app.as('user')).send(managedApi.list)).body).toMatchObject({ success: false });
});

const changes: Readonly<Record<string, () => Promise<{ status: number; body: unknown }>>> = {
  'a channel': () => root.send(channelApi.update, { body: { id: idOf('main'), priority: 9 } }),
  "a channel's status": () => root.send(channelApi.update, { body: { id: idOf('main'), status: 2 } }),
  'a channel by deleting it': () => root.send(channelApi.remove, { params: { id: idOf('main') } }),
  "a channel's keys": () =>
    root.send(channelKeyApi.add, { params: { id: idOf('main') }, body: { keys: 'sk-two', replace: true } }),
  'an option': () => root.send(optionApi.update, { body: { key: 'RetryTimes', value: '7' } }),
  'a secret option': () => root.send(optionApi.update, { body: { key: 'SMTPToken', value: 'mine' } }),
  'a group ratio': () => root.send(optionApi.update, { body: { key: 'GroupRatio', value: '{"default":1,"vip":0.1}' } }),
  'a group by removing it': () => root.send(optionApi.update, { body: { key: 'GroupRatio', value: '{"default":1}' } }),
  'a price': () => root.send(priceApi.save, { body: { changes: [{ model: 'my-model', price: { input: 5 } }] } }),
  'a price through a ratio option': () =>
    root.send(optionApi.update, { body: { key: 'ModelRatio', value: '{"my-model":9}' } }),
  QuotaPerUnit: () => root.send(optionApi.update, { body: { key: 'QuotaPerUnit', value: '250000' } }),
  'a limit': () => root.send(limitRuleApi.update, { body: { id: idOf('slow'), amount: 6 } }),
  'a limit by deleting it': () => root.send(limitRuleApi.remove, { params: { id: idOf('slow') } }),
  "a user's group": () => root.send(userApi.update, { body: { id: idOf('alice'), group: 'svip' } }),
  "a user's role": () => root.send(userApi.manage, { body: { username: 'alice', action: 'promote' } }),
  'a user by deleting it': () => root.send(userApi.remove, { params: { id: idOf('alice') } }),
};

test.each(Object.keys(changes))('[A51.6] the API rejects changing %s and names the managed object', async (what) => {
  const { status, body } = (await changes[what]?.()) ?? {};
  expect(status).toBe(409);
  expect(body).toMatchObject({ success: false, message: expect.stringContaining('managed by the configuration file') });
});

test('[A51.6] bulk edits skip objects managed by the file', async () => {
  const [other] = await createOther();
  const report = await root.call(channelBulkApi.run, {
    body: { chosen: { ids: [idOf('main'), other] }, change: { kind: 'priority', priority: 3 }, preview: false },
  });
  expect(report.rows.find(({ id }) => id === idOf('main'))).toMatchObject({ outcome: 'failed' });
  const users = await root.call(userBulkApi.run, {
    body: { chosen: { ids: [idOf('alice')] }, change: { kind: 'group', group: 'svip' }, preview: false },
  });
  expect(users.rows[0]).toMatchObject({ outcome: 'failed' });
  expect(await root.call(channelApi.get, { params: { id: other } })).toMatchObject({ priority: 3 });
});

async function createOther(): Promise<[number]> {
  await root.call(channelApi.create, { body: { name: 'other', key: 'k', models: 'm' } });
  const [newest] = await root.call(channelApi.list, { query: {} });
  return [newest?.id ?? 0];
}

test('[A51.6] deleting disabled channels skips those disabled by the file', async () => {
  await root.call(channelApi.removeDisabled);
  expect(await root.call(channelApi.get, { params: { id: idOf('off') } })).toMatchObject({ status: 2 });
});

test('unmanaged values can be changed: other groups and prices, quota and passwords', async () => {
  await root.call(optionApi.update, { body: { key: 'GroupRatio', value: '{"default":1,"vip":0.8,"new":3}' } });
  await root.call(priceApi.save, { body: { changes: [{ model: 'another', price: { input: 5 } }] } });
  await root.call(userApi.update, { body: { id: idOf('alice'), quota: 77, password: 'long enough' } });
  const alice = await app.signedIn('alice', 'long enough');
  await alice.call(userApi.updateSelf, { body: { display_name: 'alice' } });
  const { status } = await alice.send(userApi.updateSelf, { body: { display_name: 'Somebody else' } });
  expect(status).toBe(409);
  expect((await alice.send(userApi.removeSelf)).status).toBe(409);
  expect((await scene.plan()).lines).toEqual(['No changes. The gateway matches the file.']);
});
