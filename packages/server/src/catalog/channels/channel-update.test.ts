import { channelApi, channelStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import {
  createChannel,
  expectConsistentAbilities,
  storedChannel,
  storedChannels,
} from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const update = (body: object) => admin.send(channelApi.update, { body });
const isFoundBy = async (keyword: string, id: number) =>
  (await admin.call(channelApi.search, { query: { keyword } })).some((channel) => channel.id === id);

/** Sets every field of a channel. */
const full = {
  name: 'full',
  type: 18,
  key: 'sk-full',
  models: 'a,b',
  group: 'default,vip',
  base_url: 'https://full.example.com',
  other: 'v2',
  model_mapping: '{"a":"b"}',
  system_prompt: 'prompt',
  config: '{"region":"r","sk":"hidden"}',
  priority: 4,
  weight: 6,
  tag: 'full',
};

async function expectRejection(id: number, given: object, message: string | RegExp, status = 200) {
  const before = await storedChannel(app, id);
  const response = await update({ id, ...given });
  expect(response.status).toBe(status);
  expect(response.body).toEqual({
    success: false,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
  expect(await storedChannel(app, id)).toEqual(before);
  await expectConsistentAbilities(app);
}

describe('[S7.39] [S7.40] channel update', () => {
  test.each([
    ['name', 'renamed', 'renamed'],
    ['name', '  renamed ', 'renamed'],
    ['type', 1, 1],
    ['models', 'b, c,,b', 'b,c'],
    ['group', 'svip', 'svip'],
    ['status', 2, 2],
    ['base_url', 'https://other.example.com/v1//', 'https://other.example.com/v1'],
    ['base_url', '', ''],
    ['base_url', null, ''],
    ['other', 'v3', 'v3'],
    ['other', '', ''],
    ['other', null, ''],
    ['model_mapping', '{"c":"d"}', '{"c":"d"}'],
    ['model_mapping', '', ''],
    ['model_mapping', null, ''],
    ['system_prompt', 'another', 'another'],
    ['system_prompt', '', ''],
    ['system_prompt', null, ''],
    ['priority', -9, -9],
    ['priority', 0, 0],
    ['priority', null, 0],
    ['weight', 1, 1],
    ['weight', 0, 0],
    ['weight', null, 0],
    ['weight', -1, 0],
    ['tag', ' azure-eu ', 'azure-eu'],
    ['tag', '', ''],
    ['tag', null, ''],
  ])('field %s: %j is stored as %j and nothing else changes', async (field, given, stored) => {
    const before = await createChannel(app, admin, full);
    const { body } = await update({ id: before.id, key: full.key, config: full.config, [field]: given });
    const after = await storedChannel(app, before.id);
    expect(after).toEqual({ ...before, [field]: stored });
    const shown = await admin.call(channelApi.get, { params: { id: before.id } });
    expect(body).toEqual({ success: true, message: '', data: shown });
    expect(shown).toMatchObject({ key: '', [field]: stored });
    await expectConsistentAbilities(app);
  });

  test('an empty update changes nothing', async () => {
    const before = await createChannel(app, admin, full);
    const { body } = await update({ id: before.id });
    expect(body).toMatchObject({ success: true, data: { id: before.id, name: 'full', key: '' } });
    expect(await storedChannel(app, before.id)).toEqual(before);
  });

  test('stores all fields together, as the form sends them', async () => {
    const { id } = await createChannel(app, admin, full);
    const given = {
      name: 'new',
      type: 17,
      key: 'sk-new',
      models: 'x',
      group: 'svip',
      base_url: 'http://10.0.0.7:8080/',
      other: 'plugin',
      model_mapping: '',
      system_prompt: '',
      config: '',
      priority: 1,
      weight: 2,
    };
    await update({ id, ...given });
    const { config: _config, key: _key, ...plain } = given;
    expect(await storedChannel(app, id)).toMatchObject({
      ...plain,
      base_url: 'http://10.0.0.7:8080',
      config_sealed: '',
      status: 1,
    });
    expect(await isFoundBy('sk-new', id)).toBe(true);
    expect(await isFoundBy('sk-full', id)).toBe(false);
    await expectConsistentAbilities(app);
  });
});

describe('[S5.36] channel key', () => {
  test.each([{}, { key: '' }, { key: '  \n ' }])('the key stays unchanged for %j', async (given) => {
    const before = await createChannel(app, admin, { ...full, key: 'sk-kept' });
    await update({ id: before.id, name: 'changed', ...given });
    expect(await storedChannel(app, before.id)).toEqual({ ...before, name: 'changed' });
    expect(await isFoundBy('sk-kept', before.id)).toBe(true);
  });

  test('replaces the key, and a search for the old one finds nothing', async () => {
    const { id } = await createChannel(app, admin, { ...full, key: 'sk-old-one' });
    await update({ id, key: ' sk-new-one ' });
    expect(await isFoundBy('sk-new-one', id)).toBe(true);
    expect(await isFoundBy('sk-old-one', id)).toBe(false);
  });

  test('rejects a key with several lines', async () => {
    const { id } = await createChannel(app, admin, full);
    await expectRejection(id, { key: 'sk-a\nsk-b' }, 'key must not contain line breaks or control characters');
    await expectRejection(id, { key: 'sk-a\rsk-b' }, 'key must not contain line breaks or control characters');
  });

  test('rejects a key with several lines for a type that cannot use it', async () => {
    const { id } = await createChannel(app, admin, { type: 42, key: '{\n}' });
    await expectRejection(id, { type: 1 }, 'key must not contain line breaks or control characters');
    expect((await update({ id, type: 1, key: 'sk-plain' })).body).toMatchObject({ success: true });
  });
});

describe('updating the config', () => {
  const aws = { type: 33, key: '', config: JSON.stringify({ ak: 'the-ak', sk: 'the-sk', region: 'us-west-2' }) };

  test('keeps a stored secret that is blank or missing, and clears other fields', async () => {
    for (const config of ['{"ak":"the-ak","sk":"","region":""}', '{"ak":"the-ak"}', '{"ak":"the-ak","sk":"  "}']) {
      const { id } = await createChannel(app, admin, aws);
      const { body } = await update({ id, config });
      expect(body).toMatchObject({ success: true, data: { config: '{"sk":"","ak":"the-ak"}' } });
      // The key is unchanged, because its fields are incomplete.
      expect(await isFoundBy('the-ak|the-sk|us-west-2', id)).toBe(true);
      await update({ id, config: '{"ak":"the-ak","sk":"","region":"eu"}' });
      expect(await isFoundBy('the-ak|the-sk|eu', id)).toBe(true);
    }
  });

  test('an empty config clears everything including secrets', async () => {
    const { id } = await createChannel(app, admin, aws);
    expect((await update({ id, config: ' ' })).body).toMatchObject({ success: true, data: { config: '' } });
    expect(await storedChannel(app, id)).toMatchObject({ config_sealed: '' });
    await update({ id, config: '{"ak":"the-ak","sk":"","region":"eu"}' });
    expect(await isFoundBy('the-ak|the-sk|us-west-2', id)).toBe(true);
  });

  test('builds a new key from new key parts', async () => {
    const { id } = await createChannel(app, admin, aws);
    await update({ id, config: '{"ak":"the-ak","sk":"new-sk","region":"us-west-2"}' });
    expect(await isFoundBy('the-ak|new-sk|us-west-2', id)).toBe(true);
  });

  test('does not replace a typed key with old key parts', async () => {
    const { id } = await createChannel(app, admin, aws);
    await update({ id, key: 'typed|in|key' });
    await update({ id, name: 'renamed', config: '{"ak":"the-ak","sk":"","region":"us-west-2"}' });
    expect(await isFoundBy('typed|in|key', id)).toBe(true);
  });

  test('builds the key when the channel changes to a type with a multi-part key', async () => {
    const { id } = await createChannel(app, admin, { type: 8, base_url: 'https://a.example', config: aws.config });
    await update({ id, type: 33 });
    expect(await isFoundBy('the-ak|the-sk|us-west-2', id)).toBe(true);
  });

  test('rejects anything but an object of strings', async () => {
    const { id } = await createChannel(app, admin, full);
    await expectRejection(id, { config: '[]' }, 'config must be a JSON object whose values are strings');
    await expectRejection(id, { config: '{"region":1}' }, 'config must be a JSON object whose values are strings');
  });
});

describe('invalid and required fields', () => {
  test.each([
    ['name', { name: '' }, 'please fill in the channel name and key'],
    ['name', { name: '  ' }, 'please fill in the channel name and key'],
    ['models', { models: '' }, 'please select at least one model'],
    ['[S5.43] group', { group: ' , ' }, 'please select at least one group'],
    ['model mapping', { model_mapping: '{' }, 'model mapping must be valid JSON'],
    ['base URL', { base_url: 'ftp://example.com' }, /^The base URL must start with/],
    ['required base URL', { type: 8, base_url: '' }, 'please fill in: Base URL'],
    ['other', { other: 'a\nb' }, 'other must not contain line breaks or control characters'],
    ['field among valid ones', { name: 'fine', priority: 1, models: '' }, 'please select at least one model'],
  ])('rejects an invalid %s: %j', async (_, given, message) => {
    const { id } = await createChannel(app, admin, full);
    await expectRejection(id, given, message);
  });

  test('rejects a new type without its required fields', async () => {
    const { id } = await createChannel(app, admin);
    await expectRejection(id, { type: 8 }, 'please fill in: Base URL');
    await expectRejection(id, { type: 3 }, 'please fill in: Azure OpenAI endpoint');
    const proxy = await createChannel(app, admin, { type: 43, models: '', base_url: 'https://example.com' });
    await expectRejection(proxy.id, { type: 1 }, 'please select at least one model');
  });

  test('[S5.38] a proxy may have no models', async () => {
    const { id } = await createChannel(app, admin, { type: 43, base_url: 'https://example.com' });
    expect((await update({ id, models: '' })).body).toMatchObject({ success: true, data: { models: '' } });
    await expectConsistentAbilities(app);
  });

  test('[S5.42] an empty API version is replaced with the default', async () => {
    const { id } = await createChannel(app, admin, { type: 3, base_url: 'https://example.com', other: '2025-01-01' });
    expect((await update({ id, other: '' })).body).toMatchObject({ data: { other: '2024-03-01-preview' } });
    const other = await createChannel(app, admin, { base_url: 'https://example.com' });
    expect((await update({ id: other.id, type: 3 })).body).toMatchObject({ data: { other: '2024-03-01-preview' } });
  });

  test.each([
    ['status 3', { status: 3 }],
    ['status 0', { status: 0 }],
    ['a status that is a string', { status: '1' }],
    ['a null name', { name: null }],
    ['null models', { models: null }],
    ['a null status', { status: null }],
    ['a huge priority', { priority: 1e12 }],
    ['a fractional weight', { weight: 0.5 }],
    ['a name that is a list', { name: ['x'] }],
  ])('rejects an update with %s', async (_, given) => {
    const { id } = await createChannel(app, admin, full);
    await expectRejection(id, given, /^Invalid parameter: /, 400);
  });

  test.each([0, -1, 1.5, '1', null, {}, 2 ** 53, undefined])('rejects the id %j', async (id) => {
    const before = await storedChannels(app);
    const { status, body } = await update({ id, name: 'x' });
    expect(status).toBe(400);
    expect(body).toEqual({ success: false, message: expect.stringMatching(/^Invalid parameter: id: /) });
    expect(await storedChannels(app)).toEqual(before);
  });

  test('an unknown id is not found, and nothing is created', async () => {
    const before = await storedChannels(app);
    const { status, body } = await update({ ...full, id: Number.MAX_SAFE_INTEGER });
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, message: 'Not found' });
    expect(await storedChannels(app)).toEqual(before);
    await expectConsistentAbilities(app);
  });
});

describe('updating the status', () => {
  const reason = 'insufficient_quota';

  test('status 1 enables the channel and clears the disable reason', async () => {
    const { id } = await createChannel(app, admin, full);
    const disabled = { status: channelStatus.disabledByMonitor, status_reason: reason };
    await app.database.updateTable('channels').set(disabled).where('id', '=', id).execute();
    await app.database.updateTable('abilities').set({ enabled: 0 }).where('channel_id', '=', id).execute();
    expect((await update({ id, status: 1 })).body).toMatchObject({ data: { status: 1, status_reason: '' } });
    await expectConsistentAbilities(app);
  });

  test('status 2 disables the channel, and other updates leave it disabled', async () => {
    const { id } = await createChannel(app, admin, full);
    await update({ id, status: 2 });
    await update({ id, models: 'x,y', priority: 3 });
    expect(await storedChannel(app, id)).toMatchObject({ status: 2, models: 'x,y', priority: 3 });
    await expectConsistentAbilities(app);
  });

  test('other updates keep an automatic disable', async () => {
    const { id } = await createChannel(app, admin, full);
    const disabled = { status: channelStatus.disabledByMonitor, status_reason: reason };
    await app.database.updateTable('channels').set(disabled).where('id', '=', id).execute();
    expect((await update({ id, weight: 9 })).body).toMatchObject({ data: { status: 3, status_reason: reason } });
    await expectConsistentAbilities(app);
  });
});

test('fields that admins cannot change are ignored', async () => {
  const before = await createChannel(app, admin, full);
  await update({
    id: before.id,
    name: 'renamed',
    balance: 7,
    used_quota: 7,
    created_time: 7,
    test_time: 7,
    response_time: 7,
    status_reason: 'x',
    key_sealed: 'x',
    key_fingerprint: 'x',
    config_sealed: 'x',
    balance_updated_time: 7,
  });
  expect(await storedChannel(app, before.id)).toEqual({ ...before, name: 'renamed' });
});
