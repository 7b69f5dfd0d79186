import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  alertApi,
  budgetApi,
  channelApi,
  channelKeyApi,
  type Input,
  limitRuleApi,
  logExportApi,
  optionApi,
  priceApi,
  routingApi,
  tokenApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { runDumpConfig } from '../../commands/dump-config-command.ts';
import { readConfig } from '../../config.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { queryDatabase } from '../../testing/commands/import-fixture.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { RandomConfigFile } from '../../testing/settings/random-config-file.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function useScene() {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  const dump = async (to = scene.path, hasUsers = true) => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    await runDumpConfig({ to, hasUsers, print }, { ...readConfig({}), ...database.location });
    return { lines, text: readFileSync(to, 'utf8') };
  };
  return { database, scene, dump };
}

const isTakeOver = (line: string) => line.startsWith('= ') || line.startsWith('0 to create, 0 to change, ');

async function createAlerts(root: ApiClient, channel: number): Promise<void> {
  const hook = {
    kind: 'slack',
    settings: { address: 'https://hooks.slack.example/services/T/B/hook-secret' },
  } as const;
  const { id: onCall } = await root.call(alertApi.addReceiver, { body: { ...hook, name: 'On-call', language: 'en' } });
  const mail = { kind: 'email', settings: { to: 'ops@example.com' } } as const;
  const { id: mailbox } = await root.call(alertApi.addReceiver, {
    body: { ...mail, name: 'Mailbox', language: 'both' },
  });
  const rule = (body: Input<typeof alertApi.addRule>['body']) => root.call(alertApi.addRule, { body });
  const quiet = { quiet_from: '22:00', quiet_to: '06:00', time_zone: 'Asia/Shanghai' };
  await rule({
    kind: 'failure_rate',
    name: 'failing',
    threshold: 20,
    channels: [channel],
    receivers: [onCall, mailbox],
  });
  await rule({ kind: 'new_admin', name: 'admins', receivers: [mailbox], enabled: false, repeat_minutes: 5, ...quiet });
  await rule({ kind: 'new_admin', receivers: [mailbox] });
}

describe('dump of a gateway configured in the console', () => {
  /** Keys of tokens that a dump leaves out. */
  const hidden: string[] = [];
  async function useShop() {
    const scene = await useScene();
    await using app = await startTestApp({ on: scene.database });
    const root = await app.signedIn('root', '123456');
    const option = (key: string, value: string) => root.call(optionApi.update, { body: { key, value } });
    await option('SystemName', 'Our "gateway": #1');
    await option('SMTPServer', 'smtp.example.com');
    await option('SMTPToken', 'smtp-secret');
    await option('EmailDomainWhitelist', 'example.com,example.org');
    await option('GroupRatio', '{"default":1,"vip":0.7,"yes":2}');
    await root.call(priceApi.save, {
      body: {
        changes: [
          { model: 'gpt-4o', price: { input: 3.3, output: 11 } },
          { model: 'our/own:model', price: { input: 1, output: 4, cached: 0.1, reasoning: 7 } },
        ],
      },
    });
    const channel = (body: object) => root.call(channelApi.create, { body: { models: 'm', ...body } });
    await channel({
      name: 'main',
      type: 1,
      key: 'sk-main-secret',
      models: 'gpt-4o, m',
      group: 'vip,default',
      model_mapping: '{\n  "m" : "n"\n}',
      purchase: '{"multiplier":0.5}',
      rules: `[{"name":"a","then":[{"do":"set","path":"top_p","value":{"x":[1,null]}},
        {"do":"set_header","header":"x-gateway-token","value":"rule-secret"}]}]`,
      base_url: 'https://up.example.com',
      priority: -3,
      tag: 'a "tag"',
    });
    await channel({
      name: 'aws',
      type: 33,
      config: JSON.stringify({ region: 'us-west-2', ak: 'ak-shown', sk: 'sk-hidden' }),
    });
    await channel({ name: '漢字', key: 'sk-third-secret' });
    await channel({ name: 'twin', key: 'sk-a' });
    await channel({ name: 'twin', key: 'sk-b' });
    await channel({ name: 'several', key: 'sk-several-1' });
    const rows = await root.call(channelApi.list, { query: {} });
    const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? 0;
    await root.call(channelKeyApi.add, {
      params: { id: idOf('several') },
      body: { keys: 'sk-several-2', replace: false },
    });
    const [first, second] = await root.call(channelKeyApi.list, { params: { id: idOf('several') } });
    const ofSeveral = { params: { id: idOf('several') } };
    await root.call(channelKeyApi.update, { ...ofSeveral, body: { ids: [first?.id ?? 0], weight: 4 } });
    await root.call(channelKeyApi.update, { ...ofSeveral, body: { ids: [second?.id ?? 0], cost_percent: 70 } });
    await root.call(channelApi.update, { body: { id: idOf('漢字'), status: 2 } });
    const { id: user_id } = await app.createUser({ username: 'carol', password: 'password-1' });
    const carol = await app.signedIn('carol', 'password-1');
    const token = (body: Input<typeof tokenApi.create>['body']) =>
      carol.call(tokenApi.create, { body: { unlimited_quota: true, ...body } });
    const ci = await token({ name: 'ci', models: 'gpt-4o,m', subnet: '10.0.0.0/8', expired_time: 4_070_908_800 });
    const spent = await token({ name: 'spent', unlimited_quota: false, remain_quota: 77, note: 'a "note"' });
    await carol.call(tokenApi.update, { query: {}, body: { id: spent.id, name: 'spent', status: 2 } });
    const evening = await token({ name: 'evening', expired_time: 4_070_908_801 });
    const { key: rootKey } = await root.call(tokenApi.create, {
      body: { name: 'twin token', unlimited_quota: true },
    });
    const { key: carolKey } = await token({ name: 'twin token' });
    Object.assign(secrets, { CI_TOKEN: ci.key, SPENT_TOKEN: spent.key });
    hidden.push(rootKey, carolKey, evening.key);
    const limit = { measure: 'requests_per_minute', amount: 60 } as const;
    await root.call(limitRuleApi.create, { body: { ...limit, note: 'slow', user_id, channel_id: idOf('main') } });
    await root.call(limitRuleApi.create, { body: { ...limit, note: 'of a twin', channel_id: idOf('twin') } });
    await root.call(limitRuleApi.create, { body: limit });
    await root.call(budgetApi.create, { body: { kind: 'user', owner_id: user_id, amount: 5, period: 'day' } });
    await root.call(budgetApi.create, {
      body: { kind: 'group', group: 'vip', amount: 7, period: 'month', note: 'vip', time_zone: 'Asia/Shanghai' },
    });
    const ofTag = { tag: 'end_user=*', counts_per: 'tag' } as const;
    await root.call(limitRuleApi.create, { body: { ...limit, ...ofTag, note: 'each customer' } });
    await root.call(budgetApi.create, { body: { kind: 'tag', tag: 'team=search', amount: 8, period: 'week' } });
    const ofToken = { ...limit, token_id: ci.id };
    await root.call(limitRuleApi.create, { body: { ...ofToken, note: 'ci per minute' } });
    await root.call(limitRuleApi.create, { body: { ...limit, token_id: evening.id, note: 'of the evening' } });
    await root.call(budgetApi.create, { body: { kind: 'token', owner_id: ci.id, amount: 9, period: 'all' } });
    await createAlerts(root, idOf('main'));
    await root.call(routingApi.createAlias, { body: { pattern: 'gpt-*', model: 'openai/*' } });
    await root.call(routingApi.createRule, { body: { model: 'm*', strategy: 'cheapest', fallbacks: 'n,o' } });
    const split = { split_model: 'n', split_tag: 'eu', split_percent: 10, split_own_price: true };
    const mirror = { mirror_model: 'm', mirror_channel: 'main', mirror_percent: 5 };
    await root.call(routingApi.createRule, { body: { group: 'vip', hedge_ms: 500, ...split, ...mirror } });
    const s3 = { address: 'https://s3.example', bucket: 'logs', access_key: 'AKIA', secret_key: 's3-secret' };
    await root.call(logExportApi.add, { body: { kind: 's3', name: 'Archive', enabled: false, settings: s3 } });
    await root.call(logExportApi.add, { body: { kind: 'folder', name: 'Disk', settings: { folder: 'logs' } } });
    return scene;
  }

  const secrets: Record<string, string> = {
    SMTP_TOKEN: 'smtp-secret',
    MAIN_KEY: 'sk-main-secret',
    MAIN_X_GATEWAY_TOKEN: 'rule-secret',
    AWS_SK: 'sk-hidden',
    CHANNEL_3_KEY: 'sk-third-secret',
    SEVERAL_KEY_1: 'sk-several-1',
    SEVERAL_KEY_2: 'sk-several-2',
    CI_TOKEN: '',
    SPENT_TOKEN: '',
    ON_CALL_ADDRESS: 'https://hooks.slack.example/services/T/B/hook-secret',
    ARCHIVE_SECRET_KEY: 's3-secret',
  };

  test('[A55.11 A71.5] a dump contains no secret, and a plan of it changes nothing', async () => {
    const { database: testDatabase, scene, dump } = await useShop();
    const { lines, text } = await dump();
    for (const secret of [...Object.values(secrets), ...hidden, 'sk-a', 'sk-b'])
      expect(`${lines.join('\n')}${text}`).not.toContain(secret);
    expect(lines[1]).toBe(`Its secrets come from these environment variables: ${Object.keys(secrets).join(', ')}.`);
    expect(lines.slice(2).toSorted()).toEqual([
      'Not included: alert rule "#3": it has no name: give it one',
      'Not included: channel "twin": the name is ambiguous: give each a unique name in the console',
      expect.stringMatching(
        /^Not included: limit "#\d+": it has no note, which would be its name in the file: add one in the console$/,
      ),
      'Not included: limit "of a twin": the name of its channel is ambiguous: give each channel a unique name in the console',
      'Not included: limit "of the evening": its token is not in the file',
      'Not included: token "evening": it does not expire at the start of a UTC day',
      'Not included: token "twin token": the name is ambiguous: give each a unique name in the console',
    ]);
    Object.assign(scene.variables, secrets);
    const planned = await scene.plan();
    expect(planned.lines.filter((line) => !isTakeOver(line))).toEqual([]);
    const rows = () =>
      queryDatabase(testDatabase, (database) => database.selectFrom('channels').selectAll().orderBy('id').execute());
    const before = await rows();
    await scene.apply();
    expect(await rows()).toEqual(before);
    expect((await scene.plan()).lines).toEqual(['No changes. The gateway matches the file.']);
    const { channels, users, tokens, limits, budgets, destinations, alerts, log_exports } = parse(text);
    expect(tokens).toMatchObject({
      ci: { user: 'carol', key: { env: 'CI_TOKEN' }, models: ['gpt-4o', 'm'], expires: '2099-01-01' },
      spent: { key: { env: 'SPENT_TOKEN' }, initial_quota: 77, note: 'a "note"', enabled: false },
    });
    expect(limits['ci per minute']).toEqual({ token: 'ci', measure: 'requests_per_minute', amount: 60 });
    expect(limits['each customer']).toMatchObject({ tag: 'end_user=*', counts_per: 'tag' });
    expect(destinations).toEqual({
      'On-call': { kind: 'slack', language: 'en', settings: { address: { env: 'ON_CALL_ADDRESS' } } },
      Mailbox: { kind: 'email', settings: { to: 'ops@example.com' } },
    });
    expect(log_exports).toEqual({
      Archive: {
        kind: 's3',
        enabled: false,
        settings: {
          ...{ address: 'https://s3.example', bucket: 'logs', region: 'us-east-1', access_key: 'AKIA' },
          secret_key: { env: 'ARCHIVE_SECRET_KEY' },
        },
      },
      Disk: { kind: 'folder', settings: { folder: 'logs' } },
    });
    expect(channels.several.keys).toMatchObject([{ weight: 4 }, { cost_percent: 70 }]);
    expect(alerts).toMatchObject({
      failing: { kind: 'failure_rate', threshold: 20, channels: ['main'], destinations: ['On-call', 'Mailbox'] },
      admins: { enabled: false, repeat_minutes: 5, quiet_from: '22:00', time_zone: 'Asia/Shanghai' },
    });
    expect(Object.keys(channels)).toEqual(['main', 'aws', '漢字', 'several']);
    expect(users).toEqual({ carol: expect.anything() });
    expect(budgets).toEqual({
      'tag team=search, week': { tag: 'team=search', amount: 8, period: 'week' },
      'token ci, all': { token: 'ci', amount: 9, period: 'all' },
      'user carol, day': { user: 'carol', amount: 5, period: 'day' },
      vip: { group: 'vip', amount: 7, period: 'month', time_zone: 'Asia/Shanghai' },
    });
  });

  test('a dump omits users unless requested, and does not overwrite an existing file', async () => {
    const { scene, dump } = await useShop();
    const { lines, text } = await dump(scene.path, false);
    expect(Object.keys(parse(text))).not.toContain('users');
    expect(Object.keys(parse(text))).not.toContain('tokens');
    expect(lines).toContain('Not included: limit "ci per minute": its token is not in the file');
    writeFileSync(scene.path, 'mine');
    await expect(dump()).rejects.toThrow('it already exists');
    expect(readFileSync(scene.path, 'utf8')).toBe('mine');
    expect(existsSync(join(scene.folder, 'other'))).toBe(false);
  });
});

describe('dump of a gateway configured by a file', () => {
  test.each([11, 12, 13, 14])('the dump of file %i does not differ from the gateway', async (seed) => {
    const { database, scene, dump } = await useScene();
    scene.write(new RandomConfigFile(seed).file(scene.variables));
    await scene.apply();
    const dumped = join(scene.folder, 'dumped.yaml');
    const { text } = await dump(dumped);
    Object.assign(scene.variables, await secretsOf(database, parse(text)));
    const { lines } = await scene.plan({ path: dumped });
    expect(lines.filter((line) => !isTakeOver(line) && !line.startsWith('? '))).toEqual([
      ...(lines[0] === 'No changes. The gateway matches the file.' ? lines : []),
    ]);
  });

  interface Reference {
    readonly env: string;
  }

  interface References {
    readonly tokens?: Readonly<Record<string, { readonly key: Reference }>>;
    readonly options?: Readonly<Record<string, unknown>>;
    readonly channels?: Readonly<Record<string, { readonly key?: Reference; readonly keys?: readonly Reference[] }>>;
  }

  /** Values for the variables of a dumped file. */
  const secretsOf = (
    testDatabase: Parameters<typeof queryDatabase>[0],
    { options = {}, channels = {}, tokens = {} }: References,
  ) =>
    queryDatabase(testDatabase, async (database) => {
      const box = new SecretBox(loadSecretKey(testDatabase.location.dataDir, undefined));
      const rows = await database.selectFrom('channels').selectAll().execute();
      const keys = await database.selectFrom('channel_keys').selectAll().orderBy('id').execute();
      const stored = await database.selectFrom('options').selectAll().execute();
      const ofChannels = rows.flatMap(({ id, name, key_sealed }) => {
        const { key, keys: several = [] } = channels[name] ?? {};
        const channelKeys = keys.filter(({ channel_id }) => channel_id === id);
        const ofSeveral = several.map(({ env }, index) => [env, channelKeys[index]?.key_sealed ?? ''] as const);
        return key ? [[key.env, key_sealed] as const] : ofSeveral;
      });
      const ofOptions = stored.flatMap(({ key, value }) => {
        const { env } = (options[key] ?? {}) as Partial<Reference>;
        return env === undefined ? [] : [[env, value] as const];
      });
      const keysOfTokens = await database.selectFrom('tokens').select(['name', 'key_sealed']).execute();
      const ofTokens = keysOfTokens.flatMap(({ name, key_sealed }) => {
        const { env } = tokens[name]?.key ?? {};
        return env === undefined ? [] : [[env, key_sealed] as const];
      });
      return Object.fromEntries(
        [...ofChannels, ...ofOptions, ...ofTokens].map(([env, sealed]) => [env, box.open(sealed)]),
      );
    });
});
