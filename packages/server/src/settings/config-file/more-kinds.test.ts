import { budgetApi, channelKeyApi, routingApi } from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { queryDatabase } from '../../testing/commands/import-fixture.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function useScene() {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  Object.assign(scene.variables, { ONE: 'sk-one', TWO: 'sk-two', THREE: 'sk-three' });
  return { database, scene };
}

const shop = {
  users: { alice: {} },
  aliases: { 'gpt-4': 'gpt-4o', 'claude-*': 'anthropic/*' },
  routing: {
    'cheapest for everybody': { strategy: 'cheapest', affinity: 'conversation' },
    'vip, with something in its place': {
      group: 'vip',
      model: 'gpt-4o*',
      strategy: 'quickest',
      hedge_ms: 2000,
      fits_window: false,
      fallbacks: ['gpt-4o-mini', 'gpt-4'],
    },
  },
  budgets: {
    'vip of a month': { group: 'vip', amount: 5_000_000, period: 'month', time_zone: 'Asia/Shanghai' },
    'alice of a day': { user: 'alice', amount: 1000, period: 'day', enabled: false },
  },
};

const nothing = { lines: ['No changes. The gateway matches the file.'], differs: false };

test('aliases, routing rules and budgets are created, updated and pruned', async () => {
  const { database, scene } = await useScene();
  scene.write(shop);
  const planned = await scene.plan();
  expect(planned.lines).toContain('    fallbacks: "gpt-4o-mini,gpt-4"');
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
  scene.write({
    ...shop,
    aliases: { ...shop.aliases, 'gpt-4': 'gpt-4.1' },
    routing: { 'called otherwise': { strategy: 'least_busy' } },
    budgets: {
      'vip of a month': { ...shop.budgets['vip of a month'], amount: 1 },
      'alice of a day': { group: 'svip', amount: 1000, period: 'day' },
    },
  });
  expect((await scene.plan({ isPruning: true })).lines).toEqual([
    '~ alias "gpt-4"',
    '    model: "gpt-4o" → "gpt-4.1"',
    '~ rule of routing "called otherwise": not created by the file; managed by it from now on',
    '    strategy: "cheapest" → "least_busy"',
    '    affinity: "conversation" → "off"',
    '- rule of routing "vip, with something in its place"',
    '~ budget "vip of a month"',
    '    amount: 5000000 → 1',
    '~ budget "alice of a day"',
    '    user: "alice" → ""',
    '    group: "" → "svip"',
    '    enabled: false → true',
    '0 to create, 4 to change, 0 to take over, 1 to delete, 0 to release to the console.',
  ]);
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual(nothing);
  await using app = await startTestApp({ on: database });
  const root = await app.signedIn('root', '123456');
  expect(await root.call(routingApi.aliases)).toMatchObject([
    { pattern: 'gpt-4', model: 'gpt-4.1' },
    { pattern: 'claude-*', model: 'anthropic/*' },
  ]);
  expect(await root.call(routingApi.rules)).toMatchObject([{ group: '', model: '', strategy: 'least_busy' }]);
  const budgets = await root.call(budgetApi.list, { query: {} });
  expect(budgets.map(({ kind, owner, amount, period }) => [kind, owner, amount, period]).toSorted()).toEqual([
    ['group', 'svip', 1000, 'day'],
    ['group', 'vip', 1, 'month'],
  ]);
});

test('an admin’s object for the same group, model, owner or pattern is adopted', async () => {
  const { database, scene } = await useScene();
  {
    await using app = await startTestApp({ on: database });
    const root = await app.signedIn('root', '123456');
    await root.call(routingApi.createRule, { body: { strategy: 'quickest' } });
    await root.call(routingApi.createAlias, { body: { pattern: 'gpt-4', model: 'gpt-4o' } });
    const budget = { kind: 'group', group: 'vip', amount: 7, period: 'month', note: 'by hand' } as const;
    await root.call(budgetApi.create, { body: budget });
  }
  scene.write({
    aliases: { 'gpt-4': 'gpt-4o' },
    routing: { all: { strategy: 'quickest' } },
    budgets: { vip: { group: 'vip', amount: 7, period: 'month' } },
  });
  expect((await scene.plan()).lines).toEqual([
    '= alias "gpt-4": unchanged; managed by the file from now on',
    '= rule of routing "all": unchanged; managed by the file from now on',
    '= budget "vip": unchanged; managed by the file from now on',
    '0 to create, 0 to change, 3 to take over, 0 to delete, 0 to release to the console.',
  ]);
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
});

test.each([
  [
    'two rules for the same group and model',
    { routing: { a: {}, b: { strategy: 'cheapest' } } },
    /routing.b has the same group and model/,
  ],
  ['an alias with a wildcard only in the target', { aliases: { a: 'b*' } }, /aliases.a was rejected: /],
  ['a pattern as a fallback', { routing: { a: { fallbacks: ['x*'] } } }, /routing.a was rejected: /],
  [
    'a budget without an owner',
    { budgets: { a: { amount: 1, period: 'day' } } },
    /budgets.a needs exactly one of user, group, tag, token or organization/,
  ],
  [
    'a budget with two owners',
    { budgets: { a: { user: 'root', group: 'vip', amount: 1, period: 'day' } } },
    /budgets.a needs exactly one of user, group, tag, token or organization/,
  ],
  [
    'a budget of an empty tag',
    { budgets: { a: { tag: '', amount: 1, period: 'day' } } },
    /budgets.a needs exactly one of user/,
  ],
  [
    'a budget of all tags',
    { budgets: { a: { tag: 'team=*', amount: 1, period: 'day' } } },
    /a tag such as team=search/,
  ],
  [
    'a budget of an unknown user',
    { budgets: { a: { user: 'x', amount: 1, period: 'day' } } },
    /budgets.a was rejected/,
  ],
  [
    'two budgets with the same owner and period',
    { budgets: { a: { group: 'g', amount: 1, period: 'day' }, b: { group: 'g', amount: 2, period: 'day' } } },
    /budgets.b has the same owner and period/,
  ],
  [
    'a channel with both key and keys',
    { channels: { a: { type: 'OpenAI', models: ['m'], key: { env: 'ONE' }, keys: [{ env: 'TWO' }] } } },
    /channels.a.keys cannot be combined with key/,
  ],
  [
    'the cost of a single key',
    { channels: { a: { type: 'OpenAI', models: ['m'], keys: [{ env: 'ONE', cost_percent: 50 }] } } },
    /channels.a.keys has a single key/,
  ],
  [
    'several keys for a type with a composed key',
    { channels: { a: { type: 'AWS', models: ['m'], keys: [{ env: 'ONE' }, { env: 'TWO' }] } } },
    /channels.a(.keys)? was rejected: /,
  ],
])('[A55.6] plan and apply reject %s and name the line', async (_, file, words) => {
  const { scene } = await useScene();
  scene.write(file);
  await expect(scene.plan()).rejects.toThrow(words);
  await expect(scene.apply()).rejects.toThrow(words);
});

test('several keys of a channel are set, changed one by one, and reduced to one', async () => {
  const { database: testDatabase, scene } = await useScene();
  scene.write('sk-three\n\n  sk-two \n', 'more-keys');
  const channel = { type: 'OpenAI', models: ['m'], keys: [{ env: 'ONE' }, { file: 'more-keys' }] };
  const keys = () =>
    queryDatabase(testDatabase, async (database) => {
      const box = new SecretBox(loadSecretKey(testDatabase.location.dataDir, undefined));
      const rows = await database.selectFrom('channel_keys').selectAll().orderBy('id').execute();
      return rows.map(({ id, key_sealed }) => [id, box.open(key_sealed)] as const);
    });
  scene.write({ channels: { main: channel } });
  const made = await scene.apply();
  expect(made.join('\n')).not.toContain('sk-');
  expect(await scene.plan()).toEqual(nothing);
  const before = await keys();
  expect(before.map(([, key]) => key).toSorted()).toEqual(['sk-one', 'sk-three', 'sk-two']);
  scene.write({ channels: { main: { ...channel, priority: 3 } } });
  await scene.apply();
  expect(await keys(), 'they stay the same rows').toEqual(before);
  scene.variables['ONE'] = 'sk-four';
  expect((await scene.plan()).lines).toContain('    keys: changed');
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
  const after = await keys();
  expect(after.map(([, key]) => key).toSorted()).toEqual(['sk-four', 'sk-three', 'sk-two']);
  expect(after.slice(0, 2), 'those that stay are the same rows').toEqual(before.filter(([, key]) => key !== 'sk-one'));
  scene.write({ channels: { main: { ...channel, base_url: 'https://elsewhere.example.com' } } });
  await scene.apply();
  expect(await scene.plan(), 'they go along to another address').toEqual(nothing);
  expect(await keys()).toHaveLength(3);
  scene.write({ channels: { main: { type: 'OpenAI', models: ['m'], key: { env: 'ONE' } } } });
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
  expect(await keys()).toEqual([]);
});

test('weights and costs of keys are set, changed and reset without replacing the keys', async () => {
  const { database: testDatabase, scene } = await useScene();
  const write = (one: object, two: object) =>
    scene.write({
      channels: {
        main: {
          type: 'OpenAI',
          models: ['m'],
          keys: [
            { env: 'ONE', ...one },
            { env: 'TWO', ...two },
          ],
        },
      },
    });
  const rows = () =>
    queryDatabase(testDatabase, (database) =>
      database.selectFrom('channel_keys').select(['id', 'weight', 'cost_percent']).orderBy('id').execute(),
    );
  write({ weight: 3 }, { cost_percent: 40 });
  await scene.apply();
  const [one, two] = await rows();
  expect([one, two]).toMatchObject([
    { weight: 3, cost_percent: 100 },
    { weight: 1, cost_percent: 40 },
  ]);
  write({ weight: 3 }, { cost_percent: 60 });
  expect((await scene.plan()).lines).toContain('    key_costs: "100,40" → "100,60"');
  await scene.apply();
  expect(await rows()).toEqual([one, { ...two, cost_percent: 60 }]);
  write({}, {});
  await scene.apply();
  expect(await rows()).toMatchObject([
    { id: one?.id, weight: 1, cost_percent: 100 },
    { id: two?.id, weight: 1, cost_percent: 100 },
  ]);
  expect(await scene.plan()).toEqual(nothing);
});

test('[A55.10] the API cannot change managed aliases, routing rules and budgets', async () => {
  const { database, scene } = await useScene();
  scene.write({
    ...shop,
    channels: { main: { type: 'OpenAI', models: ['m'], keys: [{ env: 'ONE' }, { env: 'TWO' }] } },
  });
  await scene.apply();
  await using app = await startTestApp({ on: database });
  const root = await app.signedIn('root', '123456');
  const [rule] = await root.call(routingApi.rules);
  const [alias] = await root.call(routingApi.aliases);
  const [budget] = await root.call(budgetApi.list, { query: {} });
  const [row] = await app.database.selectFrom('channel_keys').select(['id', 'channel_id']).execute();
  const id = (item: { id: number } | undefined) => item?.id ?? 0;
  const params = { id: row?.channel_id ?? 0 };
  const responses = await Promise.all([
    root.send(routingApi.updateRule, { body: { id: id(rule), strategy: 'least_busy' } }),
    root.send(routingApi.removeRule, { params: { id: id(rule) } }),
    root.send(routingApi.updateAlias, { body: { id: id(alias), pattern: 'x', model: 'y' } }),
    root.send(routingApi.removeAlias, { params: { id: id(alias) } }),
    root.send(budgetApi.update, { body: { id: id(budget), amount: 9 } }),
    root.send(budgetApi.remove, { params: { id: id(budget) } }),
    root.send(channelKeyApi.update, { params, body: { ids: [id(row)], status: 2 } }),
    root.send(channelKeyApi.remove, { params, body: { ids: [id(row)] } }),
  ]);
  for (const { status, body } of responses) {
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: expect.stringContaining('managed by the configuration file') });
  }
  await root.call(budgetApi.reset, { params: { id: id(budget) } });
  await root.call(routingApi.createRule, { body: { group: 'other' } });
});
