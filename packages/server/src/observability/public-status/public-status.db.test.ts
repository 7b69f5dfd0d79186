import { channelStatus, logType, optionApi, publicStatusApi } from '@headgate/contract';
import { completion, done, reply, roleChunk, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hourOf } from '../../records/logs/hours.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const statements: string[] = [];
const app = await useTestApp({
  options: { StatusPageEnabled: 'true', StatusPageGroup: 'shown', ModelsWithoutPrice: 'charge' },
  onStatement: ({ query }) => statements.push(query.sql),
});
const visitor = app.client();
const admin = await app.as('root');
const scenes: Awaited<ReturnType<typeof relayFixture>>[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));
afterEach(() => {
  vi.useRealTimers();
});

/** Moves the clock past the cache lifetime. */
let minutes = 0;
const aMinuteLater = () => {
  minutes += 2;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
};
const read = async () => {
  aMinuteLater();
  const status = await visitor.call(publicStatusApi.read);
  vi.useRealTimers();
  return status;
};
const statusOf = async (model: string) => (await read()).models.find((each) => each.model === model);

test('the status page is off for everyone unless an option enables it', async () => {
  await using plain = await startTestApp();
  for (const access of ['visitor', 'root'] as const) {
    const { status, body } = await (await plain.as(access)).send(publicStatusApi.read, {});
    expect([status, body]).toMatchObject([404, { success: false }]);
  }
});

test('a visitor sees the models of one group, but no channels, groups, users or request counts', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  scenes.push(scene);
  const [upstream] = scene.upstreams;
  await createChannel(admin, 'shown,other', upstream?.url ?? '', {
    name: 'secret channel',
    models: 'shown-a,shown-b',
    key: 'k-1234567890',
  });
  await createChannel(admin, 'other', upstream?.url ?? '', { models: 'hidden-model' });
  await app.database.updateTable('users').set({ group: 'other' }).where('id', '=', scene.user.id).execute();
  const status = await read();
  expect(status.models.map(({ model }) => model)).toEqual(['shown-a', 'shown-b']);
  const text = JSON.stringify(status);
  for (const word of ['secret', 'channel', 'hidden', 'other', scene.user.username, 'requests'])
    expect(text).not.toContain(word);
});

describe('availability', () => {
  test('availability distinguishes "no requests" from "no successful requests"', async () => {
    const { hours = [], days = [], day } = (await statusOf('shown-b')) ?? {};
    expect([hours.length, days.length]).toEqual([24, 90]);
    expect(hours.every((share) => share === null)).toBe(true);
    expect(days.every((share) => share === null)).toBe(true);
    expect(day).toEqual({ availability: null, latency: null, first_byte: null });
  });

  test('availability counts successful requests and outages, but no client errors', async () => {
    // Past days are cached for an hour.
    minutes += 70;
    const now = nowInSeconds() + (minutes + 2) * 60;
    const hour = hourOf(now);
    const noTokens = { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cache_write_tokens: 0 };
    const row = { group: 'x', channel: 1, quota: 0, cost: 0, ...noTokens };
    const add = (model_name: string, type: number, at: number, rows: number) =>
      app.database
        .insertInto('site_hours')
        .values({ ...row, hour: at, type, model_name, reason: '', status: 0, rows })
        .execute();
    const fail = (
      model_name: string,
      reason: 'overloaded' | 'refused_request' | 'no_quota',
      at: number,
      rows: number,
    ) =>
      app.database
        .insertInto('site_hours')
        .values({ ...row, hour: at, type: logType.failure, model_name, reason, status: 503, rows })
        .execute();
    await add('shown-b', logType.consumption, hour - 3 * 3600, 3);
    await add('shown-b', logType.failure, hour - 3 * 3600, 10);
    await fail('shown-b', 'overloaded', hour - 3 * 3600, 1);
    await fail('shown-b', 'refused_request', hour - 3 * 3600, 50);
    await fail('shown-b', 'no_quota', hour - 3 * 3600, 50);
    await fail('shown-b', 'overloaded', hour - 2 * 3600, 5);
    const day = now - (now % 86_400);
    await add('shown-b', logType.consumption, day - 30 * 86_400 + 7200, 999);
    await fail('shown-b', 'overloaded', day - 30 * 86_400, 1);
    await add('shown-b', logType.consumption, day - 95 * 86_400, 100);
    const status = await statusOf('shown-b');
    const known = new Set(status?.hours.filter((share) => share !== null));
    expect(known).toEqual(new Set([0.75, 0]));
    expect(status?.day.availability).toBe(0.333);
    const midnights = Math.floor((nowInSeconds() + minutes * 60 - day) / 86_400);
    expect(status?.days.at(-31 - midnights)).toBe(0.999);
    expect(status?.quarter.availability).toBe(0.993);
  });
});

test('latencies of a model cover its requests, both total duration and time to first byte', async () => {
  const scene = await relayFixture(app, { upstreams: [stream([roleChunk, textChunk('a'), stop, usageEvent, done])] });
  scenes.push(scene);
  await createChannel(admin, `shown,${scene.group}`, scene.upstreams[0]?.url ?? '', { models: 'timed', name: 'timed' });
  for (let count = 0; count < 3; count += 1) await (await scene.chat({ model: 'timed', stream: true })).text();
  const { day, quarter } = (await statusOf('timed')) ?? {};
  expect(day?.availability).toBe(1);
  expect(day?.latency).toBeGreaterThan(0);
  expect(day?.first_byte).toBeGreaterThan(0);
  expect(quarter?.latency).toBe(day?.latency);
});

test('a model whose only channel was disabled automatically is still shown; after an admin disables it, it is hidden', async () => {
  const scene = await relayFixture(app, { upstreams: [reply({}, 500)] });
  scenes.push(scene);
  await createChannel(admin, 'shown', scene.upstreams[0]?.url ?? '', { models: 'gone', name: 'gone' });
  const setStatus = async (status: number) => {
    const { id } = await app.database
      .selectFrom('channels')
      .select('id')
      .where('name', '=', 'gone')
      .executeTakeFirstOrThrow();
    await app.database.updateTable('channels').set({ status }).where('id', '=', id).execute();
  };
  await setStatus(channelStatus.disabledByMonitor);
  expect(await statusOf('gone')).toBeDefined();
  await setStatus(channelStatus.disabled);
  expect(await statusOf('gone')).toBeUndefined();
});

test('requests by many visitors cause only one query', async () => {
  await read();
  aMinuteLater();
  await visitor.call(publicStatusApi.read);
  const queryCount = () => statements.filter((sql) => /^select.*(model_latencies|abilities)/s.test(sql)).length;
  const before = queryCount();
  await Promise.all(Array.from({ length: 50 }, () => app.client().call(publicStatusApi.read)));
  expect(queryCount()).toBe(before);
});

test('availability is unknown while successful requests are not logged', async () => {
  await admin.call(optionApi.update, { body: { key: 'LogConsumeEnabled', value: 'false' } });
  const status = await statusOf('shown-b');
  expect(status?.quarter.availability).toBeNull();
  await admin.call(optionApi.update, { body: { key: 'LogConsumeEnabled', value: 'true' } });
});

test('disabling the status page takes effect immediately, despite the cache', async () => {
  await admin.call(optionApi.update, { body: { key: 'StatusPageEnabled', value: 'false' } });
  expect((await visitor.send(publicStatusApi.read, {})).status).toBe(404);
});
