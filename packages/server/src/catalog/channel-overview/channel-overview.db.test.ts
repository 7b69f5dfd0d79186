import { channelOverviewApi, logType } from '@headgate/contract';
import { reply } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const overviewOf = (id: number) => admin.call(channelOverviewApi.overview, { params: { id } });
const hour = 3600;
const thisHour = () => nowInSeconds() - (nowInSeconds() % hour);

test('aggregates traffic, money and latencies of the last 24 hours by hour and model', async () => {
  const { id } = await createChannel(app, admin, { models: 'gpt-4o,unknown-model' });
  const begin = thisHour() - 23 * hour;
  const served = { type: logType.consumption, channel: id, model_name: 'gpt-4o', quota: 10, cost: 4 };
  const failed = {
    type: logType.failure,
    channel: id,
    model_name: 'gpt-4o',
    reason: 'overloaded',
    status: 529,
  } as const;
  await writeLogs(app.database, [
    ...[100, 200, 300, 4000].map((elapsed_time) => ({
      ...{ ...served, created_at: begin, elapsed_time, first_byte_time: elapsed_time / 10 },
    })),
    { ...served, created_at: thisHour(), elapsed_time: 500, model_name: 'unknown-model', cost: 0 },
    { ...failed, created_at: thisHour(), content: 'The upstream is overloaded', request_id: 'last' },
    { ...failed, created_at: begin, content: 'First failure' },
    // Not counted: too old, another channel, not a request.
    { ...served, created_at: begin - 1 },
    { ...served, created_at: begin, channel: id + 1 },
    { ...served, created_at: begin, type: logType.management },
  ]);
  const { from, total, hours, models, failures } = await overviewOf(id);
  expect(from).toBe(begin);
  expect(total).toEqual({
    ...{ requests: 7, failures: 2, quota: 50, cost: 16, uncosted_quota: 10 },
    ...{ elapsed_p50: 300, elapsed_p95: 4000, first_byte_p50: 20 },
  });
  expect(hours).toHaveLength(24);
  expect(hours[0]).toMatchObject({ hour: begin, requests: 5, failures: 1, quota: 40, elapsed_p50: 200 });
  expect(hours[1]).toMatchObject({ requests: 0, elapsed_p50: 0 });
  expect(hours[23]).toMatchObject({ hour: thisHour(), requests: 2, failures: 1, elapsed_p50: 500, first_byte_p50: 0 });
  expect(models).toMatchObject([
    { model: 'gpt-4o', requests: 6, failures: 2, price: { input: 5 }, is_paused: false },
    { model: 'unknown-model', requests: 1, price: null },
  ]);
  expect(failures).toMatchObject([
    { request_id: 'last', reason: 'overloaded', status: 529, message: 'The upstream is overloaded' },
    { message: 'First failure' },
  ]);
  const traffic = await admin.call(channelOverviewApi.traffic, { query: { ids: `${id},${id},999999` } });
  expect(traffic).toMatchObject([{ id, requests: 7, failures: 2 }]);
  expect(traffic[0]?.hours).toEqual([5, ...Array.from({ length: 22 }, () => 0), 2]);
});

test('treats a cost of 0 as known only for free channels and free models', async () => {
  const free = { input: 0, output: 0 };
  const purchases = [
    { purchase: JSON.stringify({ multiplier: 0 }) },
    { purchase: JSON.stringify({ models: { 'gpt-4o': free } }) },
    { purchase: JSON.stringify({ models: { another: free } }) },
    {},
  ];
  const channels: { readonly id: number }[] = [];
  for (const purchase of purchases) channels.push(await createChannel(app, admin, purchase));
  const charged = { type: logType.consumption, created_at: thisHour(), model_name: 'gpt-4o', quota: 10, cost: 0 };
  await writeLogs(
    app.database,
    channels.map(({ id }) => ({ ...charged, channel: id })),
  );
  const unknown = await Promise.all(channels.map(async ({ id }) => (await overviewOf(id)).total.uncosted_quota));
  expect(unknown).toEqual([0, 0, 10, 10]);
});

test('lists failed requests with the full message, and rejects an unknown channel', async () => {
  const message = `Incorrect API key. ${'It was rejected. '.repeat(12)}`.trim();
  const scene = await relayFixture(app, { upstreams: [reply({ error: { message } }, 400)] });
  await scene.chat();
  const [row] = await app.database.selectFrom('channels').select('id').where('name', '=', scene.group).execute();
  await expect.poll(async () => (await overviewOf(row?.id ?? 0)).failures.length).toBe(1);
  const { failures } = await overviewOf(row?.id ?? 0);
  expect(failures[0]?.message).toContain(message);
  const missing = await admin.send(channelOverviewApi.overview, { params: { id: 999_999 } });
  expect(missing.body).toMatchObject({ success: false });
  const invalid = await admin.request('GET', '/api/channel/traffic?ids=1;2');
  expect(invalid.body).toMatchObject({ success: false });
  await scene.close();
});
