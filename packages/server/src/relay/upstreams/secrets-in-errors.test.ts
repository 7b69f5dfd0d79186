import { channelApi, logApi } from '@headgate/contract';
import { done, reply, stream, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { AutomaticDisableChannelEnabled: 'true' } });
const scenes: Awaited<ReturnType<typeof relayFixture>>[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const key = 'aB3-dEf6.hIj9_kLm2nOp5';
/** Eight characters are enough to recognize the key. */
const fragments = Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8));
const encoded = ['', ':', 'me'].map((before) => Buffer.from(before + key).toString('base64'));

async function sceneWith(respond: UpstreamHandler, channel: object = {}) {
  const scene = await relayFixture(app, { upstreams: [respond], channel: { key, ...channel } });
  scenes.push(scene);
  const rows = await app.database.selectFrom('channels').select('id').where('group', '=', scene.group).execute();
  return { ...scene, channelId: rows[0]?.id ?? 0 };
}

function expectNoSecret(text: string, address: string): void {
  for (const fragment of [...fragments, new URL(address).host, ...encoded.flatMap((word) => word.slice(4, 16))]) {
    expect(text).not.toContain(fragment);
  }
}

const error = (fields: object, status: number): UpstreamHandler =>
  reply({ error: { message: 'No.', ...fields } }, status);
const echo = (write: (address: string) => string): UpstreamHandler => {
  return (response, request) => reply(write(`http://${request.headers.host}`), 500, 'text/plain')(response, request);
};

describe('[A33.1 A33.3] keys in upstream errors', () => {
  test.each([
    ['the message', error({ message: `Incorrect API key: ${key}` }, 400)],
    ['the code', error({ code: key }, 429)],
    ['the type', error({ type: `bad:${key}` }, 500)],
    ['the param', error({ param: key }, 400)],
    ['objects instead of texts', error({ code: { key }, type: [key], message: { text: key } }, 400)],
    ['plain text', reply(`unauthorized: ${key}`, 401, 'text/plain')],
    ['an HTML page', reply(`<h1>${key}</h1>`, 502, 'text/html')],
    ['base64 text', error({ message: `Basic ${encoded[0]} ${encoded[1]} ${encoded[2]}` }, 400)],
    ['a message with half a key', error({ message: `key ${key.slice(0, 14)}… and ${key.slice(8)}` }, 403)],
    ['a message truncated inside the key', error({ message: `${'x'.repeat(1990)}${key}` }, 400)],
    ['an error inside a 200', error({ message: key, code: key }, 200)],
    ['the address it was called with', echo((address) => `cannot POST ${address}/v1/chat/completions`)],
    ['an internal address', echo(() => 'dial tcp 10.0.0.7:8080: refused; see http://vault.internal/x')],
  ])('a key in %s does not reach the client, log or metrics', async (_, respond) => {
    for (const isStream of [false, true]) {
      const scene = await sceneWith(respond);
      const response = await scene.chat({ stream: isStream });
      const address = scene.upstreams[0]?.url ?? '';
      const text = await response.text();
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(/10\.0\.0\.7|vault\.internal/);
      expectNoSecret(text + JSON.stringify([...response.headers]), address);
      const { logs } = await scene.books();
      expect(logs).toHaveLength(1);
      expectNoSecret(JSON.stringify(logs), address);
      const metrics = await app.client().request('GET', '/metrics');
      expectNoSecret(metrics.text, address);
    }
  });

  test('a key in a mid-stream error does not reach the client, log or metrics', async () => {
    const event = `data: ${JSON.stringify({ error: { message: key, code: key, type: key } })}\n\n`;
    const scene = await sceneWith(stream([textChunk('Hello'), event, done]));
    const text = await (await scene.chat({ stream: true })).text();
    expect(text).toContain('"error"');
    expectNoSecret(text + JSON.stringify((await scene.books()).logs), scene.upstreams[0]?.url ?? '');
  });
});

describe('[A33.1 A25.4] errors in custom formats', () => {
  test.each<[string, object]>([
    ['vLLM’s format', { object: 'error', message: key, code: 40301 }],
    ['FastAPI’s format', { detail: `Unauthorized ${key}` }],
    ['a list of errors', { errors: [{ message: key }] }],
    ['an error with code and msg', { code: 401, msg: `bad ${key}` }],
    ['an error with success: false', { success: false, message: key }],
    ['an error with a status', { status: 'failed', message: key }],
    ['Baidu’s format', { error_code: 17, error_msg: key }],
    ['MiniMax’s format', { base_resp: { status_code: 1004, status_msg: key } }],
    ['an error with an invalid code', { type: 'error', code: { toString: 1, valueOf: 1 }, message: key }],
    ['an error next to empty choices', { choices: [], error: { message: key } }],
    ['an error next to an empty choice', { choices: [{ index: 0, delta: {} }], error: { message: key } }],
  ])('detects %s in streams and whole responses, without showing the key', async (_, event) => {
    const line = `data: ${JSON.stringify(event)}\n\n`;
    const [late, first, whole] = [stream([textChunk('Hello'), line, done]), stream([line, done]), reply(event)];
    for (const [respond, status] of [
      [late, 200],
      [first, 400],
      [whole, 400],
    ] as const) {
      const scene = await sceneWith(respond);
      const response = await scene.chat({ stream: respond !== whole });
      expect(response.status).toBeGreaterThanOrEqual(status);
      const text = await response.text();
      expect(text).toContain('"error"');
      expectNoSecret(text + JSON.stringify((await scene.books()).logs), scene.upstreams[0]?.url ?? '');
    }
  });

  test('does not treat keep-alive events as errors', async () => {
    const signs = [{ type: 'ping' }, { status: 'processing', message: 'queued' }, { code: 0, msg: 'ok' }];
    const lines = signs.map((sign) => `data: ${JSON.stringify(sign)}\n\n`);
    const scene = await sceneWith(stream([...lines, textChunk('Hello'), ...lines, textChunk(' you'), done]));
    const text = await (await scene.chat({ stream: true })).text();
    expect(text).toContain(' you');
    expect(text).not.toContain('"error"');
  });
});

test('[A33.3] hides the key from admins in channel tests, balances, disable reasons and the log', async () => {
  const keyError = error({ message: `Incorrect API key provided: ${key}`, code: 'invalid_api_key' }, 401);
  const scene = await sceneWith(keyError, { type: 36 });
  const { channelId: id, admin } = scene;
  const replies = [
    await admin.send(channelApi.test, { params: { id }, query: {} }),
    await admin.send(channelApi.updateBalance, { params: { id } }),
    await admin.send(channelApi.upstreamModels, { params: { id } }),
  ];
  for (const { body } of replies) expect(body).toMatchObject({ success: false });
  await scene.chat();
  const read = () => admin.call(channelApi.get, { params: { id } });
  await expect.poll(async () => (await read()).status_reason).toContain('Incorrect API key');
  const logs = await admin.call(logApi.list, { query: { p: 0 } });
  expectNoSecret(JSON.stringify([replies, (await read()).status_reason, logs]), scene.upstreams[0]?.url ?? '');
});
