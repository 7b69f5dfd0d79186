import { channelApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const rulesOf = (...then: readonly object[]) => JSON.stringify([{ name: 'first', then }]);
const team = rulesOf(
  { do: 'set', path: 'metadata.team', value: 'search' },
  { do: 'set_header', header: 'X-Team', value: 'search' },
);

async function fixtureWith(rules: string, ...upstreams: Parameters<typeof reply>[0][]) {
  const fixture = await relayFixture(app, {
    upstreams: upstreams.length > 0 ? upstreams.map((body) => reply(body)) : [completion()],
    channel: { rules },
  });
  const [channel] = await admin.call(channelApi.search, { query: { keyword: fixture.group } });
  if (!channel) throw new Error('no channel');
  return { ...fixture, channel };
}

describe('saving rules', () => {
  test('stores valid rules without unknown properties', async () => {
    const when = { models: [], dialects: [], endpoints: [], fields: [] };
    const given = '[{"name":" a ","note":"x","then":[{"do":"remove","path":"user","x":1}]}]';
    const { channel } = await fixtureWith(given);
    const [rule] = JSON.parse(channel.rules);
    expect(rule).toEqual(Object.assign(JSON.parse('{"then":[{"do":"remove","path":"user"}]}'), { name: 'a', when }));
  });

  test.each([
    ['{', 'The rules are invalid at : The rules are not valid JSON'],
    [
      rulesOf({ do: 'set', path: 'model', value: 'x' }),
      'The rules are invalid at 0.then.0.path: Rules cannot change this field',
    ],
    [
      rulesOf({ do: 'set', path: 'n', value: 9 }),
      'The rules are invalid at 0.then.0.path: Rules cannot change this field',
    ],
    [
      rulesOf({ do: 'set_header', header: 'Host', value: 'x' }),
      'The rules are invalid at 0.then.0.header: Rules cannot change this header',
    ],
  ])('rejects %s', async (rules, message) => {
    const { channel } = await fixtureWith(team);
    const { body } = await admin.send(channelApi.update, { body: { id: channel.id, rules } });
    expect(body).toMatchObject({ success: false, message });
    expect(await admin.call(channelApi.get, { params: { id: channel.id } })).toMatchObject({ rules: channel.rules });
  });
});

test('a changed rule applies to the next request, and an omitted field keeps the rules', async () => {
  const { channel, chat, upstreams, books } = await fixtureWith(team);
  expect((await chat()).status).toBe(200);
  await admin.call(channelApi.update, { body: { id: channel.id, rules: rulesOf({ do: 'remove', path: 'user' }) } });
  await admin.call(channelApi.update, { body: { id: channel.id, weight: 3 } });
  expect((await chat({ user: 'ada' })).status).toBe(200);
  const [first, second] = upstreams[0]?.received ?? [];
  expect(first).toMatchObject({ headers: { 'x-team': 'search' }, body: { metadata: { team: 'search' } } });
  expect(second?.body).not.toHaveProperty('user');
  expect(second?.headers).not.toHaveProperty('x-team');
  expect((await books()).drift).toBe(0);
});

test('a rejected request returns the message of the rule and costs nothing', async () => {
  const { chat, upstreams, books } = await fixtureWith(rulesOf({ do: 'reject', message: 'Use gpt-5' }));
  const response = await chat();
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'rejected_by_rule' } });
  expect(upstreams[0]?.received).toEqual([]);
  expect(await books()).toMatchObject({ user: { quota: 1_000_000, used_quota: 0 }, drift: 0 });
});

describe('channel tests, model lists and balances', () => {
  test('a channel test applies the rules', async () => {
    const { channel, upstreams } = await fixtureWith(team);
    const { body } = await admin.send(channelApi.test, { params: { id: channel.id }, query: { model: 'gpt-4o' } });
    expect(body).toMatchObject({ success: true });
    expect(upstreams[0]?.received[0]).toMatchObject({
      headers: { 'x-team': 'search' },
      body: { metadata: { team: 'search' } },
    });
  });

  test('a model list uses the headers of the rules, saved or given in the request', async () => {
    const { channel, upstreams } = await fixtureWith(team, { object: 'list', data: [{ id: 'a' }] });
    expect(await admin.call(channelApi.upstreamModels, { params: { id: channel.id } })).toEqual(['a']);
    const rules = rulesOf({ do: 'set_header', header: 'x-team', value: 'other' });
    const base_url = upstreams[0]?.url ?? '';
    await admin.call(channelApi.upstreamModelsWith, { body: { id: channel.id, type: 8, base_url, rules } });
    expect(upstreams[0]?.received.map(({ headers }) => headers['x-team'])).toEqual(['search', 'other']);
  });
});

describe('a balance', () => {
  test('is requested with the headers of the rules', async () => {
    const balance = { is_available: true, balance_infos: [{ currency: 'CNY', total_balance: '7' }] };
    const { channel, upstreams } = await fixtureWith(team, balance);
    await admin.call(channelApi.update, {
      body: { id: channel.id, type: 36, key: 'sk-balance', base_url: upstreams[0]?.url },
    });
    expect(await admin.send(channelApi.updateBalance, { params: { id: channel.id } })).toMatchObject({ status: 200 });
    expect(upstreams[0]?.received.map(({ headers }) => headers['x-team'])).toEqual(['search']);
  });
});

describe('[A71.5] credentials in headers that rules set', () => {
  const named = (name: string, value: string) => ({
    name,
    // biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
    then: [{ do: 'set_header', header: 'X-Gateway-Token', value }],
  });
  const update = (id: number, body: object) => admin.send(channelApi.update, { body: { id, ...body } });
  const valuesOf = (rules: string): string[] =>
    JSON.parse(rules).flatMap(({ then }: { then: { value: string }[] }) => then.map(({ value }) => value));

  test('are sent upstream, returned blank, and kept if they are sent back blank', async () => {
    const { channel, chat, upstreams } = await fixtureWith(JSON.stringify([named('a', 'one'), named('b', 'two')]));
    expect(valuesOf(channel.rules)).toEqual(['', '']);
    const reordered = JSON.stringify([named('b', ''), named('a', '')]);
    expect((await update(channel.id, { rules: reordered })).body).toMatchObject({ success: true });
    expect((await update(channel.id, { name: 'kept' })).body).toMatchObject({ success: true });
    await chat();
    expect(upstreams[0]?.received[0]?.headers['x-gateway-token']).toBe('one');
  });

  test('are returned if they contain only the key placeholder', async () => {
    const value = 'Bearer {api_key}';
    const { channel } = await fixtureWith(rulesOf({ do: 'set_header', header: 'authorization', value }));
    expect(valuesOf(channel.rules)).toEqual([value]);
  });

  test('must be entered again for a new rule or a new base URL', async () => {
    const { channel } = await fixtureWith(JSON.stringify([named('a', 'one'), named('b', 'two')]));
    const missing = (name: string) => ({
      success: false,
      message: `Enter the secret header values of the rule "${name}" again`,
    });
    expect((await update(channel.id, { rules: JSON.stringify([named('c', '')]) })).body).toMatchObject(missing('c'));
    const moved = { key: 'k', base_url: 'https://elsewhere.example' };
    expect((await update(channel.id, moved)).body).toMatchObject(missing('b'));
    expect((await update(channel.id, { ...moved, rules: channel.rules })).body).toMatchObject(missing('b'));
    const rules = JSON.stringify([named('a', 'three')]);
    expect((await update(channel.id, { ...moved, rules })).body).toMatchObject({ success: true });
  });

  test('must not be blank in other headers', async () => {
    const { channel } = await fixtureWith(team);
    const rules = rulesOf({ do: 'set_header', header: 'x-team', value: '' });
    expect((await update(channel.id, { rules })).body).toMatchObject({
      message: 'The rules are invalid at 0.then.0.value: Enter a value',
    });
  });
});
