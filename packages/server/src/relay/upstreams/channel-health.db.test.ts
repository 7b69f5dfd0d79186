import { type Channel, channelApi, channelBulkApi, channelExportApi } from '@headgate/contract';
import { completion, reply, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { ChannelHealthRepository } from '../../catalog/channels/channel-health-repository.ts';
import { ChannelHealthService } from '../../catalog/channels/channel-health-service.ts';
import { localChangeFeed } from '../../platform/db/change-feed.ts';
import { createTransactions } from '../../platform/db/transaction.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { requestNode, startTwoNodes, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

let statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });
type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const wrongKey = reply(
  { error: { message: 'Incorrect API key provided: upstream-key-123456', code: 'invalid_api_key' } },
  401,
);
const slowDown = { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } };
const busy = reply(slowDown, 429);
/** Its channel cools down longer than any test takes. */
const busyForLong: UpstreamHandler = (response) => {
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '600' }).end(JSON.stringify(slowDown));
};
const broken: UpstreamHandler = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(textChunk('Hel'), () => response.destroy());
};

async function sceneOf(respond: UpstreamHandler) {
  const scene = await relayFixture(app, { upstreams: [respond] });
  scenes.push(scene);
  const [upstream] = scene.upstreams;
  if (!upstream) throw new Error('no upstream');
  return { ...scene, upstream, channel: () => channelOf(scene) };
}

async function channelOf({ admin, group }: Pick<Scene, 'admin' | 'group'>): Promise<Channel> {
  const [channel] = await admin.call(channelApi.list, { query: { group } });
  if (!channel) throw new Error('no channel');
  return channel;
}

const untroubled = { is_failing: false, failure_time: 0, failure_count: 0, failure_reason: '', failure_message: '' };

describe('channel tests', () => {
  test('channel tests store a failure with reason, status, model and time, and without the key', async () => {
    const { admin, channel } = await sceneOf(wrongKey);
    expect(await channel()).toMatchObject({ ...untroubled, test_time: 0, test_reason: '' });
    const { id } = await channel();
    await admin.send(channelApi.test, { params: { id }, query: { model: 'gpt-4o' } });
    const after = await channel();
    expect(after).toMatchObject({
      is_failing: true,
      response_time: 0,
      test_reason: 'key_rejected',
      test_status: 401,
      test_message: 'Incorrect API key provided: ***',
      tested_model: 'gpt-4o',
      failure_count: 0,
    });
    expect(after.test_time).toBeGreaterThan(0);
  });

  test('channel tests clear the failure when a later test succeeds', async () => {
    const { admin, channel, upstream, chat } = await sceneOf(busy);
    const { id } = await channel();
    await chat();
    await admin.send(channelApi.test, { params: { id } });
    expect(await channel()).toMatchObject({ is_failing: true, test_status: 429, failure_count: 1 });
    upstream.handler = completion();
    await admin.call(channelApi.test, { params: { id }, query: {} });
    const fine = { is_failing: false, test_reason: '', test_status: 0, test_message: '', failure_count: 0 };
    const after = await channel();
    expect(after).toMatchObject(fine);
    expect(after.response_time).toBeGreaterThan(0);
  });

  test('channel tests store no response time for a channel without a response', async () => {
    const { admin, channel } = await sceneOf(busy);
    await admin.call(channelApi.testAll, { query: { scope: 'all' } });
    await expect.poll(async () => (await admin.call(channelApi.testProgress)).running).toBe(false);
    const failed = { response_time: 0, test_reason: 'rate_limited', tested_model: 'gpt-3.5-turbo', is_failing: true };
    expect(await channel()).toMatchObject(failed);
  });
});

describe('failed requests', () => {
  test('failed requests are counted until one succeeds, and the last failure stays visible', async () => {
    const { channel, chat, upstream } = await sceneOf(wrongKey);
    for (let count = 0; count < 3; count += 1) expect((await chat()).status).toBe(502);
    const failure = {
      failure_reason: 'key_rejected',
      failure_status: 401,
      failure_message: 'Incorrect API key provided: ***',
      failure_model: 'gpt-4o',
    };
    expect(await channel()).toMatchObject({ ...failure, is_failing: true, failure_count: 3, test_time: 0 });
    upstream.handler = completion();
    expect((await chat()).status).toBe(200);
    const after = await channel();
    expect(after).toMatchObject({ ...failure, is_failing: false, failure_count: 0 });
    expect(after.failure_time).toBeGreaterThan(0);
  });

  test('requests that fail because of the client do not count against the channel', async () => {
    const { channel, chat } = await sceneOf(reply({ error: { message: 'messages: too long' } }, 400));
    expect((await chat()).status).toBe(400);
    expect((await chat({ model: 'nobody-has-it' })).status).toBe(404);
    expect(await channel()).toMatchObject(untroubled);
  });

  test('a truncated response counts as a failure even though it is charged', async () => {
    const { channel, chat } = await sceneOf(broken);
    await (await chat({ stream: true })).text();
    expect(await channel()).toMatchObject({ is_failing: true, failure_reason: 'bad_answer', failure_count: 1 });
  });

  test('failed requests are stored in batches when there are many, without waiting', async () => {
    // Maximum number of in-flight requests of one user.
    const many = 100;
    const { channel, chat } = await sceneOf(busy);
    await chat();
    await channel();
    statements = [];
    const began = performance.now();
    await Promise.all(Array.from({ length: many }, () => chat({ max_tokens: 10 })));
    const written = () => statements.filter((sql) => sql.includes('failure_count')).length;
    expect(await channel()).toMatchObject({ failure_count: many + 1 });
    // At most one write per second while the requests run, plus one for the reader.
    expect(written()).toBeLessThanOrEqual(Math.floor((performance.now() - began) / 1000) + 1);
  });

  test('later requests skip a channel that keeps failing, and the channel shows the remaining cooldown', async () => {
    const { channel, chat } = await sceneOf(busy);
    expect(await channel()).toMatchObject({ cooldown_seconds: 0 });
    for (let count = 0; count < 3; count += 1) await chat();
    const { cooldown_seconds } = await channel();
    expect(cooldown_seconds).toBeGreaterThan(0);
    expect(cooldown_seconds).toBeLessThanOrEqual(15);
  });

  test('channels in cooldown can be filtered in the list, counts, export and bulk changes', async () => {
    const tired = await sceneOf(busyForLong);
    const awake = await sceneOf(reply({ choices: [{ message: { content: 'Yes' } }], usage: { total_tokens: 3 } }));
    const { admin, group } = tired;
    const coolingDown = (query = {}) => admin.call(channelApi.list, { query: { cooling_down: 1, group, ...query } });
    expect(await coolingDown()).toEqual([]);
    const before = (await admin.call(channelApi.counts))['cooling_down'] ?? 0;
    for (let count = 0; count < 3; count += 1) {
      await tired.chat();
      await awake.chat();
    }
    const { id } = await tired.channel();
    expect((await coolingDown()).map((row) => row.id)).toEqual([id]);
    expect(await coolingDown({ group: awake.group })).toEqual([]);
    expect(await admin.call(channelApi.counts)).toMatchObject({ cooling_down: before + 1 });
    // One export, because each starts a thread.
    const { text: exported } = await admin.send(channelExportApi.all, { query: { cooling_down: 1, format: 'jsonl' } });
    expect(exported).toContain(`"id":${id},`);
    expect(exported).not.toContain(`"id":${(await awake.channel()).id},`);
    const change = { kind: 'priority', priority: 9 } as const;
    const run = (more: object) =>
      admin.call(channelBulkApi.run, {
        body: { chosen: { filter: { cooling_down: 1, group }, count: 1 }, change, ...more },
      });
    const { digest, rows } = await run({ preview: true });
    expect(rows.map((row) => row.id)).toEqual([id]);
    await run({ preview: false, digest });
    expect(await tired.channel()).toMatchObject({ priority: 9 });
  });
});

test('a reader waits only for failures that occurred before its read', async () => {
  const failure = { status: 500, reason: 'server_error', message: '', model: '' } as const;
  const rethrow = (error: unknown) => {
    throw error;
  };
  const transact = createTransactions(app.database, localChangeFeed({ warn: rethrow, error: rethrow }));
  let writes = 0;
  const health = new ChannelHealthService({
    channels: new ChannelHealthRepository(app.database),
    inTransaction: (work) => {
      writes += 1;
      if (writes < 10) health.failed(999_999, failure);
      return transact(work);
    },
    onFailure: rethrow,
  });
  health.failed(999_999, failure);
  await Promise.all([health.flush(), health.flush()]);
  expect(writes).toBeLessThanOrEqual(2);
  writes = 10;
  await health.flush();
});

test('keeps the failing state of a channel across a restart', async () => {
  await using stored = await createTestDatabase();
  const first = await startTestApp({ on: stored });
  const scene = await relayFixture(first, { upstreams: [busy] });
  scenes.push(scene);
  expect((await scene.chat()).status).toBe(429);
  await first.close();
  await using next = await startTestApp({ on: stored });
  const [upstream] = scene.upstreams;
  if (upstream) upstream.handler = completion();
  const admin = await next.as('admin');
  expect(await channelOf({ admin, group: scene.group })).toMatchObject({ is_failing: true, failure_count: 1 });
  expect((await requestNode(next, scene)).status).toBe(200);
  expect(await channelOf({ admin, group: scene.group })).toMatchObject({ is_failing: false, failure_count: 0 });
});

if (inject('database') === 'postgres')
  test('a success on one node clears a failure seen by another node', async () => {
    const { near, far, stack } = await startTwoNodes();
    await using _ = stack;
    const scene = await relayFixture(near, { upstreams: [completion()] });
    scenes.push(scene);
    const [upstream] = scene.upstreams;
    await warmUpNode(far, scene);
    if (upstream) upstream.handler = busy;
    await requestNode(near, scene);
    expect(await channelOf(scene)).toMatchObject({ is_failing: true });
    if (upstream) upstream.handler = completion();
    const farAdmin = await far.as('admin');
    await expect
      .poll(async () => {
        expect((await requestNode(far, scene)).status).toBe(200);
        return (await channelOf({ admin: farAdmin, group: scene.group })).is_failing;
      })
      .toBe(false);
  });
