import { once } from 'node:events';
import { connect } from 'node:net';
import { optionApi } from '@headgate/contract';
import { reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

const stored = {
  id: 'resp_large',
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] }],
  usage: { input_tokens: 10, output_tokens: 5 },
};
/** More than fits in the socket buffers. */
const items = { data: ['x'.repeat(20 * 1024 * 1024)] };
const upstream: UpstreamHandler = (response, request) =>
  reply(request.method === 'POST' ? stored : items)(response, request);

const scene = await relayFixture(app, { upstreams: [upstream], quota: 100_000_000, channel: { type: 1 } });
afterAll(() => scene.close());
const headers = { authorization: `Bearer sk-${scene.token.key}` };
const listed = async () => {
  const response = await fetch(`${app.url}/v1/responses/resp_large/input_items`, { headers });
  await response.arrayBuffer();
  return response.status;
};

test.each(['%00', 'a%2fb', 'x'.repeat(300)])('[A14.2] returns 404 for an impossible response id: %s', async (id) => {
  const response = await fetch(`${app.url}/v1/responses/${id}`, { headers });
  await response.arrayBuffer();
  expect(response.status).toBe(404);
});

test('[A24.10] counts an unread stored response as in flight until its client disconnects', async () => {
  expect((await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi' })).status).toBe(200);
  await scene.admin.call(optionApi.update, { body: { key: 'TokenConcurrencyLimit', value: '1' } });
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  const head = [
    'GET /v1/responses/resp_large/input_items HTTP/1.1',
    'host: x',
    `authorization: ${headers.authorization}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The headers have arrived, so the response is complete and waits to be read.
  await once(socket, 'readable');
  expect(await listed()).toBe(429);
  socket.destroy();
  await expect.poll(listed).toBe(200);
});
