import { channelApi, channelTypes, logApi, logType, type OptionKey, optionApi } from '@headgate/contract';
import { reply, StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { createChannel, storedChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const notFound = { success: false, message: 'Not found' };

/** A channel to a stub upstream, with `models` in this order. */
async function channelTo(respond: UpstreamHandler, fields: object = {}) {
  const upstream = await StubUpstream.start(respond);
  const channel = await createChannel(app, admin, { type: 8, base_url: upstream.url, models: 'b,a', ...fields });
  return {
    upstream,
    channel,
    ask: (model?: string) => admin.send(channelApi.test, { params: { id: channel.id }, query: { model } }),
  };
}

const fine = reply({ choices: [{ message: { content: 'I am b' } }], usage: { total_tokens: 3 } });
const rejected = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);

async function runAll(scope: 'all' | 'disabled' = 'all') {
  await admin.call(channelApi.testAll, { query: { scope } });
  await expect.poll(async () => (await admin.call(channelApi.testProgress)).running).toBe(false);
}

const setOption = (key: OptionKey, value: string) => admin.call(optionApi.update, { body: { key, value } });

describe('testing one channel', () => {
  test('[S7.44 S9.29] returns the duration and the tested model, and stores the response time', async () => {
    const { upstream, channel, ask } = await channelTo(fine, { model_mapping: '{"b":"house-b"}' });
    const { body } = await ask();
    expect(body).toMatchObject({ success: true, message: 'I am b', model: 'b', modelName: 'b' });
    expect(upstream.received[0]?.body).toMatchObject({ model: 'house-b' });
    const after = await storedChannel(app, channel.id);
    expect(after.response_time).toBeGreaterThan(0);
    // Seconds in the response, milliseconds in the table.
    expect((body as { time: number }).time).toBeCloseTo(after.response_time / 1000, 3);
    expect(after.test_time).toBeGreaterThan(0);
    await upstream.close();
  });

  test('[S9.28] prefers the requested model, then gpt-3.5-turbo, then the channel’s first model', async () => {
    const { upstream, ask } = await channelTo(fine, { models: 'b,gpt-3.5-turbo' });
    expect((await ask()).body).toMatchObject({ model: 'gpt-3.5-turbo' });
    expect((await ask('a')).body).toMatchObject({ model: 'a' });
    await upstream.close();
  });

  test.each([
    ['rejects the key', rejected, 'Incorrect API key provided'],
    ['returns status 500', reply('<html>', 500), 'status 500'],
    ['sends an error in a 200', reply({ error: { message: 'no quota' } }), 'no quota'],
    ['returns no text', reply({ choices: [] }), 'no text'],
  ])('reports the reason without the key when the upstream %s', async (_, respond, reason) => {
    const { upstream, channel, ask } = await channelTo(respond);
    const { body } = await ask();
    expect(body).toMatchObject({ success: false, message: expect.stringContaining(reason) });
    expect(JSON.stringify(body)).not.toContain('key-of');
    expect(await storedChannel(app, channel.id)).toMatchObject({ response_time: 0, status: 1 });
    await upstream.close();
  });

  test('rejects an unknown id and a type that cannot be tested', async () => {
    expect((await admin.send(channelApi.test, { params: { id: 999_999 } })).body).toEqual(notFound);
    const { id } = await createChannel(app, admin, { type: 14 });
    expect((await admin.send(channelApi.test, { params: { id } })).body).toMatchObject({ success: false });
  });
});

describe('testing all channels', () => {
  test('[S7.43] disables rejected channels when the option is on, re-enables channels that it disabled, and never overrides an admin', async () => {
    const bad = await channelTo(rejected);
    const byHand = await channelTo(fine);
    await admin.call(channelApi.update, { body: { id: byHand.channel.id, status: 2 } });
    await runAll();
    expect(await storedChannel(app, bad.channel.id)).toMatchObject({ status: 1 });
    await setOption('AutomaticDisableChannelEnabled', 'true');
    await setOption('AutomaticEnableChannelEnabled', 'true');
    await runAll();
    expect(await storedChannel(app, bad.channel.id)).toMatchObject({
      status: 3,
      status_reason: expect.stringContaining('Incorrect API key'),
    });
    bad.upstream.handler = fine;
    await runAll('disabled');
    expect(await storedChannel(app, bad.channel.id)).toMatchObject({ status: 1, status_reason: '' });
    expect(await storedChannel(app, byHand.channel.id)).toMatchObject({ status: 2 });
    const logPage = await admin.call(logApi.list, { query: { type: logType.system, channel: bad.channel.id } });
    const name = `plain (#${bad.channel.id})`;
    expect(logPage).toMatchObject([
      { content: `Channel ${name} recovered and was enabled automatically`, reason: '', status: 0 },
      {
        content: `Channel ${name} was disabled automatically: Incorrect API key provided`,
        reason: 'key_rejected',
        status: 401,
      },
    ]);
    await Promise.all([bad.upstream.close(), byHand.upstream.close()]);
  });

  test('only one test run at a time is allowed, and its progress is reported', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = await channelTo(async (response, request) => {
      await promise;
      await fine(response, request);
    });
    await admin.call(channelApi.testAll, { query: { scope: 'all' } });
    expect((await admin.send(channelApi.testAll, { query: { scope: 'all' } })).body).toEqual({
      success: false,
      message: 'A test is already running',
    });
    expect(await admin.call(channelApi.testProgress)).toMatchObject({ running: true });
    resolve();
    await expect.poll(() => admin.call(channelApi.testProgress)).toMatchObject({ running: false });
    const { done, total } = await admin.call(channelApi.testProgress);
    expect(done).toBe(total);
    await slow.upstream.close();
  });

  test('reports the result of each channel and tests selected ones again', async () => {
    const [bad, good] = [await channelTo(rejected), await channelTo(fine)];
    await admin.call(channelApi.testChosen, { body: { ids: [bad.channel.id, good.channel.id, bad.channel.id] } });
    await expect.poll(async () => (await admin.call(channelApi.testProgress)).running).toBe(false);
    const results = await admin.call(channelApi.testResults);
    expect(results).toMatchObject([
      {
        id: bad.channel.id,
        model: 'b',
        reason: 'key_rejected',
        status: 401,
        message: 'Incorrect API key provided',
        became: 'disabled',
      },
      { id: good.channel.id, model: 'b', reason: '', status: 0, message: '', became: '' },
    ]);
    expect(await admin.call(channelApi.testProgress)).toMatchObject({ done: 2, failed: 1, total: 2 });
    await Promise.all([bad.upstream.close(), good.upstream.close()]);
  });

  test('failing channels are listed and counted until an admin disables them', async () => {
    const bad = await channelTo(rejected);
    const { id } = bad.channel;
    await bad.ask();
    const failing = async () =>
      (await admin.call(channelApi.list, { query: { failing: 1, size: 100 } })).map((one) => one.id);
    expect(await failing()).toContain(id);
    expect(await admin.call(channelApi.search, { query: { failing: 1, keyword: 'no such name' } })).toEqual([]);
    const { failing: before = 0 } = await admin.call(channelApi.counts);
    expect(before).toBe((await failing()).length);
    await admin.call(channelApi.update, { body: { id, status: 2 } });
    expect(await failing()).not.toContain(id);
    expect((await admin.call(channelApi.counts))['failing'] ?? 0).toBe(before - 1);
    await bad.upstream.close();
  });

  test('rejects an unknown scope', async () => {
    expect((await admin.send(channelApi.testAll, { query: { scope: 'some' } })).status).toBe(400);
  });
});

describe('channel balance', () => {
  const send = async (type: number) => {
    const { id } = await createChannel(app, admin, {
      type,
      base_url: 'https://example.com',
      other: 'x',
      config: '{"user_id":"x"}',
    });
    return (await admin.send(channelApi.updateBalance, { params: { id } })).body;
  };

  test('returns a permanent error for a type without a balance', async () => {
    const unsupported = { success: false, message: 'The balance of this channel type cannot be read' };
    for (const { id } of channelTypes.filter((type) => !('balance' in type))) {
      expect(await send(id), String(id)).toEqual(unsupported);
    }
  });

  test('returns "not found" for a channel that does not exist', async () => {
    const { body } = await admin.send(channelApi.updateBalance, { params: { id: 999_999 } });
    expect(body).toEqual(notFound);
  });
});

test('rejects cross-site calls', async () => {
  const { id } = await createChannel(app, admin);
  for (const row of [channelApi.testAll, channelApi.test, channelApi.updateBalance]) {
    const { status } = await admin.send(row, { params: { id }, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(status).toBe(403);
  }
});
