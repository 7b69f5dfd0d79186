import { channelApi, channelKeyApi, channelStatus, optionApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { multiKeyFixture, numberedKey, rejectedKeyResponse } from '../../testing/relay/multi-key-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

let statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });
const root = await app.as('root');
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));
const setOption = (
  key: 'AutomaticDisableChannelEnabled' | 'AutomaticEnableChannelEnabled' | 'RetryTimes',
  value: string,
) => root.call(optionApi.update, { body: { key, value } });
beforeAll(async () => {
  await setOption('AutomaticDisableChannelEnabled', 'true');
  await setOption('RetryTimes', '0');
});

async function scene(count: number, channel: Readonly<Record<string, unknown>> = {}) {
  const made = await multiKeyFixture(app, count, channel);
  closing.push(made);
  return made;
}

const busy = reply({ error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } }, 429);
const { enabled, disabled, disabledByMonitor } = channelStatus;

test('a rejected key in a channel with three keys causes no client error and is disabled with the reason', async () => {
  const { chat, upstream, keys, channel, params, admin } = await scene(3);
  for (let count = 0; count < 6; count += 1) expect((await chat()).status).toBe(200);
  upstream.say(numberedKey(2), rejectedKeyResponse);
  const responses = await Promise.all(Array.from({ length: 60 }, () => chat()));
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  await expect
    .poll(async () => (await keys()).map(({ status }) => status))
    .toEqual([enabled, disabledByMonitor, enabled]);
  const [, dead] = await keys();
  expect(dead).toMatchObject({
    status_reason: 'Incorrect API key provided',
    failure_reason: 'key_rejected',
    failure_status: 401,
    failure_message: 'Incorrect API key provided',
  });
  expect(await channel()).toMatchObject({ status: enabled, is_failing: false, key_count: 3, enabled_key_count: 2 });
  const before = upstream.countOf(numberedKey(2));
  for (let count = 0; count < 10; count += 1) expect((await chat()).status).toBe(200);
  expect(upstream.countOf(numberedKey(2))).toBe(before);
  const logs = await app.database
    .selectFrom('logs')
    .select('content')
    .where('channel', '=', params.id)
    .where('type', '=', 4)
    .execute();
  const expected = `Key …nt-2 (#${dead?.id}) of channel`;
  expect(logs.filter(({ content }) => content.startsWith(expected))).toHaveLength(1);
  expect(JSON.stringify(logs)).not.toContain(numberedKey(2));
  expect((await admin.call(channelApi.get, { params })).key).toBe('');
});

test('disables a channel when its last enabled key fails, and enables it when a test finds a working key', async () => {
  const { chat, upstream, keys, channel, params, admin, idOf } = await scene(3);
  const third = await idOf(2);
  await admin.call(channelKeyApi.update, { params, body: { ids: [third], status: disabled } });
  for (const number of [1, 2]) upstream.say(numberedKey(number), rejectedKeyResponse);
  expect((await chat()).status).toBe(502);
  await expect.poll(async () => (await channel()).status).toBe(disabledByMonitor);
  expect(await channel()).toMatchObject({ status_reason: 'Incorrect API key provided', enabled_key_count: 0 });
  expect((await keys()).map(({ status }) => status)).toEqual([disabledByMonitor, disabledByMonitor, disabled]);
  expect((await chat()).status).toBe(503);
  const test = async (index: number) => admin.call(channelKeyApi.test, { params, body: { key: await idOf(index) } });
  expect(await test(0)).toMatchObject({ reason: 'key_rejected', status: 401, became: '' });
  expect(await channel()).toMatchObject({ status: disabledByMonitor });
  upstream.say(numberedKey(1), completion());
  expect(await test(0)).toMatchObject({ reason: '', became: 'enabled', model: 'gpt-3.5-turbo' });
  expect(await test(2)).toMatchObject({ reason: '', became: '' });
  expect((await keys()).map(({ status }) => status)).toEqual([enabled, disabledByMonitor, disabled]);
  expect(await channel()).toMatchObject({ status: enabled, status_reason: '' });
  expect((await chat()).status).toBe(200);
});

test('429 cools down a key but not its channel, unless all keys are cooling down', async () => {
  const { chat, upstream, keys, channel } = await scene(2);
  upstream.say(numberedKey(1), (response) => {
    response.writeHead(429, { 'retry-after': '60', 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } }));
  });
  for (let count = 0; count < 8; count += 1) expect((await chat()).status).toBe(200);
  expect(upstream.countOf(numberedKey(1))).toBe(1);
  const [tired, fresh] = await keys();
  expect(tired).toMatchObject({ status: enabled, failure_reason: 'rate_limited', failure_count: 1 });
  expect(tired?.cooldown_seconds).toBeGreaterThan(50);
  expect(fresh).toMatchObject({ cooldown_seconds: 0, failure_count: 0, request_count: 8 });
  expect(await channel()).toMatchObject({ cooldown_seconds: 0, is_failing: false });
  upstream.say(numberedKey(2), busy);
  for (let count = 0; count < 3; count += 1) expect((await chat()).status).toBe(429);
  expect((await channel()).cooldown_seconds).toBeGreaterThan(0);
  expect(await channel()).toMatchObject({ is_failing: true, status: enabled });
});

test('rotates keys by weight, without waiting for usage counts', async () => {
  const { chat, upstream, admin, params, idOf, keys } = await scene(3);
  await admin.call(channelKeyApi.update, { params, body: { ids: [await idOf(0)], weight: 2 } });
  await chat();
  upstream.seen.length = 0;
  statements = [];
  for (let count = 0; count < 40; count += 1) await chat();
  expect(statements.filter((sql) => sql.includes('channel_keys'))).toEqual([]);
  const shares = [1, 2, 3].map((number) => upstream.countOf(numberedKey(number)));
  expect(shares.map((share) => Math.abs(share - 10) <= 1)).toEqual([false, true, true]);
  expect(shares[0]).toBeGreaterThanOrEqual(19);
  expect((await keys()).reduce((sum, { request_count }) => sum + request_count, 0)).toBe(41);
});

test('applies the cost percentage of the key that served the request, and rejects percentages below 1', async () => {
  const models = { 'gpt-*': { input: 10_000, output: 10_000 } };
  const { chat, admin, params, idOf } = await scene(2, { purchase: JSON.stringify({ models }) });
  await admin.call(channelKeyApi.update, { params, body: { ids: [await idOf(1)], cost_percent: 60 } });
  for (const cost_percent of [-1, 0, 0.5, 1e6]) {
    const body = { ids: [await idOf(0)], cost_percent };
    expect((await admin.send(channelKeyApi.update, { params, body })).body).toMatchObject({ success: false });
  }
  await chat();
  await chat();
  const rows = await app.database
    .selectFrom('logs')
    .select('cost')
    .where('channel', '=', params.id)
    .where('type', '=', 2)
    .orderBy('cost', 'desc')
    .execute();
  const [full = 0, reduced = 0] = rows.map(({ cost }) => cost);
  expect(full).toBeGreaterThan(1000);
  expect(reduced).toBe(Math.ceil(full * 0.6));
});

test('prefers the key with the fewest in-flight requests, and does not send all requests to a new key', async () => {
  const { chat, upstream, admin, params } = await scene(2, { key_strategy: 'least_used' });
  const held: (() => void)[] = [];
  upstream.say(numberedKey(1), (response, request) => void held.push(() => completion()(response, request)));
  const waiting = [chat(), chat(), chat()];
  await expect.poll(() => upstream.seen.length).toBe(3);
  for (let count = 0; count < 4; count += 1) await chat();
  expect(held.length).toBeLessThanOrEqual(2);
  expect(upstream.countOf(numberedKey(2))).toBeGreaterThanOrEqual(5);
  for (const respond of held) respond();
  await Promise.all(waiting);
  upstream.say(numberedKey(1), completion());
  for (let count = 0; count < 20; count += 1) await chat();
  await admin.call(channelKeyApi.add, { params, body: { keys: numberedKey(3) } });
  upstream.seen.length = 0;
  for (let count = 0; count < 30; count += 1) await chat();
  for (const number of [1, 2, 3]) expect(upstream.countOf(numberedKey(number))).toBeGreaterThanOrEqual(6);
});

test('tries at most five keys of a channel and logs the rejected ones', async () => {
  await setOption('AutomaticDisableChannelEnabled', 'false');
  const { chat, upstream, books, channel } = await scene(8);
  for (let number = 1; number <= 8; number += 1) upstream.say(numberedKey(number), rejectedKeyResponse);
  expect((await chat()).status).toBe(502);
  expect(new Set(upstream.seen).size).toBe(5);
  expect(await channel()).toMatchObject({ is_failing: true, failure_status: 401, status: enabled });
  const { logs, drift } = await books();
  const { attempts } = JSON.parse(logs[0]?.detail ?? '{}') as { attempts: { key: number; status: number }[] };
  expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(attempts.map(({ key }) => key)).size).toBe(5);
  expect(JSON.stringify(logs)).not.toContain('sk-of-account');
  expect(drift).toBe(0);
  await setOption('AutomaticDisableChannelEnabled', 'true');
});

test('does not try another key for errors unrelated to the key', async () => {
  const { chat, upstream, keys, channel } = await scene(3);
  for (const number of [1, 2, 3]) upstream.say(numberedKey(number), reply({ error: { message: 'Broken' } }, 500));
  expect((await chat()).status).toBe(500);
  expect(upstream.seen).toHaveLength(1);
  expect((await keys()).map(({ failure_count }) => failure_count)).toEqual([0, 0, 0]);
  expect(await channel()).toMatchObject({ is_failing: true, failure_status: 500 });
});

test('a test of all channels checks each key separately', async () => {
  const { upstream, keys, channel, params, admin } = await scene(3);
  upstream.say(numberedKey(3), rejectedKeyResponse);
  const run = async () => {
    await admin.call(channelApi.testChosen, { body: { ids: [params.id] } });
    await expect.poll(async () => (await admin.call(channelApi.testProgress)).running).toBe(false);
    return admin.call(channelApi.testResults);
  };
  expect(await run()).toMatchObject([{ id: params.id, reason: '', became: '' }]);
  expect((await keys()).map(({ status }) => status)).toEqual([enabled, enabled, disabledByMonitor]);
  expect((await keys()).every(({ test_time }) => test_time > 0)).toBe(true);
  expect(await channel()).toMatchObject({ status: enabled, is_failing: false });
  for (const number of [1, 2]) upstream.say(numberedKey(number), rejectedKeyResponse);
  expect(await run()).toMatchObject([{ reason: 'key_rejected' }]);
  expect(await channel()).toMatchObject({ status: disabledByMonitor });
  await setOption('AutomaticEnableChannelEnabled', 'true');
  upstream.say(numberedKey(2), completion());
  await run();
  expect((await keys()).map(({ status }) => status)).toEqual([disabledByMonitor, enabled, disabledByMonitor]);
  expect(await channel()).toMatchObject({ status: enabled });
  await setOption('AutomaticEnableChannelEnabled', 'false');
});

test('tries automatically disabled keys again when an admin enables the channel', async () => {
  const { chat, upstream, keys, channel, params, admin, idOf } = await scene(3);
  const third = await idOf(2);
  await admin.call(channelKeyApi.update, { params, body: { ids: [third], status: disabled } });
  for (const number of [1, 2]) upstream.say(numberedKey(number), rejectedKeyResponse);
  await chat();
  await expect.poll(async () => (await channel()).status).toBe(disabledByMonitor);
  for (const number of [1, 2]) upstream.say(numberedKey(number), completion());
  await admin.call(channelApi.update, { body: { id: params.id, status: enabled } });
  expect((await keys()).map(({ status }) => status)).toEqual([enabled, enabled, disabled]);
  expect((await chat()).status).toBe(200);
});

test('a channel with a single key uses it, and is disabled when the key is rejected', async () => {
  const { chat, upstream, keys, channel } = await scene(1);
  expect((await chat()).status).toBe(200);
  expect(upstream.seen).toEqual([numberedKey(1)]);
  expect(await channel()).toMatchObject({ key_count: 0, key: '' });
  expect(await keys()).toMatchObject([{ id: 0, hint: 'nt-1', status: enabled }]);
  upstream.say(numberedKey(1), rejectedKeyResponse);
  expect((await chat()).status).toBe(502);
  await expect.poll(async () => (await channel()).status).toBe(disabledByMonitor);
});

test('selects keys at random and skips rejected ones without a client error', async () => {
  const { chat, upstream, channel } = await scene(3, { key_strategy: 'random' });
  expect(await channel()).toMatchObject({ key_strategy: 'random' });
  upstream.say(numberedKey(2), rejectedKeyResponse);
  for (let count = 0; count < 60; count += 1) expect((await chat()).status).toBe(200);
  for (const number of [1, 3]) expect(upstream.countOf(numberedKey(number))).toBeGreaterThan(0);
});
