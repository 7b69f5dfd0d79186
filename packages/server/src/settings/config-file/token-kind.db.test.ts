import {
  budgetApi,
  defaultRoot,
  limitRuleApi,
  logApi,
  logType,
  tokenApi,
  userApi,
  userSupportApi,
} from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const key = 'k'.repeat(48);
const nothing = { lines: ['No changes. The gateway matches the file.'], differs: false };

async function useScene() {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  scene.variables['TOKEN'] = `sk-${key}`;
  return { database, scene };
}

const file = {
  users: { alice: { groups: ['vip'] } },
  tokens: {
    ci: { user: 'alice', key: { env: 'TOKEN' }, models: ['gpt-4o'], groups: ['vip'], expires: '2099-01-01' },
    console: { user: 'root', initial_quota: 500, enabled: false },
  },
  limits: { 'ci per minute': { token: 'ci', measure: 'requests_per_minute', amount: 5 } },
  budgets: { 'ci per day': { token: 'ci', amount: 1000, period: 'day' } },
};

test('creates tokens for any user with a referenced key, limits and budgets, and leaves unchanged ones as they are', async () => {
  const { database, scene } = await useScene();
  scene.write(file);
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
  await using app = await startTestApp({ on: database });
  const rows = await app.database.selectFrom('tokens').select(['id', 'name', 'expired_time', 'status']).execute();
  expect(rows.filter(({ name }) => name !== 'default')).toMatchObject([
    { name: 'ci', expired_time: 4_070_908_800, status: 1 },
    { name: 'console', expired_time: -1, status: 2 },
  ]);
  const root = await app.signedIn(defaultRoot.username, defaultRoot.password);
  const [own] = (await root.call(tokenApi.list, { query: {} })).filter(({ name }) => name === 'console');
  expect(own).toMatchObject({ remain_quota: 500, unlimited_quota: false });
  const models = await fetch(new URL('/v1/models', app.url), { headers: { authorization: `Bearer sk-${key}` } });
  expect(models.status).toBe(200);
  expect(await root.call(limitRuleApi.list, { query: {} })).toMatchObject([{ token_name: 'ci', amount: 5 }]);
  expect(await root.call(budgetApi.list, { query: {} })).toMatchObject([{ kind: 'token', amount: 1000 }]);
  const change = { id: own?.id ?? 0, name: 'other' };
  expect((await root.send(tokenApi.update, { body: change })).body).toEqual(apiFailure(/managed/));
  expect((await root.send(tokenApi.remove, { params: { id: change.id } })).body).toEqual(apiFailure(/managed/));
});

test('changes the key, renames and prunes a token; plans never show a key', async () => {
  const { database, scene } = await useScene();
  scene.write(file);
  await scene.apply();
  scene.variables['TOKEN'] = 'n'.repeat(48);
  const { lines } = await scene.plan();
  expect(lines).toContain('    key: changed');
  expect(lines.join()).not.toMatch(/kkkk|nnnn/);
  scene.write({ users: file.users, tokens: { build: { ...file.tokens.ci, previous_name: 'ci' } } });
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual(nothing);
  await using app = await startTestApp({ on: database });
  const rows = await app.database.selectFrom('tokens').select('name').where('name', '<>', 'default').execute();
  expect(rows).toEqual([{ name: 'build' }]);
  const root = await app.signedIn(defaultRoot.username, defaultRoot.password);
  const logs = await root.call(logApi.list, { query: { type: logType.management, size: 100 } });
  const events = logs
    .map(({ content }) => content)
    .filter((content) => /(created|changed|deleted) token /.test(content));
  expect(events.toSorted()).toEqual([
    '@headgate.yaml changed token build of alice: name, key',
    '@headgate.yaml created token ci for alice',
    '@headgate.yaml created token console for root',
    '@headgate.yaml deleted token console of root',
  ]);
});

test('rejects a key in another format and an unknown user', async () => {
  const { scene } = await useScene();
  scene.variables['TOKEN'] = 'short';
  scene.write({ tokens: { ci: { user: 'root', key: { env: 'TOKEN' } } } });
  await expect(scene.plan()).rejects.toThrow(/tokens\.ci\.key must have 32 to 64 letters and digits/);
  scene.write({ tokens: { ci: { user: 'nobody' } } });
  await expect(scene.plan()).rejects.toThrow(/tokens\.ci was rejected/);
  expect(scene.validate()).toEqual(['headgate.yaml is valid.']);
});

test('apply does not enable a token that an admin has disabled', async () => {
  const { database, scene } = await useScene();
  scene.write(file);
  await scene.apply();
  {
    await using app = await startTestApp({ on: database });
    const root = await app.signedIn(defaultRoot.username, defaultRoot.password);
    const [alice] = await root.call(userApi.search, { query: { keyword: 'alice' } });
    await root.call(userSupportApi.disableTokens, { params: { id: alice?.id ?? 0 }, body: { reason: 'leaked' } });
  }
  expect(await scene.plan()).toEqual(nothing);
  scene.write({ ...file, tokens: { ...file.tokens, ci: { ...file.tokens.ci, note: 'changed' } } });
  await scene.apply();
  await using app = await startTestApp({ on: database });
  const rows = await app.database.selectFrom('tokens').selectAll().where('name', '=', 'ci').execute();
  expect(rows).toMatchObject([{ note: 'changed', status: 2, is_locked: 1, lock_reason: 'leaked' }]);
});
