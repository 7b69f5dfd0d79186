import { describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, sourceKey, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';

const password = sourcePassword.fastPasswordHash;

/** Output and stored data of an import. */
async function imported(source: SourceDatabase) {
  await using stored = await createMigratedDatabase();
  const lines = await importFrom(source, stored);
  const contents = await databaseContents(stored);
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
  const messages = lines.filter((line) => line.startsWith('  ')).map((line) => line.trim());
  return { lines: messages, counts: lines.filter((line) => /: \d+ read/.test(line)), contents };
}

test('imports valid fields of unusual One API users, and reports each change', async () => {
  using source = new SourceDatabase('one-api');
  source.add(
    'users',
    { id: 1, username: 'root', role: 100, password, status: 1 },
    { id: 2, username: 'deleted_1', status: 3, password, quota: 10 },
    { id: 3, username: 'ROOT', password, quota: null, used_quota: null, group: null, display_name: null },
    { id: 4, username: 'someone@example.com', password, email: 'someone@example.com' },
    { id: 5, username: 'a-name-that-is-far-too-long', password, role: 50, status: 1 },
    { id: 6, username: 'rich', password, quota: 9_007_199_254_740_993n, used_quota: 7 },
    { id: 7, username: 'odd', password, quota: 5, used_quota: -5, status: 9, aff_code: 'same' },
    { id: 8, username: 'guest', password, role: 0, email: 'SOMEONE@example.com', aff_code: 'same' },
    { id: 9, username: '', password: 'plain text', email: 'no address' },
    { id: 10, username: 'hub', password, github_id: 'octocat', lark_id: 'ou_1', inviter_id: 2 },
  );
  const { lines, counts, contents } = await imported(source);
  expect(counts[0]).toBe('users: 10 read, 9 to import, 0 already imported, 1 skipped');
  expect(lines).toEqual([
    'user 2 "deleted_1" skipped: was deleted in the source',
    'user 3 "ROOT" keeps a name that differs from another one only in case',
    'user 4 "someone@example.com" is renamed to "someone" because the username is not valid here',
    'user 5 "a-name-that-is-far-too-long" has role 10 instead of 50',
    'user 6 "rich" has a quota of 1000000000000000 points, the maximum',
    'user 7 "odd" is disabled because role 1 with status 9 has no access in the source',
    'user 7 "odd" has a used quota of 0 points instead of -5',
    'user 8 "guest" is disabled because role 0 with status 1 has no access in the source',
    'user 8 "guest" loses the email address, which another user has',
    'user 8 "guest" loses the invitation code, which another user has',
    'user 9 is renamed to "user_9" because the username is not valid here',
    'user 9 has no usable password hash and cannot log in with a password until one is set',
    'user 9 loses the email address, which is invalid',
    'user 10 "hub" must connect the GitHub account again, because the source stores only its name',
  ]);
  expect(contents['users']).toMatchObject([
    { username: 'root', name_key: 'root', password_hash: password },
    { username: 'ROOT', name_key: null, quota: 0, used_quota: 0, group: 'default', display_name: '' },
    { username: 'someone', email: 'someone@example.com' },
    { username: 'a-name-that-is-far-too-long', role: 10 },
    { username: 'rich', quota: 1e15, used_quota: 7, credited: 1e15 + 7, unlogged_quota: 7 },
    { username: 'odd', status: 2, quota: 5, used_quota: 0, aff_code: 'same' },
    { username: 'guest', role: 1, status: 2, email: null, aff_code: null },
    { username: 'user_9', password_hash: null, email: null },
    { username: 'hub', github_id: null, lark_id: 'ou_1', inviter_id: 0 },
  ]);
});

test('imports valid fields of unusual new-api users, and reports each change', async () => {
  using source = new SourceDatabase('new-api');
  source.add(
    'users',
    { id: 1, username: 'root', role: 100, password },
    { id: 2, username: 'gone', password, deleted_at: '2026-01-01 00:00:00+00:00' },
    { id: 3, username: 'inviter', password, quota: 10, aff_quota: 5, created_at: 1_600_000_000 },
    { id: 4, username: 'two steps', password, github_id: '583231', discord_id: '1', telegram_id: '2' },
  );
  source.add('two_fas', { user_id: 4, is_enabled: 1 }, { user_id: 3, is_enabled: 0 });
  const { lines, contents } = await imported(source);
  expect(lines).toEqual([
    'user 2 "gone" skipped: was deleted in the source',
    'user 3 "inviter" has 5 points of referral shares to transfer to the balance',
    'user 4 "two steps" signs in without a second factor until it is set up again',
    'user 4 "two steps" no longer signs in with Discord',
    'user 4 "two steps" no longer signs in with Telegram',
  ]);
  expect(contents['users']).toMatchObject([
    { username: 'root' },
    { username: 'inviter', quota: 10, credited: 10, created_time: 1_600_000_000 },
    { username: 'two steps', github_id: '583231' },
  ]);
});

describe('unusual tokens', () => {
  test('unusual tokens of One API never get more access than before', async () => {
    using source = new SourceDatabase('one-api');
    source.add('users', { id: 1, username: 'root', role: 100, password }, { id: 2, username: 'x', status: 3 });
    source.add(
      'tokens',
      { id: 1, user_id: 1, key: sourceKey(1), status: 3, expired_time: 1000 },
      { id: 2, user_id: 1, key: sourceKey(2), status: 3, expired_time: -1 },
      { id: 3, user_id: 1, key: sourceKey(3), status: 4, unlimited_quota: 0, remain_quota: -3 },
      { id: 4, user_id: 1, key: sourceKey(4), status: 4, unlimited_quota: 1 },
      { id: 5, user_id: 1, key: sourceKey(5), status: 2, expired_time: 0, name: '' },
      { id: 6, user_id: 1, key: sourceKey(6), status: 77 },
      {
        id: 7,
        user_id: 1,
        key: sourceKey(7),
        subnet: '10.0.0.0/8, 192.0.2.1',
        models: 'gpt-4o, gpt-4',
        expired_time: -5,
      },
      { id: 8, user_id: 1, key: sourceKey(8), subnet: 'home' },
      { id: 9, user_id: 1, key: 'short' },
      { id: 10, user_id: 2, key: sourceKey(10) },
      { id: 11, user_id: 404, key: sourceKey(11) },
      { id: 12, user_id: 1, key: `sk-${sourceKey(1)}` },
      {
        id: 13,
        user_id: 1,
        key: sourceKey(13),
        expired_time: 1_800_000_000_000,
        remain_quota: 4e18,
        unlimited_quota: 0,
      },
      { id: 14, user_id: 1, key: null },
    );
    const { lines, counts, contents } = await imported(source);
    expect(counts[1]).toBe('tokens: 14 read, 9 to import, 0 already imported, 5 skipped');
    expect(lines.filter((line) => line.startsWith('token'))).toEqual([
      'token 2 "key" is disabled because its status 3 is not usable in the source',
      'token 4 "key" is disabled because its status 4 is not usable in the source',
      'token 6 "key" is disabled because its status 77 is not usable in the source',
      'token 8 "key" is disabled because it is restricted to "home", which is not an IP address or network',
      'token 9 "key" skipped: has a key that is not 32 to 64 letters and digits: create a new token',
      'token 10 "key" skipped: belongs to a user who is skipped',
      'token 11 "key" skipped: belongs to a user who is skipped',
      'token 12 "key" skipped: has a key that is already in use',
      'token 13 "key" has a quota of 1000000000000000 points, the maximum',
      'token 14 "key" skipped: has a key that is not 32 to 64 letters and digits: create a new token',
    ]);
    expect(contents['tokens']).toMatchObject([
      { status: 1, expired_time: 1000 },
      { status: 2, expired_time: -1 },
      { status: 1, remain_quota: -3 },
      { status: 2 },
      { status: 2, expired_time: 0, name: 'token 5' },
      { status: 2 },
      { status: 1, subnet: '10.0.0.0/8,192.0.2.1', models: 'gpt-4o,gpt-4', expired_time: 0 },
      { status: 2, subnet: '' },
      { status: 1, expired_time: 100_000_000_000, remain_quota: 1e15 },
    ]);
  });

  test('unusual tokens of new-api keep their models and subnets, or are disabled', async () => {
    using source = new SourceDatabase('new-api');
    source.add('users', { id: 1, username: 'root', role: 100, password });
    source.add(
      'tokens',
      {
        id: 1,
        user_id: 1,
        key: sourceKey(1),
        model_limits_enabled: 1,
        model_limits: 'a,b',
        allow_ips: '10.0.0.1\n10.1.0.0/16',
      },
      { id: 2, user_id: 1, key: sourceKey(2), model_limits_enabled: 0, model_limits: 'a,b' },
      { id: 3, user_id: 1, key: sourceKey(3), model_limits_enabled: 1, model_limits: '' },
      { id: 5, user_id: 1, key: sourceKey(5), deleted_at: '2026-01-01', group: 'vip' },
    );
    const { lines, contents } = await imported(source);
    expect(lines.filter((line) => line.startsWith('token'))).toEqual([
      'token 3 "key" is disabled because it allows no model',
      'token 5 "key" skipped: was deleted in the source',
    ]);
    expect(contents['tokens']).toMatchObject([
      { models: 'a,b', subnet: '10.0.0.1,10.1.0.0/16', status: 1 },
      { models: '', status: 1, groups: '' },
      { models: '', status: 2 },
    ]);
  });

  test('unusual tokens of new-api use only the groups in their list that their users may choose', async () => {
    using source = new SourceDatabase('new-api');
    source.add('options', { key: 'UserUsableGroups', value: '{"default":"","fast":"","a,b":"","__proto__":""}' });
    source.add(
      'users',
      { id: 1, username: 'root', role: 100, password },
      { id: 2, username: 'alice', password, group: 'vip' },
      { id: 3, username: 'bob', password, group: 'vip' },
    );
    source.add(
      'tokens',
      { id: 1, user_id: 2, key: sourceKey(1), group: 'fast' },
      { id: 2, user_id: 2, key: sourceKey(2), group: null },
      { id: 3, user_id: 2, key: sourceKey(3), group: 'vip' },
      { id: 4, user_id: 3, key: sourceKey(4), group: 'auto' },
      { id: 5, user_id: 3, key: sourceKey(5), group: 'secret' },
      { id: 6, user_id: 3, key: sourceKey(6), group: 'a,b' },
    );
    const { lines, contents } = await imported(source);
    expect(lines).toEqual([
      'user 2 "alice" is added to the groups "fast", which tokens of this user use',
      'token 4 "key" uses the groups of its user instead of "auto"',
      'token 5 "key" is disabled because its user may not use the group "secret"',
      'token 6 "key" is disabled because its user may not use the group "a,b"',
      'option UserUsableGroups skipped: is not an option here',
    ]);
    expect(contents['users']).toMatchObject([{ group: 'default' }, { group: 'vip,fast' }, { group: 'vip' }]);
    expect(contents['tokens']).toMatchObject([
      { groups: 'fast', status: 1 },
      { groups: 'vip', status: 1 },
      { groups: 'vip', status: 1 },
      { groups: '', status: 1 },
      { groups: '', status: 2 },
      { groups: '', status: 2 },
    ]);
  });
});

describe('unusual channels', () => {
  test('imports valid fields of unusual One API channels', async () => {
    using source = new SourceDatabase('one-api');
    source.add(
      'channels',
      { id: 1, type: 46, key: 'k' },
      { id: 2, type: 99, key: 'k' },
      { id: 3, key: '' },
      { id: 4, key: 'k', model_mapping: '{"a":' },
      { id: 5, key: 'k', config: 'not JSON', name: null, group: null, weight: null, priority: null, status: 0 },
      { id: 6, key: 'k', base_url: 'ftp://example.com' },
      { id: 7, key: 'k', models: '' },
      { id: 8, type: 3, key: 'k', base_url: 'https://a.example', config: '{"api_version":"2024-10-21"}' },
      { id: 9, type: 33, key: 'AK|SK|us-east-1', config: '{"region":"us-east-1","ak":"AK","sk":"SK"}', status: 3 },
      { id: 10, type: 48, key: 'k', name: 'two\nlines', model_mapping: '{"a":"b"}', priority: 1e15, used_quota: -1 },
      { id: 11, key: 'k', models: 'gpt-4o', group: 'nobody,default', base_url: 'http://169.254.169.254/' },
    );
    const { lines, counts, contents } = await imported(source);
    expect(counts[2]).toBe('channels: 11 read, 5 to import, 0 already imported, 6 skipped');
    expect(lines).toEqual([
      'channel 1 "channel" skipped: has type Replicate, which is not supported here',
      'channel 2 "channel" skipped: has type 99, which is not supported here',
      'channel 3 "channel" skipped: cannot be saved here: please fill in the channel name and key',
      'channel 4 "channel" is disabled and loses its model mapping, which is not a JSON object of model names',
      'channel 5 loses its config, which is not valid JSON',
      'channel 6 "channel" skipped: cannot be saved here: The base URL must start with http:// or https:// and contain no user, query or fragment',
      'channel 7 "channel" skipped: cannot be saved here: please select at least one model',
      'channel 11 "channel" skipped: cannot be saved here: The base URL must not point to a link-local or metadata address',
    ]);
    expect(contents['channels']).toMatchObject([
      { status: 2, model_mapping: '' },
      { name: 'channel 5', group: 'default', weight: 0, priority: 0, status: 2 },
      { type: 3, other: '2024-10-21', base_url: 'https://a.example' },
      { type: 33, status: 3 },
      {
        type: 8,
        base_url: 'https://spark-api-open.xf-yun.com',
        name: 'two lines',
        model_mapping: '{"a":"b"}',
        priority: 1_000_000,
      },
    ]);
  });

  test('imports valid fields of unusual new-api channels, including one with several keys', async () => {
    using source = new SourceDatabase('new-api');
    const keys = {
      is_multi_key: true,
      multi_key_size: 3,
      multi_key_status_list: { 1: 3, 2: 2 },
      multi_key_mode: 'random',
    };
    const document = JSON.stringify({ type: 'service_account', project_id: 'p-1', private_key: 'x' });
    source.add(
      'channels',
      {
        id: 1,
        key: 'sk-1\nsk-2\nsk-3\n',
        name: 'many',
        channel_info: JSON.stringify(keys),
        used_quota: 7,
        priority: 3,
      },
      { id: 2, type: 43, key: 'sk-4', name: 'deep', tag: 'cheap', channel_info: '{"is_multi_key":false}' },
      { id: 3, type: 2, key: 'k', name: 'mj' },
      { id: 4, type: 8, key: 'k', base_url: 'https://a.example/v1/chat/completions', name: 'whole' },
      { id: 5, type: 8, key: 'k', base_url: 'https://a.example/other/{model}', name: 'odd' },
      { id: 6, type: 41, key: document, other: '{"default":"us-east5","claude":"global"}', name: 'vertex' },
      { id: 7, type: 4, key: 'none', base_url: 'http://127.0.0.1:11434', name: 'ollama', status: 2 },
      {
        id: 8,
        key: 'k',
        name: 'more',
        param_override: '{"a":1,"stream":false}',
        header_override: '{}',
        setting: '{"proxy":"socks5://u:secret@x:1","system_prompt":"Be kind"}',
      },
      {
        id: 9,
        type: 33,
        key: 'AK1|SK1|us-east-1\nAK2|SK2|us-east-1',
        name: 'aws',
        channel_info: '{"is_multi_key":true,"multi_key_status_list":{"0":2}}',
      },
      {
        id: 10,
        key: JSON.stringify([...Array.from({ length: 501 }, (_, index) => `sk-${index}`), 'sk-0', 'two\nlines', '']),
        name: 'all off',
        channel_info: JSON.stringify({
          is_multi_key: true,
          multi_key_status_list: Object.fromEntries(Array.from({ length: 504 }, (_, index) => [index, 3])),
          multi_key_mode: 'polling',
        }),
      },
      { id: 11, type: 39, key: 'cf-token', other: 'account-1', name: 'cloudflare' },
      { id: 12, type: 46, key: 'bce-v3/ALTAK-1/x', name: 'baidu' },
      { id: 13, type: 46, key: 'bce-v3/ALTAK-2/y|app-1', name: 'baidu with app' },
      { id: 14, type: 39, key: 'cf-token', name: 'without account' },
    );
    const { lines, counts, contents } = await imported(source);
    expect(counts[2]).toBe('channels: 14 read, 11 to import as 12, 0 already imported, 3 skipped');
    expect(lines).toEqual([
      'channel 3 "mj" skipped: has type Midjourney, which is not supported here',
      'channel 4 "whole" uses its base URL for all endpoints, not only /v1/chat/completions',
      'channel 5 "odd" skipped: uses a full URL at "a.example", but a channel here needs a base URL: add it manually',
      'channel 8 "more" loses the parameter override of "stream": Rules cannot change this field',
      'channel 9 "aws" becomes 2 channels, one per key',
      'channel 10 "all off" loses 1 of its 502 keys, which are invalid here',
      'channel 10 "all off" keeps the first 500 of its 501 keys, the maximum per channel',
      'channel 13 "baidu with app" loses its application ID, which is not supported here',
      'channel 14 "without account" skipped: has no Cloudflare account ID',
    ]);
    expect(contents['channels']).toMatchObject([
      { name: 'many', status: 1, tag: '', used_quota: 7, priority: 3, key_count: 3, key_strategy: 'random' },
      { type: 36, tag: 'cheap' },
      { type: 8, base_url: 'https://a.example' },
      { type: 42, other: '' },
      { type: 30, base_url: 'http://127.0.0.1:11434', status: 2 },
      {
        name: 'more',
        system_prompt: 'Be kind',
        key_count: 0,
        rules: expect.stringMatching(/^v1:/),
        config_sealed: expect.stringMatching(/^v1:/),
      },
      { name: 'aws 1', type: 33, status: 2, tag: 'aws', key_count: 0 },
      { name: 'aws 2', type: 33, status: 1, tag: 'aws', key_count: 0 },
      { name: 'all off', status: 3, key_count: 500, enabled_key_count: 0, key_strategy: 'round_robin' },
      { name: 'cloudflare', type: 37, other: '', base_url: '' },
      { name: 'baidu', type: 15, base_url: '' },
      { name: 'baidu with app', type: 15 },
    ]);
    const [one, two, three] = contents['channel_keys'] ?? [];
    expect([one, two, three]).toMatchObject([{ status: 1 }, { status: 3 }, { status: 2 }]);
  });

  test('disabled new-api channels with several keys stay disabled, and their keys keep their status', async () => {
    using source = new SourceDatabase('new-api');
    source.add('channels', {
      id: 1,
      status: 2,
      key: 'sk-1\nsk-2',
      channel_info: '{"is_multi_key":true,"multi_key_status_list":{"0":3}}',
    });
    const { contents } = await imported(source);
    expect(contents['channels']).toMatchObject([{ status: 2, key_count: 2, enabled_key_count: 1 }]);
    expect(contents['channel_keys']).toMatchObject([{ status: 3 }, { status: 1 }]);
  });
});

const amountsIn = (contents: Awaited<ReturnType<typeof imported>>['contents']) =>
  ((contents['prices'] ?? []) as { part: string; amount: string }[])
    .map(({ part, amount }) => `${part} ${amount}`)
    .toSorted();

describe('per-call prices', () => {
  test('imports per-call prices as image or per-request prices, and reports pattern prices as unsupported', async () => {
    using source = new SourceDatabase('new-api');
    source.add(
      'options',
      { key: 'ModelPrice', value: '{"dall-e-3":0.04,"suno_music":0.1,"gpt-4-gizmo-*":0.2,"odd":"x","less":-1}' },
      { key: 'ModelRatio', value: '{"my-model":3,"dall-e-3":99}' },
      { key: 'QuotaPerUnit', value: '250000' },
    );
    const { lines, counts, contents } = await imported(source);
    expect(counts[4]).toBe('options: 3 read, 3 to import, 0 already imported, 0 skipped');
    expect(lines).toEqual([
      'option ModelPrice partly skipped: "gpt-4-gizmo-*" costs $0.2 per call in the source; prices of patterns are not supported',
    ]);
    expect(contents['options']).toMatchObject([{ key: 'QuotaPerUnit' }]);
    expect(contents['prices']).toHaveLength(4);
    for (const price of [
      { model: 'my-model', part: 'input', unit: 'tokens', amount: '12', currency: 'USD', source: 'import' },
      { model: 'dall-e-3', part: 'input', unit: 'picture', amount: '0.04', currency: 'USD', updated_by: 'new-api' },
      { model: 'suno_music', part: 'input', amount: '0' },
      { model: 'suno_music', part: 'call', amount: '0.1', currency: 'USD', source: 'import' },
    ])
      expect(contents['prices']).toContainEqual(expect.objectContaining(price));
    expect(contents['price_changes']).toHaveLength(4);
  });

  test('per-call prices make the tokens of a model free, even if the source has no token prices', async () => {
    using source = new SourceDatabase('new-api');
    source.add('options', { key: 'ModelPrice', value: '{"suno_music":0.1}' });
    const { lines, contents } = await imported(source);
    expect(lines).toEqual([]);
    expect(amountsIn(contents)).toEqual(['call 0.1', 'input 0']);
  });

  test('audio ratios of new-api become prices of audio input and output', async () => {
    using source = new SourceDatabase('new-api');
    source.add(
      'options',
      { key: 'ModelRatio', value: '{"speaker":1}' },
      { key: 'CompletionRatio', value: '{"speaker":4}' },
      { key: 'AudioRatio', value: '{"speaker":16}' },
      { key: 'AudioCompletionRatio', value: '{"speaker":2}' },
      { key: 'ImageRatio', value: '{"speaker":2}' },
    );
    const { lines, contents } = await imported(source);
    expect(lines).toEqual([]);
    // Audio output costs 2 × 16 times the input price.
    expect(amountsIn(contents)).toEqual(['audio 32', 'audio_output 64', 'image 4', 'input 2', 'output 8']);
  });
});

test('imports valid redemption codes and options, and reports why the others are skipped', async () => {
  using source = new SourceDatabase('new-api');
  source.add(
    'redemptions',
    { id: 1, key: 'a'.repeat(32), quota: -5 },
    { id: 2, key: 'b'.repeat(32), status: 8, name: null },
    { id: 3, key: 'c'.repeat(32), expired_time: 1000 },
    { id: 4, key: 'd'.repeat(32), expired_time: 4_000_000_000 },
    { id: 5, key: 'e'.repeat(32), deleted_at: '2026-01-01' },
    { id: 6, key: 'b'.repeat(32) },
    { id: 7, key: null },
  );
  source.add(
    'options',
    { key: 'ModelRatio', value: '{"a":' },
    { key: 'CacheRatio', value: '{"gpt-4o":0.5}' },
    { key: 'Theme', value: 'berry' },
    { key: 'GitHubOAuthEnabled', value: 'true' },
    { key: 'RegisterEnabled', value: 'true' },
    { key: 'oidc.client_id', value: 'us' },
    { key: 'SomeSecretOfTheirs', value: 'never told' },
    { key: 'Notice', value: null },
  );
  const { lines, counts, contents } = await imported(source);
  expect(counts.slice(3)).toEqual([
    'redemption codes: 7 read, 3 to import, 0 already imported, 4 skipped',
    'options: 8 read, 2 to import, 2 already imported, 4 skipped',
  ]);
  expect(lines).toEqual([
    'code 1 "code" skipped: has a quota of -5 points, which is out of range',
    'code 2 is disabled because its status 8 is not usable in the source',
    'code 5 "code" skipped: was deleted in the source',
    'code 6 "code" skipped: has a key that is already in use',
    'code 7 "code" skipped: has no code',
    'option ModelRatio skipped: is not valid here: Model ratio is not a valid JSON string',
    'option Theme skipped: is not valid here: Theme must be one of default, light, dark',
    'option GitHubOAuthEnabled skipped: needs GitHubClientId and GitHubClientSecret, which is not set',
    'option SomeSecretOfTheirs skipped: is not an option here',
  ]);
  expect(contents['redemptions']).toMatchObject([
    { status: 2, name: 'code 2' },
    { status: 1, expired_time: 1000 },
    { status: 1, expired_time: 4_000_000_000 },
  ]);
  expect(contents['options']).toEqual([{ key: 'OidcClientId', value: 'us' }]);
  expect(contents['prices']).toMatchObject([{ model: 'gpt-4o', part: 'cached', amount: '0.5', currency: 'ratio' }]);
});
