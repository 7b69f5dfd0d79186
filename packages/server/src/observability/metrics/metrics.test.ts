import { errorCodeHeader, tokenApi, userApi } from '@headgate/contract';
import {
  type ApiClient,
  completion,
  done,
  plainPrice,
  reply,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { expect, test } from 'vitest';
import { blockCharges } from '../../testing/database/block-charges.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { slowRequest } from '../../testing/relay/slow-request.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';
import { formatExposition } from './exposition.ts';
import { Histogram } from './relay-metrics.ts';

const app = await useTestApp({ options: { RetryTimes: '2' } });

const forwarded = { 'x-forwarded-for': '192.0.2.7' };

const metricsFor = (client: ApiClient, headers = {}) => client.request('GET', '/metrics', { headers });

/** Value of a series; undefined when there is none. */
async function shown(series: string): Promise<number | undefined> {
  const { text } = await metricsFor(app.client());
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function channelsOf(group: string): Promise<number[]> {
  const rows = await app.database
    .selectFrom('channels')
    .select('id')
    .where('group', '=', group)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

test('metrics are readable from localhost, but not through a proxy', async () => {
  const near = await metricsFor(app.client());
  expect(near.status).toBe(200);
  expect(near.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(near.headers.get('cache-control')).toBe('no-store');
  for (const headers of [forwarded, { forwarded: 'for=192.0.2.7' }, { via: '1.1 x' }, { 'x-real-ip': '192.0.2.7' }]) {
    expect(await metricsFor(app.client(), headers)).toMatchObject({ status: 401, body: { success: false } });
  }
});

test('metrics are readable remotely by admins with a session or an access token, but not by users', async () => {
  for (const access of ['admin', 'root'] as const) {
    const client = await app.as(access);
    expect((await metricsFor(client, forwarded)).status).toBe(200);
    const authorization = `Bearer ${await client.call(userApi.makeAccessToken)}`;
    expect((await metricsFor(app.client(), { ...forwarded, authorization })).status).toBe(200);
  }
  const user = await app.as('user');
  expect(await metricsFor(user, forwarded)).toMatchObject({ status: 403, body: { success: false } });
  const authorization = `Bearer ${await user.call(userApi.makeAccessToken)}`;
  expect((await metricsFor(app.client(), { ...forwarded, authorization })).status).toBe(403);
  expect((await metricsFor(app.client(), { ...forwarded, authorization: 'Bearer no' })).status).toBe(401);
});

test('counts requests sent again after a reused connection was closed, without counting a failure', async () => {
  const used = new WeakSet<object>();
  const closing: UpstreamHandler = (response, request) => {
    const { socket } = response;
    if (socket && used.has(socket)) return void socket.destroy();
    if (socket) used.add(socket);
    return completion()(response, request);
  };
  const scene = await relayFixture(app, { upstreams: [closing] });
  const [channel] = await channelsOf(scene.group);
  const before = (await shown('headgate_upstream_resends_total')) ?? 0;
  for (let count = 0; count < 4; count += 1) {
    const response = await scene.chat();
    expect(response.status).toBe(200);
    await response.text();
  }
  expect(await shown('headgate_upstream_resends_total')).toBeGreaterThan(before);
  expect(
    await shown(`headgate_upstream_failures_total{channel="${channel}",model="gpt-4o",status="0"}`),
  ).toBeUndefined();
  await scene.close();
});

test('[A67.3] metrics are not readable remotely by an admin without the required second factor', async () => {
  await using demanding = await startTestApp({ options: { AdminSecondFactorEnabled: 'true' } });
  for (const access of ['admin', 'root'] as const) {
    const client = await demanding.as(access);
    const lacking = await metricsFor(client, forwarded);
    expect(lacking.status).toBe((await client.request('GET', '/api/channel/')).status);
    expect(lacking.headers.get(errorCodeHeader)).toBe('secondFactorRequired');
    await demanding.database.updateTable('users').set({ second_factor: 1 }).execute();
    expect((await metricsFor(client, forwarded)).status).toBe(200);
    await demanding.database.updateTable('users').set({ second_factor: 0 }).execute();
  }
  expect((await metricsFor(demanding.client())).status).toBe(200);
});

test('counts requests, time, tokens, quota and failed attempts by channel and model', async () => {
  const broken = reply({ error: { message: 'busy' } }, 503);
  const scene = await relayFixture(app, { upstreams: [broken, completion()] });
  const [first, second] = await channelsOf(scene.group);
  expect((await scene.chat()).status).toBe(200);
  const labels = `channel="${second}",model="gpt-4o"`;
  expect(await shown(`headgate_requests_total{${labels},result="success"}`)).toBe(1);
  expect(await shown(`headgate_requests_total{${labels},result="failure"}`)).toBe(0);
  expect(await shown(`headgate_tokens_total{${labels},kind="prompt"}`)).toBe(10);
  expect(await shown(`headgate_tokens_total{${labels},kind="completion"}`)).toBe(5);
  expect(await shown(`headgate_quota_total{${labels}}`)).toBe(plainPrice);
  expect(await shown(`headgate_upstream_failures_total{channel="${first}",model="gpt-4o",status="503"}`)).toBe(1);
  const time = `${labels},stream="false"`;
  expect(await shown(`headgate_request_duration_seconds_count{${time}}`)).toBe(1);
  expect(await shown(`headgate_request_duration_seconds_bucket{${time},le="+Inf"}`)).toBe(1);
  await scene.close();
});

test('a request that failed on every channel is counted for no channel', async () => {
  const scene = await relayFixture(app, { upstreams: [reply({ error: { message: 'no' } }, 500)] });
  const [channel] = await channelsOf(scene.group);
  const none = 'headgate_requests_total{channel="0",model="gpt-4o",result="failure"}';
  const before = (await shown(none)) ?? 0;
  expect((await scene.chat()).status).toBe(500);
  expect(await shown(none)).toBe(before + 1);
  expect(await shown(`headgate_upstream_failures_total{channel="${channel}",model="gpt-4o",status="500"}`)).toBe(1);
  await scene.close();
});

test('streams have their own latency metrics', async () => {
  const scene = await relayFixture(app, { upstreams: [stream([textChunk('Hi'), stop, usageEvent, done])] });
  const [channel] = await channelsOf(scene.group);
  await (await scene.chat({ stream: true })).text();
  const labels = `channel="${channel}",model="gpt-4o"`;
  expect(await shown(`headgate_request_duration_seconds_count{${labels},stream="true"}`)).toBe(1);
  expect(await shown(`headgate_time_to_first_byte_seconds_count{${labels}}`)).toBe(1);
  await scene.close();
});

test('a model that no channel serves is not used as a label', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const [channel] = await channelsOf(scene.group);
  expect((await scene.chat({ model: 'invented-1' })).status).toBe(404);
  // An unknown model reaches an upstream only if the request names the channel.
  const { key } = await scene.admin.call(tokenApi.create, { body: { name: 'pin', unlimited_quota: true } });
  await app.database.updateTable('users').set({ quota: 100_000, credited: 100_000 }).where('role', '>=', 10).execute();
  const headers = { authorization: `Bearer sk-${key}-${channel}`, 'content-type': 'application/json' };
  expect((await scene.chat({ model: 'invented-2', max_tokens: 1 }, { headers })).status).toBe(200);
  expect(await shown(`headgate_requests_total{channel="${channel}",model="other",result="success"}`)).toBe(1);
  expect((await metricsFor(app.client())).text).not.toContain('invented');
  await scene.close();
});

test('reports the process, the version and pending charges', async () => {
  expect(await shown('headgate_build_info{version="0.0.0-test"}')).toBe(1);
  expect(await shown('headgate_settlements_waiting')).toBe(0);
  expect(await shown('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(await shown('process_resident_memory_bytes')).toBeGreaterThan(1e6);
});

test('reports in-flight requests, queues, event loop delay, handles and open files', async () => {
  const opened = Promise.withResolvers<void>();
  const scene = await relayFixture(app, {
    upstreams: [
      async (response, request) => {
        await opened.promise;
        await completion()(response, request);
      },
    ],
  });
  const pending = scene.chat();
  await expect.poll(() => shown('headgate_requests_running')).toBe(1);
  opened.resolve();
  await (await pending).text();
  expect(await shown('headgate_requests_running')).toBe(0);
  expect(await shown('headgate_oldest_unstored_charge_seconds')).toBe(0);
  expect(await shown('headgate_storage_trouble{reason="full"}')).toBe(0);
  for (const name of ['mean', 'p99', 'max'])
    expect(await shown(`nodejs_eventloop_lag_${name}_seconds`)).toBeGreaterThanOrEqual(0);
  expect(await shown('nodejs_active_resources{type="TCPSocketWrap"}')).toBeGreaterThan(0);
  expect(await shown('process_open_fds')).toBeGreaterThan(10);
  await scene.close();
});

test('reports the age of a charge that is not stored', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const charging = await blockCharges(app);
  const pending = scene.chat();
  await expect.poll(() => shown('headgate_oldest_unstored_charge_seconds')).toBeGreaterThan(0.3);
  expect(await shown('headgate_settlements_waiting')).toBe(1);
  await charging[Symbol.asyncDispose]();
  await (await pending).text();
  expect(await shown('headgate_oldest_unstored_charge_seconds')).toBe(0);
  await scene.close();
});

test('each rejected request is counted once, by a fixed set of reasons', async () => {
  const counts = async (reason: string) => (await shown(`headgate_refusals_total{reason="${reason}"}`)) ?? 0;
  const reasons = ['unknown_token', 'not_found', 'no_quota', 'refused_request'] as const;
  const before = await Promise.all(reasons.map(counts));
  const scene = await relayFixture(app, { upstreams: [completion()], quota: 1 });
  const stranger = { authorization: 'Bearer sk-nobody', 'content-type': 'application/json' };
  expect((await scene.chat({}, { headers: stranger })).status).toBe(401);
  expect((await scene.chat({}, { headers: { 'content-type': 'application/json' } })).status).toBe(401);
  expect((await scene.chat({ model: 'invented-3' })).status).toBe(404);
  expect((await scene.chat({ max_tokens: 9000 })).status).toBe(402);
  expect((await scene.post('/v1/chat/completions', '{"model":5}')).status).toBe(400);
  const after = await Promise.all(reasons.map(counts));
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 1, 1, 1]);
  await scene.close();
});

test('a request that is rejected after its body arrived, because its token was disabled meanwhile, is counted once', async () => {
  const count = async () => (await shown('headgate_refusals_total{reason="token_refused"}')) ?? 0;
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect((await scene.chat()).status).toBe(200);
  const before = await count();
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
  const request = slowRequest(app.url, '/v1/chat/completions', {
    authorization: `Bearer sk-${scene.token.key}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    connection: 'close',
  });
  request.send(body.slice(0, 10));
  await expect.poll(() => shown('headgate_requests_running')).toBe(1);
  await scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, status: 2 } });
  request.send(body.slice(10));
  expect(await request.response).toMatch(/^HTTP\/1\.1 401 /);
  expect(await count()).toBe(before + 1);
  await scene.close();
});

test('writes every line in valid Prometheus format', async () => {
  const { text } = await metricsFor(app.client());
  const name = '[a-zA-Z_][a-zA-Z0-9_]*';
  const line = new RegExp(`^(# HELP ${name} .+|# TYPE ${name} \\w+|${name}(\\{(${name}="[^"]*",?)+\\})? [-+.e0-9]+)$`);
  expect(text.endsWith('\n')).toBe(true);
  expect(
    text
      .trimEnd()
      .split('\n')
      .filter((one) => !line.test(one)),
  ).toEqual([]);
});

test('label values are escaped, and buckets are cumulative', () => {
  const seconds = new Histogram([1, 2]);
  for (const value of [0.5, 1, 1.5, 9]) seconds.add(value);
  const labels = { model: 'a"b\\c\nd' };
  const text = formatExposition([{ name: 'x', help: 'X.', type: 'histogram', samples: seconds.samples(labels) }]);
  const label = 'model="a\\"b\\\\c\\nd"';
  expect(text).toBe(
    [
      '# HELP x X.\n# TYPE x histogram',
      `x_bucket{${label},le="1"} 2`,
      `x_bucket{${label},le="2"} 3`,
      `x_bucket{${label},le="+Inf"} 4`,
      `x_sum{${label}} 12`,
      `x_count{${label}} 4\n`,
    ].join('\n'),
  );
});
