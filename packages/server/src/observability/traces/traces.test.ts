import { completion, done, reply, roleChunk, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { OtlpCollector, type ReceivedSpan } from '../../testing/relay/otlp-collector.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const collector = await OtlpCollector.start();
afterAll(() => collector.close());
const tracesTo = (url: string, more: Record<string, string> = {}) => {
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10', ...more });
  return { config: { traces } };
};
const app = await useTestApp({
  ...tracesTo(collector.url, {
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20secret,X-Tenant=one',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    OTEL_SERVICE_NAME: 'gateway',
  }),
  options: { RetryTimes: '2' },
});

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));
async function sceneWith(options: Parameters<typeof relayFixture>[1]): Promise<Scene> {
  const scene = await relayFixture(app, options);
  scenes.push(scene);
  return scene;
}

const idOf = (response: Response) => response.headers.get('x-request-id');
const withContext = (scene: Scene, traceparent: string, tracestate = '') => ({
  headers: {
    authorization: `Bearer sk-${scene.token.key}`,
    'content-type': 'application/json',
    traceparent,
    ...(tracestate && { tracestate }),
  },
});
const isWithin = (inner: ReceivedSpan, outer: ReceivedSpan) =>
  BigInt(inner.startTimeUnixNano) >= BigInt(outer.startTimeUnixNano) &&
  BigInt(inner.endTimeUnixNano) <= BigInt(outer.endTimeUnixNano) &&
  BigInt(inner.startTimeUnixNano) <= BigInt(inner.endTimeUnixNano);

const given = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const parent = `00-${given.traceId}-${given.spanId}-01`;

test('a request has a span and another one for its attempt, with times, ids and usage', async () => {
  const before = Date.now();
  const scene = await sceneWith({ upstreams: [completion()] });
  const response = await scene.chat();
  await response.text();
  const { own, tries } = await collector.traceOf(idOf(response));
  expect(own).toMatchObject({ name: 'POST /v1/chat/completions', kind: 2 });
  expect(own.status).toEqual({});
  expect(own.traceId).toMatch(/^[\da-f]{32}$/);
  expect(own.spanId).toMatch(/^[\da-f]{16}$/);
  expect(own.parentSpanId).toBeUndefined();
  expect(Number(BigInt(own.startTimeUnixNano) / 1_000_000n)).toBeGreaterThan(before - 1000);
  expect(Number(BigInt(own.endTimeUnixNano) / 1_000_000n)).toBeLessThan(Date.now() + 1000);
  const [log] = (await scene.books()).logs;
  expect(own.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/chat/completions',
    'url.scheme': 'http',
    'http.response.status_code': 200,
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.request.stream': false,
    'headgate.request.id': idOf(response),
    'headgate.attempts': 1,
    'headgate.user.id': scene.user.id,
    'headgate.token.id': scene.token.id,
    'headgate.group': scene.group,
    'headgate.quota': log?.quota,
  });
  expect(tries).toHaveLength(1);
  const [child] = tries;
  expect(child).toMatchObject({ name: 'chat gpt-4o', kind: 3, traceId: own.traceId, parentSpanId: own.spanId });
  expect(child && isWithin(child, own)).toBe(true);
  expect(child?.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'custom_channel',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.request.stream': false,
    'gen_ai.usage.input_tokens': log?.prompt_tokens,
    'gen_ai.usage.output_tokens': log?.completion_tokens,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(scene.upstreams[0]?.url ?? '').port),
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'headgate.channel.id': log?.channel,
  });
});

test('the collector is called as configured, with the resource attributes', async () => {
  const scene = await sceneWith({ upstreams: [completion()] });
  await collector.traceOf(idOf(await scene.chat()));
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'content-type': 'application/json', 'x-api-key': 'a secret', 'x-tenant': 'one' },
  });
  expect(collector.resource).toEqual({
    'service.name': 'gateway',
    'service.version': '0.0.0-test',
    'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/),
    'deployment.environment.name': 'test',
  });
});

test('each attempt has a span: two failed attempts in order, then the successful one', async () => {
  const scene = await sceneWith({
    upstreams: [reply({ error: { message: 'hidden words' } }, 500), reply({ error: {} }, 429), completion()],
  });
  const response = await scene.chat();
  await response.text();
  const { own, tries } = await collector.traceOf(idOf(response));
  expect(own.attributes).toMatchObject({ 'headgate.attempts': 3, 'http.response.status_code': 200 });
  expect(own.status).toEqual({});
  expect(
    tries.map(({ attributes, status }) => [
      attributes['http.response.status_code'],
      attributes['error.type'],
      status.code,
    ]),
  ).toEqual([
    [500, 'server_error', 2],
    [429, 'rate_limited', 2],
    [200, undefined, undefined],
  ]);
  expect(tries.every((child) => isWithin(child, own))).toBe(true);
  expect(tries.filter(({ attributes }) => 'gen_ai.usage.input_tokens' in attributes)).toHaveLength(1);
  // The log entry also has the start of each attempt.
  const { attempts } = JSON.parse((await scene.books()).logs[0]?.detail ?? '{}');
  expect(attempts).toMatchObject([{ start: expect.any(Number) }, { start: expect.any(Number) }]);
  expect(attempts[1].start).toBeGreaterThanOrEqual(attempts[0].start);
  for (const upstream of scene.upstreams)
    expect(upstream.received[0]?.headers['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  expect(scene.upstreams.map(({ received }) => String(received[0]?.headers['traceparent']).split('-')[2])).toEqual(
    tries.map(({ spanId }) => spanId),
  );
});

test('a stream reports the time to its first chunk', async () => {
  const scene = await sceneWith({ upstreams: [stream([roleChunk, textChunk('a'), stop, usageEvent, done])] });
  const response = await scene.chat({ stream: true });
  await response.text();
  const { own, tries } = await collector.traceOf(idOf(response));
  expect(own.attributes['gen_ai.request.stream']).toBe(true);
  expect(tries[0]?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
});

test('a stream that the upstream interrupts is marked as failed', async () => {
  const scene = await sceneWith({ upstreams: [stream(['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'], 'cut')] });
  const response = await scene.chat({ stream: true });
  await response.text().catch(() => undefined);
  const { own, tries } = await collector.traceOf(idOf(response));
  expect(own).toMatchObject({
    status: { code: 2 },
    attributes: { 'headgate.ended_by': 'upstream', 'error.type': 'bad_answer' },
  });
  expect(tries).toMatchObject([{ status: { code: 2 } }]);
});

test('a rejected request has one span with the reason and no attempts', async () => {
  const scene = await sceneWith({ upstreams: [completion()] });
  const rejected = await scene.chat({ model: 'no-such-model' });
  const { own, tries } = await collector.traceOf(idOf(rejected));
  expect(tries).toEqual([]);
  expect(own.attributes).toMatchObject({
    'http.response.status_code': 404,
    'error.type': 'not_found',
    'gen_ai.request.model': 'no-such-model',
    'headgate.attempts': 0,
  });
  const stranger = await scene.chat({}, { headers: { authorization: 'Bearer sk-nobody' } });
  const unknown = (await collector.traceOf(idOf(stranger))).own;
  expect(unknown.attributes).toMatchObject({ 'http.response.status_code': 401, 'error.type': 'unknown_token' });
  expect(unknown.status).toEqual({});
});

test('a client disconnect ends the trace without marking it as failed', async () => {
  const scene = await sceneWith({
    upstreams: [stream(['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'], 'stall')],
  });
  const gone = new AbortController();
  const response = await scene.chat({ stream: true }, { signal: gone.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  gone.abort();
  const { own, tries } = await collector.traceOf(idOf(response));
  expect(own.attributes).toMatchObject({ 'headgate.ended_by': 'client' });
  expect([own.status, tries.map(({ status }) => status)]).toEqual([{}, [{}]]);
});

describe('trace context of a client', async () => {
  const scene = await sceneWith({ upstreams: [completion()] });

  test("the client's trace context is used and passed on", async () => {
    const response = await scene.chat({}, withContext(scene, parent, 'congo=t61rcWkgMzE, rojo=00f067aa0ba902b7'));
    const { own, tries } = await collector.traceOf(idOf(response));
    expect(own).toMatchObject({ traceId: given.traceId, parentSpanId: given.spanId });
    expect(scene.upstreams[0]?.received.at(-1)?.headers).toMatchObject({
      traceparent: `00-${given.traceId}-${tries[0]?.spanId}-01`,
      tracestate: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    });
  });

  test('an unsampled trace context is passed on as not sampled, and no span is sent', async () => {
    const exportsBefore = collector.spans.length;
    const unsampled = await scene.chat({}, withContext(scene, parent.replace(/01$/, '00')));
    const passedOn = scene.upstreams[0]?.received.at(-1)?.headers['traceparent'];
    await collector.traceOf(idOf(await scene.chat()));
    expect(
      collector.spans
        .slice(exportsBefore)
        .some(({ attributes }) => attributes['headgate.request.id'] === idOf(unsampled)),
    ).toBe(false);
    expect(passedOn).toMatch(new RegExp(`^00-${given.traceId}-[\\da-f]{16}-00$`));
  });

  test.each([
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${given.spanId}-01`],
    ['a span id of zeros', `00-${given.traceId}-${'0'.repeat(16)}-01`],
    ['capital letters', parent.toUpperCase()],
    ['the invalid version ff', parent.replace(/^00/, 'ff')],
    ['extra fields for its version', `${parent}-more`],
    ['two values', `${parent}, ${parent}`],
    ['a value that is too long', `01-${given.traceId}-${given.spanId}-01-${'x'.repeat(5000)}`],
    ['a malformed value', '__proto__'],
  ])("the client's trace context is ignored when it is invalid: %s", async (_, traceparent) => {
    const response = await scene.chat({}, withContext(scene, traceparent, 'a=b'));
    const { own } = await collector.traceOf(idOf(response));
    expect(own.traceId).not.toBe(given.traceId);
    expect([own.parentSpanId, own.traceState]).toEqual([undefined, undefined]);
    expect(scene.upstreams[0]?.received.at(-1)?.headers).not.toHaveProperty('tracestate');
  });

  test.each([
    ['too long', `a=${'x'.repeat(600)}`],
    ['too long in total', Array.from({ length: 10 }, (_, index) => `k${index}=${'v'.repeat(60)}`).join(',')],
    ['too many members', Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(',')],
    ['no key-value pairs', 'just words'],
    ['non-ASCII letters', 'ä=b'],
  ])("the client's trace context is passed on without an invalid state: %s", async (_, state) => {
    const sent = Buffer.from(state).toString('latin1');
    const response = await scene.chat({}, withContext(scene, parent, sent));
    expect((await collector.traceOf(idOf(response))).own.traceId).toBe(given.traceId);
    expect(scene.upstreams[0]?.received.at(-1)?.headers).not.toHaveProperty('tracestate');
  });
});

test('spans contain no prompts, keys or upstream messages', async () => {
  const echo = 'the prompt nobody may see';
  const scene = await sceneWith({ upstreams: [reply({ error: { message: `bad value: ${echo}`, code: echo } }, 400)] });
  const response = await scene.chat({ messages: [{ role: 'user', content: echo }], user: echo });
  await collector.traceOf(idOf(response));
  const all = collector.bodies.join('\n');
  expect(all).not.toContain(echo);
  expect(all).not.toContain(scene.token.key);
  expect(all).not.toContain('upstream-key');
  expect(all).not.toContain('hidden words');
});

test('no context is passed on without a collector', async () => {
  await using plain = await startTestApp();
  const scene = await relayFixture(plain, { upstreams: [completion()] });
  await scene.chat({}, withContext(scene, parent, 'a=b'));
  expect(scene.upstreams[0]?.received[0]?.headers).not.toHaveProperty('traceparent');
  await scene.close();
});

test('a ratio sampler ignores the caller’s sampling decision', async () => {
  await using own = await OtlpCollector.start();
  await using none = await startTestApp(
    tracesTo(own.url, { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }),
  );
  const scene = await relayFixture(none, { upstreams: [completion()] });
  await (await scene.chat({}, withContext(scene, parent))).text();
  expect(scene.upstreams[0]?.received[0]?.headers['traceparent']).toMatch(/-00$/);
  await scene.close();
  await none.close();
  expect(own.requests).toEqual([]);
});

test('spans above the queue limit are dropped and counted, and an unreachable collector fails no request', async () => {
  await using away = await startTestApp(
    tracesTo('http://127.0.0.1:9', {
      OTEL_BSP_MAX_QUEUE_SIZE: '3',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2',
      OTEL_BSP_SCHEDULE_DELAY: '100000',
    }),
  );
  const scene = await relayFixture(away, { upstreams: [completion()] });
  for (let count = 0; count < 5; count += 1) expect((await scene.chat()).status).toBe(200);
  const metrics = async () => (await fetch(`${away.url}/metrics`)).text();
  await expect.poll(metrics).toContain('headgate_trace_spans_dropped_total{reason="queue_full"} 5');
  await scene.close();
});

test('rejected spans are counted, and retryable ones are sent again', async () => {
  await using busy = await OtlpCollector.start((response, nth) => {
    if (nth === 1) response.writeHead(503).end();
    else if (nth === 2) response.writeHead(400).end();
    else response.writeHead(200).end('{"partialSuccess":{"rejectedSpans":"1"}}');
  });
  await using other = await startTestApp(tracesTo(busy.url, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2' }));
  const scene = await relayFixture(other, { upstreams: [completion()] });
  await (await scene.chat()).text();
  await busy.exports(2);
  expect(busy.bodies[1]).toBe(busy.bodies[0]);
  await (await scene.chat()).text();
  await busy.exports(3);
  const metrics = async () => (await fetch(`${other.url}/metrics`)).text();
  await expect.poll(metrics).toContain('headgate_trace_spans_dropped_total{reason="refused"} 3');
  expect(await metrics()).toContain('headgate_trace_spans_sent_total 1');
  await scene.close();
});

test('remaining spans are sent at shutdown', async () => {
  await using own = await OtlpCollector.start();
  const ending = await startTestApp(tracesTo(own.url, { OTEL_BSP_SCHEDULE_DELAY: '100000' }));
  const scene = await relayFixture(ending, { upstreams: [completion()] });
  await (await scene.chat()).text();
  await scene.close();
  expect(own.spans).toEqual([]);
  await ending.close();
  expect(own.spans).toHaveLength(2);
});
