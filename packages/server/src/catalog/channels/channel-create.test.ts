import { channelApi, channelTypes, maxChannelsPerCall } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import {
  createChannel,
  expectConsistentAbilities,
  plainChannel,
  storedChannel,
  storedChannels,
} from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const create = (body: object, headers = {}) => admin.send(channelApi.create, { body, headers });
const get = (id: number) => admin.call(channelApi.get, { params: { id } });

/** Calls the endpoint and returns the channels it added, oldest first. */
async function addedBy(body: object) {
  const before = await storedChannels(app);
  const { body: response } = await create(body);
  await expectConsistentAbilities(app);
  const added = (await storedChannels(app)).slice(before.length);
  const ids = added.map(({ id }) => id);
  expect(response).toEqual({ success: true, message: '', data: { id: ids[0], ids } });
  return added;
}

async function expectRejection(body: object, message: string | RegExp, status = 200) {
  const before = await storedChannels(app);
  const response = await create(body);
  expect(response.status).toBe(status);
  expect(response.body).toEqual({
    success: false,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
  expect(await storedChannels(app)).toEqual(before);
  await expectConsistentAbilities(app);
}

describe('[S7.38] new channel', () => {
  test('stores every field and returns all except the key', async () => {
    const given = {
      name: 'all of it',
      type: 18,
      base_url: 'https://spark.example.com/v1',
      other: 'v2.1',
      model_mapping: '{"gpt-4":"spark"}',
      system_prompt: 'Be brief.\nBe kind.',
      models: 'spark,spark-max',
      group: 'default,vip',
      config: '{"region":"cn"}',
      priority: -3,
      weight: 7,
      tag: 'eu',
    };
    const start = nowInSeconds();
    const row = await createChannel(app, admin, { ...given, key: 'app|secret|key' });
    const { created_time, ...shown } = await get(row.id);
    expect(shown).toEqual({
      ...given,
      id: row.id,
      key: '',
      status: 1,
      status_reason: '',
      test_time: 0,
      response_time: 0,
      balance: 0,
      balance_updated_time: 0,
      used_quota: 0,
      is_failing: false,
      cooldown_seconds: 0,
      paused_models: [],
      test_reason: '',
      test_message: '',
      test_status: 0,
      tested_model: '',
      failure_time: 0,
      failure_reason: '',
      failure_message: '',
      failure_status: 0,
      failure_model: '',
      failure_count: 0,
      purchase: '',
      rules: '',
      key_strategy: 'round_robin',
      key_count: 0,
      enabled_key_count: 0,
    });
    expect(created_time).toBeGreaterThanOrEqual(start);
    await expectConsistentAbilities(app);
  });

  test('[S3.29] [S3.30] [S3.31] [S3.32] uses defaults for missing fields', async () => {
    const row = await createChannel(app, admin);
    expect(await get(row.id)).toMatchObject({
      type: 1,
      group: 'default',
      models: 'gpt-4o',
      status: 1,
      priority: 0,
      weight: 0,
      base_url: '',
      other: '',
      model_mapping: '',
      system_prompt: '',
      config: '',
    });
  });

  test('[S3.30] [S3.31] stores models and groups as normalized comma-separated text', async () => {
    const row = await createChannel(app, admin, { models: ' a , b,,a, ', group: 'vip, default,vip' });
    expect(await get(row.id)).toMatchObject({ models: 'a,b', group: 'vip,default' });
    await expectConsistentAbilities(app);
  });

  test('accepts null for optional fields', async () => {
    const emptyFields = { base_url: null, other: null, model_mapping: null, system_prompt: null };
    const row = await createChannel(app, admin, { ...emptyFields, priority: null, weight: null });
    expect(row).toMatchObject({ base_url: '', other: '', model_mapping: '', priority: 0, weight: 0 });
  });

  test('[S5.48] treats a negative weight as 0', async () => {
    expect(await createChannel(app, admin, { weight: -5 })).toMatchObject({ weight: 0 });
  });

  test('treats an empty group as the default one', async () => {
    expect(await createChannel(app, admin, { group: ' , ' })).toMatchObject({ group: 'default' });
  });

  test('keeps a config key that this version does not know', async () => {
    const row = await createChannel(app, admin, { config: '{"future":"setting"}' });
    expect(await get(row.id)).toMatchObject({ config: '{"future":"setting"}' });
  });

  test('ignores fields that admins cannot set', async () => {
    const [row] = await addedBy({
      ...plainChannel,
      id: 4242,
      status: 3,
      balance: 99,
      used_quota: 99,
      created_time: 1,
      test_time: 1,
      response_time: 1,
      status_reason: 'mine',
      key_sealed: 'mine',
      key_fingerprint: 'mine',
      test_model: 'client only',
    });
    expect(row).toMatchObject({ status: 1, balance: 0, used_quota: 0, test_time: 0, response_time: 0 });
    expect(row?.id).not.toBe(4242);
    expect(row?.created_time).toBeGreaterThan(1);
    expect(row?.status_reason).toBe('');
    expect(row?.key_sealed).not.toBe('mine');
  });

  test("can be created for every known type with the type's own fields", async () => {
    for (const type of channelTypes) {
      const fields = 'fields' in type ? type.fields : [];
      const config = Object.fromEntries(
        fields.flatMap(({ place }) => (place.startsWith('config.') ? [[place.slice(7), 'filled']] : [])),
      );
      const plain = Object.fromEntries(
        fields.flatMap(({ place }) =>
          place.startsWith('config.') ? [] : [[place, place === 'base_url' ? 'https://up.example.com' : 'filled']],
        ),
      );
      const body = { ...plainChannel, type: type.id, ...plain, config: JSON.stringify(config) };
      expect((await create(body)).body, type.name).toMatchObject({ success: true, message: '' });
    }
    await expectConsistentAbilities(app);
  });

  test('keeps the longest texts and Unicode unchanged', async () => {
    const name = '🚪'.repeat(50);
    const models = Array.from({ length: 400 }, (_, index) => `模型-${index}-${'x'.repeat(180)}`).join(',');
    const row = await createChannel(app, admin, { name, models, system_prompt: 'ß\u{1F600}'.repeat(1000) });
    expect(row).toMatchObject({ name, models, system_prompt: 'ß\u{1F600}'.repeat(1000) });
    await expectConsistentAbilities(app);
  });
});

describe('batch creation with one key per line', () => {
  test('handles CRLF, spaces and blank lines, and numbers the names', async () => {
    const rows = await addedBy({
      ...plainChannel,
      name: 'batch',
      key: '\r\n sk-a \r\n\r\n\t\nsk-b\r\nsk-c\n',
      priority: 5,
    });
    expect(rows.map(({ name }) => name).toSorted()).toEqual(['batch 1', 'batch 2', 'batch 3']);
    expect(new Set(rows.map(({ key_fingerprint }) => key_fingerprint)).size).toBe(3);
    for (const [number, key] of ['sk-a', 'sk-b', 'sk-c'].entries()) {
      const found = await admin.call(channelApi.search, { query: { keyword: key } });
      expect(found.map(({ name }) => name)).toEqual([`batch ${number + 1}`]);
      expect(found[0]).toMatchObject({ priority: 5, models: 'gpt-4o', group: 'default' });
    }
  });

  test('keeps the name for a single line', async () => {
    expect((await addedBy({ ...plainChannel, name: 'single', key: '\nsk-one\r\n' })).map(({ name }) => name)).toEqual([
      'single',
    ]);
  });

  test('truncates a long name before the number without splitting a character', async () => {
    const rows = await addedBy({ ...plainChannel, name: `${'x'.repeat(97)}🚪`, key: 'sk-1\nsk-2' });
    expect(rows.map(({ name }) => name).toSorted()).toEqual([`${'x'.repeat(97)} 1`, `${'x'.repeat(97)} 2`]);
  });

  test('creates the maximum number of channels, all or none', async () => {
    const keys = Array.from({ length: maxChannelsPerCall }, (_, index) => `sk-many-${index}`);
    await expectRejection(
      { ...plainChannel, key: [...keys, 'one more'].join('\n') },
      'At most 500 keys can be added at once',
    );
    await expectRejection({ ...plainChannel, key: [...keys.slice(1), 'a\rb'].join('\n') }, /^key must not contain/);
    const rows = await addedBy({ ...plainChannel, name: 'many', key: keys.join('\n') });
    expect(rows).toHaveLength(maxChannelsPerCall);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(maxChannelsPerCall);
    // Later tests compare all channels.
    const ids = rows.map(({ id }) => id);
    await app.database.deleteFrom('abilities').where('channel_id', 'in', ids).execute();
    await app.database.deleteFrom('channels').where('id', 'in', ids).execute();
  });

  test('rejects a request with more groups and models than can be indexed', async () => {
    const models = Array.from({ length: 1001 }, (_, index) => `m${index}`).join(',');
    const group = Array.from({ length: 100 }, (_, index) => `g${index}`).join(',');
    await expectRejection({ ...plainChannel, models, group }, /^Too many models and groups at once.*100000$/);
  });
});

describe('multi-part keys', () => {
  const aws = { ...plainChannel, type: 33, key: '' };
  const vertex = { ...plainChannel, type: 42, key: '' };
  const credentials = JSON.stringify({ type: 'service_account', private_key: '-----BEGIN\nKEY-----\n' }, null, 2);
  const byKey = async (keyword: string) => (await admin.page(channelApi.search, { query: { keyword } })).rows;

  test('[S5.44] combines access key, secret key and region', async () => {
    const config = { region: 'us-west-2', sk: 'secret-part', ak: 'access-part' };
    const [row] = await addedBy({ ...aws, config: JSON.stringify(config) });
    expect((await byKey('access-part|secret-part|us-west-2')).map(({ id }) => id)).toEqual([row?.id]);
    expect(JSON.parse((await get(row?.id ?? 0)).config)).toEqual({ region: 'us-west-2', sk: '', ak: 'access-part' });
  });

  test('[S5.45] combines region, project and credentials, including multiple lines', async () => {
    const config = { region: 'us-east5', vertex_ai_project_id: 'project', vertex_ai_adc: credentials };
    const [row, ...others] = await addedBy({ ...vertex, config: JSON.stringify(config, null, 2) });
    expect(others).toEqual([]);
    expect((await byKey(`us-east5|project|${credentials}`)).map(({ id }) => id)).toEqual([row?.id]);
    expect(JSON.parse((await get(row?.id ?? 0)).config)).toEqual({ ...config, vertex_ai_adc: '' });
  });

  test('uses a given key unchanged and never splits it', async () => {
    const config = JSON.stringify({ region: 'r', ak: 'a', sk: 's' });
    const [given] = await addedBy({ ...aws, key: 'other|given|key', config });
    expect((await byKey('other|given|key')).map(({ id }) => id)).toEqual([given?.id]);
    const rows = await addedBy({ ...vertex, key: credentials });
    expect(rows).toHaveLength(1);
    expect((await byKey(credentials)).map(({ id }) => id)).toEqual([rows[0]?.id]);
  });

  test('reports a missing key part as a missing key', async () => {
    for (const config of ['', '{}', '{"ak":"a","sk":"s"}', '{"ak":"a","sk":"s","region":"  "}']) {
      await expectRejection({ ...aws, config }, 'please fill in the channel name and key');
    }
  });

  test('ignores key parts of other types', async () => {
    const config = JSON.stringify({ region: 'r', ak: 'a', sk: 's' });
    await expectRejection({ ...aws, type: 1, config }, 'please fill in the channel name and key');
  });

  test('[A22.4] allows line breaks only for types whose key contains a document', async () => {
    await expectRejection({ ...aws, key: 'ak|sk\n|region' }, 'key must not contain line breaks or control characters');
    await expectRejection({ ...vertex, key: 'a\u0001b' }, 'key must not contain line breaks or control characters');
  });
});

describe('missing fields are reported by name', () => {
  test.each([
    ['[S5.35] a missing name', { name: '' }, 'please fill in the channel name and key'],
    ['[S5.35] a blank name', { name: '   ' }, 'please fill in the channel name and key'],
    ['[S5.35] a missing key', { key: '' }, 'please fill in the channel name and key'],
    ['[S5.35] a key of only blank lines', { key: '\r\n \n\t' }, 'please fill in the channel name and key'],
    ['[S5.37] a missing model', { models: '' }, 'please select at least one model'],
    ['[S5.37] a model list of only commas', { models: ' , ,' }, 'please select at least one model'],
    ['a missing base URL', { type: 8 }, 'please fill in: Base URL'],
    ['a missing Azure endpoint', { type: 3 }, 'please fill in: Azure OpenAI endpoint'],
  ])('%s is reported by name', (_, given, message) => expectRejection({ ...plainChannel, ...given }, message));

  test.each([34, 37, 21])('accepts a channel of type %i without its optional fields', async (type) => {
    expect(await createChannel(app, admin, { type })).toMatchObject({ type, other: '' });
  });

  test('[S5.38] a proxy needs no models', async () => {
    const row = await createChannel(app, admin, { type: 43, models: '', base_url: 'https://proxied.example.com' });
    expect(row).toMatchObject({ type: 43, models: '' });
    await expectConsistentAbilities(app);
  });

  test('reports missing fields in Chinese', async () => {
    const inChinese = async (given: object) => {
      const { body } = await create({ ...plainChannel, ...given }, { 'accept-language': 'zh-CN' });
      return (body as { message: string }).message;
    };
    expect(await inChinese({ name: '' })).toBe('请填写渠道名称和渠道密钥！');
    expect(await inChinese({ models: '' })).toBe('请至少选择一个模型！');
    expect(await inChinese({ model_mapping: 'x' })).toBe('模型映射必须是合法的 JSON 格式！');
  });
});

describe('[S3.33] model mapping', () => {
  test.each(['', '   ', '{}', '{"a":"b"}', '{\n  "模型": "b",\n  "__proto__": "c"\n}'])(
    '[S5.40] accepts %j',
    async (model_mapping) => {
      const row = await createChannel(app, admin, { model_mapping });
      expect(row.model_mapping).toBe(model_mapping.trim());
    },
  );

  test.each(['x', '{', '{"a":}', '[[['])('[S5.39] rejects %j', (model_mapping) =>
    expectRejection({ ...plainChannel, model_mapping }, 'model mapping must be valid JSON'),
  );

  test.each(['[]', '["a"]', 'null', '1', '"a"', '{"a":1}', '{"a":null}', '{"a":{"b":"c"}}'])(
    'rejects %j, which is not an object of names',
    (model_mapping) =>
      expectRejection(
        { ...plainChannel, model_mapping },
        'model mapping must be an object that maps model names to model names',
      ),
  );
});

describe('[S3.34] channel config', () => {
  test('keeps known and unknown keys and drops blank ones', async () => {
    const given = { region: ' r ', ak: 'a', user_id: 'u', vertex_ai_project_id: 'p', api_version: 'v1', plugin: '' };
    const row = await createChannel(app, admin, { config: JSON.stringify(given) });
    const { plugin: _plugin, ...kept } = given;
    expect(JSON.parse((await get(row.id)).config)).toEqual({ ...kept, region: 'r' });
  });

  test.each(['x', '[]', 'null', '"a"', '{"region":1}', '{"region":null}', '{"a":{"b":"c"}}', '{"region":["r"]}'])(
    'rejects the config %j',
    (config) => expectRejection({ ...plainChannel, config }, 'config must be a JSON object whose values are strings'),
  );

  test('a config cannot pollute a prototype', async () => {
    const row = await createChannel(app, admin, { config: '{"__proto__":"x","constructor":"y"}' });
    expect(JSON.parse((await get(row.id)).config)).toMatchObject({ constructor: 'y' });
    expect(Object.prototype).not.toHaveProperty('x');
  });
});

describe('[S5.42] default of an empty type-specific field', () => {
  test('Azure channels get the default API version', async () => {
    const azure = { type: 3, base_url: 'https://example.openai.azure.com' };
    expect(await createChannel(app, admin, azure)).toMatchObject({ other: '2024-03-01-preview' });
    expect(await createChannel(app, admin, { ...azure, other: '' })).toMatchObject({ other: '2024-03-01-preview' });
    expect(await createChannel(app, admin, { ...azure, other: '2025-01-01' })).toMatchObject({ other: '2025-01-01' });
    expect(await createChannel(app, admin, { other: '' })).toMatchObject({ other: '' });
  });
});

describe('texts used in headers and URLs', () => {
  const message = (field: string) => `${field} must not contain line breaks or control characters`;

  test.each([
    ['key', { key: 'sk-a\rX-Evil: 1' }],
    ['key', { key: 'sk-\u0007' }],
    ['key', { key: 'sk-\u0085x' }],
    ['name', { name: 'evil\r\nname' }],
    ['models', { models: 'good,evil\nmodel' }],
    ['group', { group: 'evil\tgroup' }],
    ['base_url', { base_url: 'https://example.com/\r\nX-Evil: 1' }],
    ['base_url', { base_url: 'https://exa\tmple.com' }],
    ['other', { other: 'v1\r\nX-Evil: 1' }],
    ['config', { config: JSON.stringify({ user_id: 'a\r\nX-Evil: 1' }) }],
    ['config', { config: JSON.stringify({ 'evil\nname': 'a' }) }],
    ['config', { config: JSON.stringify({ unknown: 'a\nb' }) }],
    ['config', { config: JSON.stringify({ vertex_ai_adc: 'a\u001bb' }) }],
  ])('field %s: rejects %j', (field, given) => expectRejection({ ...plainChannel, ...given }, message(field)));

  test('rejects a null character in every field', () =>
    expectRejection({ ...plainChannel, key: 'sk-\0' }, /^Invalid parameter: /, 400));

  test('allows line breaks in a system prompt', async () => {
    expect(await createChannel(app, admin, { system_prompt: 'a\n\tb' })).toMatchObject({ system_prompt: 'a\n\tb' });
  });
});

describe('invalid channel fields are rejected', () => {
  test.each([
    ['a name that is too long', { name: 'x'.repeat(101) }, /^Invalid parameter: name: /, 400],
    ['a name that is not a string', { name: 7 }, /^Invalid parameter: name: /, 400],
    ['a key that is a list', { key: ['sk-a'] }, /^Invalid parameter: key: /, 400],
    ['a key that is too long', { key: 'x'.repeat(200_001) }, /^Invalid parameter: key: /, 400],
    ['type 0', { type: 0 }, /^Invalid parameter: type: /, 400],
    ['a negative type', { type: -1 }, /^Invalid parameter: type: /, 400],
    ['a fractional type', { type: 1.5 }, /^Invalid parameter: type: /, 400],
    ['a huge type', { type: 2 ** 40 }, /^Invalid parameter: type: /, 400],
    ['a type that is a string', { type: '1' }, /^Invalid parameter: type: /, 400],
    ['models that are a list', { models: ['a'] }, /^Invalid parameter: models: /, 400],
    ['a group that is null', { group: null }, /^Invalid parameter: group: /, 400],
    ['a config that is an object', { config: {} }, /^Invalid parameter: config: /, 400],
    ['a fractional priority', { priority: 1.5 }, /^Invalid parameter: priority: /, 400],
    ['a huge priority', { priority: 1e15 }, /^Invalid parameter: priority: /, 400],
    ['a huge weight', { weight: 1e15 }, /^Invalid parameter: weight: /, 400],
    ['a weight that is a string', { weight: '1' }, /^Invalid parameter: weight: /, 400],
    [
      'a model name that is too long',
      { models: 'x'.repeat(201) },
      'models: a name may have at most 200 characters',
      200,
    ],
    ['a group name that is too long', { group: 'x'.repeat(201) }, 'group: a name may have at most 200 characters', 200],
  ])('rejects a channel with %s', (_, given, message, status) =>
    expectRejection({ ...plainChannel, ...given }, message, status),
  );

  test('rejects a body that is not an object', async () => {
    for (const rawBody of ['[]', 'null', '"x"', '{']) {
      const response = await admin.send(channelApi.create, {
        rawBody,
        headers: { 'content-type': 'application/json' },
      });
      expect([200, 400]).toContain(response.status);
      expect(response.body).toMatchObject({ success: false });
    }
  });

  test('rejects a body that sets the prototype', async () => {
    const rawBody = '{"name":"x","key":"k","models":"m","__proto__":{"type":43}}';
    const response = await admin.send(channelApi.create, { rawBody, headers: { 'content-type': 'application/json' } });
    expect(response.body).toMatchObject({ success: false });
  });
});

test('indexes the longest allowed model and group names', async () => {
  const row = await createChannel(app, admin, { models: '模'.repeat(200), group: '组'.repeat(200) });
  expect(await storedChannel(app, row.id)).toMatchObject({ models: '模'.repeat(200), group: '组'.repeat(200) });
  await expectConsistentAbilities(app);
});
