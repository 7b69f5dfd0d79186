import { priceApi } from '@headgate/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { queryDatabase } from '../../testing/commands/import-fixture.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { sample } from '../../testing/sample.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { RandomConfigFile } from '../../testing/settings/random-config-file.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function useScene() {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  return { database, scene };
}

const shop = {
  options: {
    SystemName: 'Filed',
    RetryTimes: 3,
    EmailDomainWhitelist: ['example.com', 'example.org'],
    SMTPServer: 'smtp.example.com',
    SMTPAccount: 'gateway@example.com',
    SMTPToken: { env: 'SMTP' },
  },
  groups: { default: 1, vip: 0.8 },
  models: { 'my-model': { input: 2, output: 8 }, 'gpt-4o': { input: 2.5 } },
  channels: {
    main: {
      type: 'OpenAI',
      key: { env: 'MAIN' },
      models: ['gpt-4o', 'my-model'],
      groups: ['default', 'vip'],
      priority: 5,
    },
    aws: {
      type: 'AWS',
      config: { region: 'us-west-2', ak: { env: 'AK' }, sk: { env: 'SK' } },
      models: ['claude'],
      enabled: false,
    },
  },
  users: {
    alice: { display_name: 'Alice', groups: ['vip'], initial_quota: 5000 },
    bob: { role: 'admin', enabled: false },
  },
  limits: {
    'vip in a minute': { group: 'vip', measure: 'requests_per_minute', amount: 60, counts_per: 'user' },
    'alice on main': { user: 'alice', channel: 'main', measure: 'tokens_per_day', amount: 1_000_000 },
  },
};
const secrets = { SMTP: 'smtp-secret', MAIN: 'sk-main-secret', AK: 'ak-hidden-value', SK: 'sk-hidden-value' };

describe('configuration file', () => {
  test('a file is planned and applied through the API services, after which a plan shows no difference', async () => {
    const { database: testDatabase, scene } = await useScene();
    Object.assign(scene.variables, secrets);
    scene.write(shop);
    const planned = await scene.plan();
    expect(planned.differs).toBe(true);
    expect(planned.lines).toContain('+ channel "main"');
    const applied = await scene.apply();
    expect(applied.at(-1)).toBe('Changes applied.');
    expect(await scene.plan()).toEqual({ lines: ['No changes. The gateway matches the file.'], differs: false });
    expect(await scene.apply()).toEqual(['No changes. The gateway matches the file.']);
    const output = [...planned.lines, ...applied].join('\n');
    const stored = await queryDatabase(testDatabase, async (database) => ({
      channels: await database.selectFrom('channels').selectAll().orderBy('id').execute(),
      users: await database.selectFrom('users').selectAll().orderBy('id').execute(),
      limits: await database.selectFrom('limit_rules').selectAll().orderBy('id').execute(),
      logs: await database.selectFrom('logs').selectAll().execute(),
      abilities: await database.selectFrom('abilities').selectAll().execute(),
    }));
    expect(stored.channels.map(({ name, status, priority }) => [name, status, priority])).toEqual([
      ['main', 1, 5],
      ['aws', 2, 0],
    ]);
    const box = new SecretBox(loadSecretKey(testDatabase.location.dataDir, undefined));
    expect(box.open(stored.channels[0]?.key_sealed ?? '')).toBe(secrets.MAIN);
    expect(stored.abilities.filter(({ enabled }) => enabled === 1)).toHaveLength(4);
    expect(
      stored.users.map(({ username, group, role, status, password_hash }) => [
        username,
        group,
        role,
        status,
        password_hash === null,
      ]),
    ).toEqual([
      ['root', 'default', 100, 1, false],
      ['alice', 'vip', 1, 1, true],
      ['bob', 'default', 10, 2, true],
    ]);
    expect(stored.users[1]).toMatchObject({ display_name: 'Alice', quota: 5000, credited: 5000 });
    expect(stored.limits.map(({ note, user_id, channel_id, amount }) => [note, user_id, channel_id, amount])).toEqual([
      ['vip in a minute', 0, 0, 60],
      ['alice on main', stored.users[1]?.id, stored.channels[0]?.id, 1_000_000],
    ]);
    expect(stored.logs.map(({ content }) => content)).toContain(
      `@headgate.yaml created channel main (#${stored.channels[0]?.id})`,
    );
    const everything = `${output}${JSON.stringify(stored.logs)}`;
    for (const secret of Object.values(secrets)) expect(everything, '[A51.1]').not.toContain(secret);
  });

  test('a changed file is applied field by field, and prices match the API', async () => {
    const { database, scene } = await useScene();
    Object.assign(scene.variables, secrets);
    scene.write(shop);
    await scene.apply();
    scene.variables['MAIN'] = 'sk-another-secret';
    scene.write({
      ...shop,
      options: { ...shop.options, RetryTimes: 1, QuotaPerUnit: 250_000 },
      channels: {
        ...shop.channels,
        main: { ...shop.channels.main, priority: 7, base_url: 'https://upstream.example.com' },
      },
      users: { ...shop.users, bob: { enabled: true } },
    });
    const { lines } = await scene.plan();
    for (const line of [
      '    value: "3" → "1"',
      '    priority: 5 → 7',
      '    key: changed',
      '    role: "admin" → "common"',
      '    enabled: false → true',
    ])
      expect(lines).toContain(line);
    await scene.apply();
    expect((await scene.plan()).differs).toBe(false);
    await using app = await startTestApp({ on: database });
    const root = await app.signedIn('root', '123456');
    const prices = await root.call(priceApi.list);
    expect(prices.find(({ model }) => model === 'my-model')).toMatchObject({
      source: 'yours',
      price: { input: 2, output: 8 },
    });
  });

  test('an apply ignores objects that the file does not name, and prunes only those it once managed', async () => {
    const { database: testDatabase, scene } = await useScene();
    Object.assign(scene.variables, secrets);
    const app = await startTestApp({ on: testDatabase });
    await app.createUser({ username: 'stranger' });
    await app.close();
    scene.write(shop);
    await scene.apply();
    scene.write({ groups: { vip: 0.5 } });
    const { lines, differs } = await scene.plan();
    expect(differs).toBe(true);
    expect(lines.filter((line) => line.startsWith('?')).length).toBeGreaterThan(10);
    await scene.apply();
    expect((await scene.plan()).differs, 'what was left is the console’s').toBe(false);
    expect((await scene.plan({ isPruning: true })).lines).toContain('- channel "main"');
    await scene.apply({ isPruning: true });
    expect((await scene.plan({ isPruning: true })).differs).toBe(false);
    const left = await queryDatabase(testDatabase, async (database) => ({
      channels: await database.selectFrom('channels').select('name').execute(),
      users: await database.selectFrom('users').select('username').where('status', '<>', 3).orderBy('id').execute(),
      limits: await database.selectFrom('limit_rules').select('note').execute(),
      retries: await database.selectFrom('options').selectAll().where('key', '=', 'RetryTimes').execute(),
      groups: await database.selectFrom('options').selectAll().where('key', '=', 'GroupRatio').execute(),
    }));
    expect(left).toMatchObject({ channels: [], users: [{ username: 'root' }, { username: 'stranger' }], limits: [] });
    expect(left.retries[0]?.value).toBe('0');
    expect(JSON.parse(left.groups[0]?.value ?? '')).toEqual({ vip: 0.5, svip: 1 });
  });

  test('a file that cannot be applied as a whole changes nothing, and the error names the line', async () => {
    const { database: testDatabase, scene } = await useScene();
    scene.write({ groups: { vip: 0.5 }, limits: { one: { user: 'nobody', measure: 'tokens_per_day', amount: 1 } } });
    await expect(scene.apply()).rejects.toThrow(
      /^headgate.yaml:4: limits.one was rejected: The user, token or channel/,
    );
    scene.write({ groups: { vip: 0.5 }, options: { EmailVerificationEnabled: true } });
    await expect(scene.apply()).rejects.toThrow(
      /^headgate.yaml:4: options.EmailVerificationEnabled was rejected: Fill in /,
    );
    scene.write({ channels: { a: { type: 'OpenAI', models: ['m'] } } });
    await expect(scene.apply()).rejects.toThrow(/^headgate.yaml:2: channels.a was rejected: /);
    scene.write({ users: { root: { role: 'common' } } });
    await expect(scene.apply()).rejects.toThrow(/^headgate.yaml:2: users.root was rejected: /);
    expect(
      await queryDatabase(testDatabase, (database) => database.selectFrom('options').selectAll().execute()),
    ).toEqual([]);
    expect(
      await queryDatabase(testDatabase, (database) => database.selectFrom('managed_things').selectAll().execute()),
    ).toEqual([]);
  });

  test('an apply changes the URL that a secret is sent to, while an option that requires the secret stays on', async () => {
    const { scene } = await useScene();
    Object.assign(scene.variables, secrets);
    const mail = { ...shop.options, ServerAddress: 'https://gateway.example.com', EmailVerificationEnabled: true };
    scene.write({ options: mail });
    await scene.apply();
    scene.write({ options: { ...mail, SMTPServer: 'smtp.example.org' } });
    await scene.apply();
    expect((await scene.plan()).lines).toEqual(['No changes. The gateway matches the file.']);
  });

  test('a file is applied to a channel with several keys, and to an automatically disabled one', async () => {
    const { database: testDatabase, scene } = await useScene();
    Object.assign(scene.variables, secrets);
    scene.write({ channels: { main: shop.channels.main } });
    await scene.apply();
    await queryDatabase(testDatabase, (database) =>
      database.updateTable('channels').set({ status: 3, status_reason: 'failed' }).execute(),
    );
    expect((await scene.plan()).differs).toBe(false);
    await queryDatabase(testDatabase, (database) => database.updateTable('channels').set({ key_count: 2 }).execute());
    expect((await scene.plan()).lines).toContain('    key: changed');
    await scene.apply();
    expect((await scene.plan()).differs).toBe(false);
  });
});

describe('random configuration files', () => {
  test.each(sample([1, 2, 3, 4, 5, 6], 2))(
    'file %i: a plan after an apply is empty, regardless of the previous state',
    async (seed) => {
      const { scene } = await useScene();
      const random = new RandomConfigFile(seed);
      for (let round = 0; round < 2; round += 1) {
        scene.write(random.file(scene.variables));
        const isPruning = random.chance(0.3);
        const planned = await scene.plan({ isPruning });
        const applied = await scene.apply({ isPruning });
        expect(
          applied.filter((line) => !line.startsWith('Changes applied')),
          'what was planned is done',
        ).toEqual(planned.lines);
        expect(await scene.plan({ isPruning })).toEqual({
          lines: ['No changes. The gateway matches the file.'],
          differs: false,
        });
        expect(await scene.apply({ isPruning })).toEqual(['No changes. The gateway matches the file.']);
      }
    },
  );
});

test('[A55.7] an empty file prunes nothing', async () => {
  const { database: testDatabase, scene } = await useScene();
  Object.assign(scene.variables, secrets);
  scene.write(shop);
  await scene.apply();
  for (const nothing of ['', '# nothing\n', 'version: 1\n', 'channels: {}\nusers: {}\n']) {
    scene.write(nothing);
    for (const command of [scene.plan({ isPruning: true }), scene.apply({ isPruning: true })])
      await expect(command).rejects.toThrow(
        /^headgate.yaml:1: the file is empty: --prune would delete all \d+ objects/,
      );
  }
  expect(
    await queryDatabase(testDatabase, (database) => database.selectFrom('channels').select('name').execute()),
  ).toHaveLength(2);
  await scene.apply();
  expect((await scene.plan()).differs, 'without it everything is the console’s again').toBe(false);
});

test('[A55.7] an object that was released and renamed is adopted under its new name, and not pruned under the old one', async () => {
  const { database: testDatabase, scene } = await useScene();
  Object.assign(scene.variables, secrets);
  scene.write({ groups: { vip: 1 }, channels: { main: shop.channels.main } });
  await scene.apply();
  scene.write({ groups: { vip: 1 } });
  await scene.apply();
  await queryDatabase(testDatabase, (database) => database.updateTable('channels').set({ name: 'other' }).execute());
  scene.write({ groups: { vip: 1 }, channels: { other: shop.channels.main } });
  expect((await scene.plan({ isPruning: true })).lines).toEqual([
    '= channel "other": unchanged; managed by the file from now on',
    '0 to create, 0 to change, 1 to take over, 0 to delete, 0 to release to the console.',
  ]);
  await scene.apply({ isPruning: true });
  expect((await scene.plan({ isPruning: true })).differs).toBe(false);
  expect(
    await queryDatabase(testDatabase, (database) => database.selectFrom('channels').select('name').execute()),
  ).toEqual([{ name: 'other' }]);
});

test("a file can change a channel's type and change it back", async () => {
  const { scene } = await useScene();
  Object.assign(scene.variables, secrets);
  const types = [shop.channels.main, shop.channels.aws, { ...shop.channels.main, type: 'Groq' }, shop.channels.aws];
  for (const channel of [...types, shop.channels.main]) {
    scene.write({ channels: { main: { ...channel, enabled: true } } });
    const planned = await scene.plan();
    expect((await scene.apply()).slice(0, -1)).toEqual(planned.lines);
    expect((await scene.plan()).lines).toEqual(['No changes. The gateway matches the file.']);
  }
});

test('an object that cannot be deleted is reported, and nothing is changed', async () => {
  const { scene } = await useScene();
  Object.assign(scene.variables, secrets);
  const { SMTPServer, ...others } = shop.options;
  const mail = { ...others, ServerAddress: 'https://gateway.example.com', EmailVerificationEnabled: true };
  scene.write({ options: { ...mail, SMTPServer } });
  await scene.apply();
  scene.write({ options: mail });
  for (const command of [scene.plan({ isPruning: true }), scene.apply({ isPruning: true })])
    await expect(command).rejects.toThrow(/^headgate.yaml:1: options was rejected: /);
  expect((await scene.plan()).lines[0]).toMatch(/^\? option "SMTPServer"/);
});
