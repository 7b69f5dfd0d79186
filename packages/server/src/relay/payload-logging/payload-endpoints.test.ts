import { chatResponse, embeddingResponse, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payloadFixture, requestIdOf } from '../../testing/relay/payload-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { KeepBodies: 'admins' } });

let scene: Awaited<ReturnType<typeof payloadFixture>>;

const respond: UpstreamHandler = (response, request) => {
  if (request.path.endsWith('/embeddings')) return embeddingResponse(response, request);
  if (request.path.endsWith('/models')) return reply({ data: [] })(response, request);
  return reply(chatResponse())(response, request);
};

beforeAll(async () => {
  scene = await payloadFixture(app, { upstreams: [respond], channel: { models: 'gpt-4o,text-embedding-3-small' } });
});
afterAll(() => scene.close());

const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ parts: [{ text: 'hi' }] }];
const model = 'gpt-4o';

const endpoints = [
  ['/v1/chat/completions', { model, messages }],
  ['/v1/completions', { model, prompt: 'hi' }],
  ['/v1/messages', { model, max_tokens: 5, messages }],
  ['/v1/responses', { model, input: 'hi' }],
  ['/v1beta/models/gpt-4o:generateContent', { contents }],
  ['/api/chat', { model, messages, stream: false }],
  ['/api/generate', { model, prompt: 'hi', stream: false }],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }],
] as const;

test.each(endpoints)("stores requests to %s in the client's format", async (path, body) => {
  const response = await scene.post(path, body);
  const responded = await response.text();
  expect(response.status, responded).toBe(200);
  expect((await scene.read(requestIdOf(response))).body.data).toMatchObject({
    request: { text: JSON.stringify(body) },
    answer: { text: responded },
  });
});

test('stores proxied requests', async () => {
  const body = JSON.stringify({ anything: 'goes' });
  const proxied = await payloadFixture(app, { upstreams: [reply({ passed: 'on' })], channel: { type: 43 } });
  const [channel] = await app.database.selectFrom('channels').select('id').where('group', '=', proxied.group).execute();
  const response = await proxied.post(`/v1/proxy/${channel?.id}/v1/things`, body);
  const responded = await response.text();
  expect([response.status, responded]).toEqual([200, '{"passed":"on"}']);
  expect((await proxied.read(requestIdOf(response))).body.data).toMatchObject({
    status: 200,
    request: { text: body },
    answer: { text: responded },
  });
  await proxied.close();
});
