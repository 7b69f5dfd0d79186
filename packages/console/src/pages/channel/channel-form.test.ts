import { type Channel, channel, channelStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { bodyOf, type ChannelForm, copyChannel, newChannel, openChannel, requiresKeyReentry } from './channel-form.ts';
import { missingOptionalFields, validateChannel } from './channel-validation.ts';

const stored: Channel = channel.parse({
  id: 7,
  type: 1,
  key: '',
  status: channelStatus.enabled,
  status_reason: '',
  name: 'openai-eu',
  weight: 3,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default,vip',
  used_quota: 0,
  model_mapping: '',
  priority: 5,
  config: '',
  system_prompt: '',
});

const filled = (change: Partial<ChannelForm> = {}): ChannelForm => ({
  ...newChannel.form,
  name: 'one',
  key: 'sk-1',
  models: ['gpt-4o'],
  ...change,
});

const bodyFor = (change: Partial<ChannelForm>) => bodyOf(filled(change), newChannel);
const marksIn = (form: ChannelForm, opened = newChannel) => validateChannel(form, opened).map(({ field }) => field);
const firstTold = (form: ChannelForm, opened = newChannel) =>
  validateChannel(form, opened).find(({ message }) => message !== undefined)?.message;

describe('a new channel', () => {
  test('[S3.29 S3.32] a new channel has type 1 and the default group', () => {
    expect(newChannel.form).toMatchObject({ type: 1, groups: ['default'], models: [], key: '' });
  });

  test('[S3.30 S3.31 S3.33 S3.34 S3.36 S7.38] a new channel is sent with comma-separated lists and JSON text, and nothing else', () => {
    const body = bodyFor({ models: ['gpt-4o', ' gpt-4o-mini ', 'gpt-4o'], groups: ['default', 'vip'] });
    expect(body).toEqual({
      name: 'one',
      type: 1,
      key: 'sk-1',
      base_url: '',
      other: '',
      model_mapping: '',
      system_prompt: '',
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default,vip',
      config: '',
    });
  });

  test('[S5.41] a new channel is sent without the trailing slash of its base URL', () => {
    expect(bodyFor({ base_url: ' https://example.com/ ' }).base_url).toBe('https://example.com');
  });

  test('[S5.42] a new channel of type 3 has a default API version', () => {
    expect(bodyFor({ type: 3 }).other).toBe('2024-03-01-preview');
    expect(bodyFor({ type: 3, other: '2025-01-01' }).other).toBe('2025-01-01');
  });

  test('[S2.126] a batch of new channels is sent with one key per line', () => {
    expect(bodyFor({ isBatch: true, key: ' sk-1\r\n\n sk-2 \n' }).key).toBe('sk-1\nsk-2');
  });

  test('a new channel whose type has no models is sent without model settings', () => {
    const proxy = { type: 43, model_mapping: '{', system_prompt: 'x', base_url: 'https://example.com' };
    expect(bodyFor(proxy)).toMatchObject({ models: '', model_mapping: '', system_prompt: '' });
  });
});

describe('a stored channel (base URL)', () => {
  const opened = openChannel({ ...stored, base_url: 'https://a.example' });
  const isMovedBy = (change: Partial<ChannelForm>, from = opened) =>
    requiresKeyReentry({ ...from.form, ...change }, from);

  test('a stored channel requires its key again if the base URL changes, or the new type has a different default', () => {
    expect(isMovedBy({ base_url: 'https://b.example' })).toBe(true);
    expect(isMovedBy({ base_url: '' })).toBe(true);
    expect(isMovedBy({ type: 14 }, openChannel(stored))).toBe(true);
  });

  test('a stored channel keeps its key if the base URL is equivalent, or the new type has the same base URL', () => {
    expect(isMovedBy({ base_url: ' https://a.example/ ', name: 'x' })).toBe(false);
    expect(isMovedBy({ type: 14 })).toBe(false);
    expect(isMovedBy({ base_url: 'https://b.example' }, newChannel)).toBe(false);
  });
});

describe('multi-part keys', () => {
  const config = { ...newChannel.form.config, region: 'us-west-2', ak: 'AK', sk: ' SK ' };

  test('[S5.44 S3.37] the key of type 33 is ak|sk|region', () => {
    const body = bodyFor({ type: 33, key: '', config });
    expect(body.key).toBe('AK|SK|us-west-2');
    expect(JSON.parse(body.config)).toEqual({ region: 'us-west-2', ak: 'AK', sk: 'SK' });
  });

  test('[S5.45 S3.37] the key of type 42 is region|project|credentials', () => {
    const vertex = { region: 'us-east5', vertex_ai_project_id: 'p', vertex_ai_adc: '{\n}' };
    const body = bodyFor({ type: 42, key: '', config: vertex });
    expect(body.key).toBe('us-east5|p|{\n}');
    expect(JSON.parse(body.config)).toEqual({ ...vertex, vertex_ai_adc: '{\n}' });
  });

  test.each([34, 37])('[S3.37] the key of type %i is typed, with the account as user_id', (type) => {
    const body = bodyFor({ type, config: { ...newChannel.form.config, user_id: ' u-1 ' } });
    expect(body.key).toBe('sk-1');
    expect(JSON.parse(body.config)).toEqual({ user_id: 'u-1' });
  });

  test('a multi-part key is not built for another type or while a part is missing', () => {
    expect(bodyFor({ type: 1, config })).toMatchObject({ key: 'sk-1', config: '' });
    expect(bodyFor({ type: 33, key: 'left over', config: { ...config, sk: '' } }).key).toBe('');
    expect(marksIn(filled({ type: 33, config: { ...config, sk: '' } }))).toEqual(['config.sk']);
  });
});

describe('[A25.10] channel timeouts', () => {
  const config = { ...newChannel.form.config, first_byte_seconds: ' 1800 ', idle_seconds: '' };

  test.each([1, 14, 33, 43])('channel timeouts are sent for type %i', (type) => {
    expect(JSON.parse(bodyFor({ type, config }).config)).toEqual({ first_byte_seconds: '1800' });
  });

  test.each(['0', '86401', '1.5', '-1', '1e3', 'soon'])('channel timeouts of %s are rejected', (idle_seconds) => {
    expect(marksIn(filled({ type: 1, config: { ...config, idle_seconds } }))).toEqual(['config.idle_seconds']);
  });
});

describe('validation', () => {
  test('[S5.35] requires name and key of a new channel', () => {
    for (const change of [{ name: ' ' }, { key: '' }, { isBatch: true, key: '\n \n' }]) {
      expect(firstTold(filled(change))).toBe('Please fill in the channel name and key');
    }
    expect(firstTold(filled({ type: 33 }))).toBe('Please fill in the channel name and key');
  });

  test('[S5.37 S5.38] requires a model unless the type has none', () => {
    expect(firstTold(filled({ models: [] }))).toBe('Please select at least one model');
    expect(marksIn(filled({ type: 43, models: [], base_url: 'https://example.com' }))).toEqual([]);
  });

  test('[S5.39 S5.40] rejects a mapping that is not JSON, and accepts an empty one', () => {
    for (const model_mapping of ['{', "{'a': 'b'}", 'gpt-4'])
      expect(firstTold(filled({ model_mapping }))).toBe('Model mapping must be valid JSON');
    expect(marksIn(filled({ model_mapping: ' ' }))).toEqual([]);
    expect(marksIn(filled({ model_mapping: '{"a": "b"}' }))).toEqual([]);
  });

  test('distinguishes a mapping with invalid names from invalid JSON', () => {
    const words = 'Model mapping must be a JSON object of model names';
    for (const model_mapping of ['[]', '"text"', 'null', '{"a": 1}', '{"a": {"b": "c"}}'])
      expect(firstTold(filled({ model_mapping }))).toBe(words);
  });

  test('[S5.43] marks a missing group', () => {
    expect(marksIn(filled({ groups: [] }))).toEqual(['groups']);
  });

  test('requires a base URL for types without a default', () => {
    for (const type of [3, 8, 43, 46]) expect(marksIn(filled({ type }))).toEqual(['base_url']);
  });

  test.each([
    [34, 'User ID', { user_id: '7' }],
    [37, 'Account ID', { user_id: '7' }],
    [21, 'Knowledge base ID', undefined],
  ])('warns about the empty optional field of type %i (%s) but allows saving', (type, label, config) => {
    expect(marksIn(filled({ type }))).toEqual([]);
    expect(missingOptionalFields(filled({ type }))).toEqual([label]);
    expect(missingOptionalFields(filled({ type, ...(config ? { config } : { other: '12' }) }))).toEqual([]);
  });
});

describe('a stored channel', () => {
  test('[S3.30 S3.31 S3.33] a stored channel opens with split lists and a formatted mapping', () => {
    const { id, form } = openChannel({ ...stored, model_mapping: '{"a":"b"}' });
    expect(id).toBe(7);
    expect(form).toMatchObject({ groups: ['default', 'vip'], models: ['gpt-4o', 'gpt-4o-mini'], key: '' });
    expect(form.model_mapping).toBe('{\n  "a": "b"\n}');
  });

  test('[S5.36] a stored channel keeps its key and secrets if they are left blank', () => {
    expect(validateChannel(openChannel(stored).form, openChannel(stored))).toEqual([]);
    const aws = openChannel({ ...stored, type: 33, config: '{"region":"us-west-2","ak":"AK","sk":""}' });
    expect(validateChannel(aws.form, aws)).toEqual([]);
    expect(bodyOf(aws.form, aws).key).toBe('');
    const typedKey = openChannel({ ...stored, type: 33 });
    expect(validateChannel(typedKey.form, typedKey)).toEqual([]);
    expect(marksIn({ ...openChannel(stored).form, type: 33 }, openChannel(stored))).toEqual([
      'config.region',
      'config.ak',
      'config.sk',
    ]);
  });

  test('a stored channel keeps settings without a field as long as the type is unchanged', () => {
    const opened = openChannel({ ...stored, other: 'v1', config: '{"library":"x","sk":""}' });
    expect(bodyOf(opened.form, opened)).toMatchObject({ other: 'v1', config: '{"library":"x"}' });
    expect(bodyOf({ ...opened.form, type: 24 }, opened)).toMatchObject({ other: '', config: '' });
  });

  test('a stored channel is copied without its key and id', () => {
    const copy = copyChannel(stored, 'openai-eu copy');
    expect(copy.id).toBeUndefined();
    expect(bodyOf(copy.form, copy)).toMatchObject({
      name: 'openai-eu copy',
      key: '',
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default,vip',
      priority: 5,
      weight: 3,
    });
    expect(marksIn(copy.form, copy)).toEqual(['key']);
  });
});
