import type { Server, ServerResponse } from 'node:http';
import { completion, done, plainPrice, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useWireFixtures, wireNamed } from '../../testing/relay/wire-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

type Method = 'on' | 'writeHead' | 'write' | 'end' | 'setTimeout';

/** For requests with the header, this response method throws after `calls` calls. */
const sabotaged = (method: Method, calls = 0) => ({
  extend: ({ server }: { readonly server: Server }) => {
    server.prependListener('request', (request, response: ServerResponse) => {
      if (request.headers['x-sabotage'] !== undefined) sabotage(response, method, calls);
    });
  },
});

function sabotage(response: ServerResponse, method: Method, calls: number): void {
  const original = response[method].bind(response) as (...given: unknown[]) => unknown;
  let left = calls;
  const throws = (...given: unknown[]) => {
    if (left === 0) throw new TypeError('sabotaged');
    left -= 1;
    return original(...given);
  };
  Object.assign(response, { [method]: throws });
}

const headers = { 'x-sabotage': 'yes', 'content-type': 'application/json' };
const wholeStream = stream([textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);

test.each(['writeHead', 'end'] as const)(
  '[A25.9] an exception while sending an error (%s throws) closes only that connection',
  async (method) => {
    await using app = await startTestApp(sabotaged(method));
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const pending = fetch(`${app.url}/v1/chat/completions`, { method: 'POST', headers, body: '{}' });
    // Output written before the exception may still have arrived.
    expect(await pending.then((response) => response.text()).catch(() => 'closed')).toMatch(/^closed$|"error"/);
    expect((await scene.chat()).status).toBe(200);
    expect((await scene.books()).user.used_quota).toBe(plainPrice);
    await scene.close();
  },
);

test.each(['/v1/chat/completions', '/api/user/login'])(
  '[A24.2] an internal error while accepting a request to %s closes only that connection',
  async (path) => {
    await using app = await startTestApp(sabotaged('on'));
    await expect(fetch(app.url + path, { method: 'POST', headers, body: '{}' })).rejects.toThrow('fetch failed');
    expect((await app.client().request('GET', '/healthz')).status).toBe(200);
  },
);

test.each([
  ['the head of a stream', { method: 'writeHead', calls: 0, respond: wholeStream }],
  ['the first chunk of a stream', { method: 'write', calls: 0, respond: stream([textChunk('Hello')], 'stall') }],
  ['a later chunk of a stream', { method: 'write', calls: 1, respond: stream([textChunk('Hello'), stop], 'stall') }],
  [
    'a stream chunk after the socket drained',
    { method: 'setTimeout', calls: 1, respond: stream([textChunk('x'.repeat(100_000)), stop], 'stall') },
  ],
  ['the end of a stream', { method: 'end', calls: 0, respond: wholeStream }],
  ['the head of a whole response', { method: 'writeHead', calls: 0, respond: completion() }],
  ['the end of a whole response', { method: 'end', calls: 0, respond: completion() }],
] as const)(
  '[A24.2] an exception while sending %s ends and settles only that request',
  async (what, { method, calls, respond }) => {
    await using app = await startTestApp(sabotaged(method, calls));
    const scene = await relayFixture(app, { upstreams: [respond] });
    const authorization = `Bearer sk-${scene.token.key}`;
    const pending = scene.chat({ stream: what.includes('stream') }, { headers: { ...headers, authorization } });
    const ended = await pending.then((response) => response.text()).catch(() => 'closed');
    expect(ended).toMatch(/^closed$|data: \{"error".*\n\n$/);
    await expect.poll(async () => (await scene.books()).logs.length).toBe(1);
    expect((await scene.books()).drift).toBe(0);
    for (const upstream of scene.upstreams) upstream.handler = completion();
    expect((await scene.chat()).status).toBe(200);
    await scene.close();
  },
);

test('[A28.1] [A24.2] an internal error before the first byte is neither retried nor counted against the channel', async () => {
  await using app = await startTestApp({ ...sabotaged('writeHead'), options: { RetryTimes: '3' } });
  const scene = await relayFixture(app, { upstreams: [wholeStream, wholeStream] });
  const authorization = `Bearer sk-${scene.token.key}`;
  const send = () => scene.chat({ stream: true }, { headers: { ...headers, authorization } });
  // A channel with this many failures would cool down.
  for (let count = 0; count < 4; count += 1) await expect(send()).rejects.toThrow('fetch failed');
  expect((await scene.chat({ stream: true })).status).toBe(200);
  expect(scene.upstreams.map(({ received }) => received.length)).toEqual([5, 0]);
  const { logs, drift } = await scene.books();
  expect(logs.slice(0, 4)).toMatchObject(Array.from({ length: 4 }, () => ({ type: 5, quota: 0, ended_by: 'server' })));
  expect(drift).toBe(0);
  await scene.close();
});

const app = await useTestApp(sabotaged('write'));
const { stageOf } = useWireFixtures(app);

test('[A24.2] an exception in a WebSocket upstream listener ends and settles only that request', async () => {
  const wire = wireNamed('Spark by socket');
  const { scene, respondWith } = await stageOf(wire);
  respondWith(wire.respond({ isCall: false, isStream: true }));
  const authorization = `Bearer sk-${scene.token.key}`;
  const body = { model: wire.model, stream: true };
  const response = await scene.chat(body, { headers: { ...headers, authorization } });
  expect(await response.text()).toContain('Internal error while delivering the stream');
  expect((await scene.books()).logs).toHaveLength(1);
  expect(await (await scene.chat(body)).text()).toContain('[DONE]');
});
