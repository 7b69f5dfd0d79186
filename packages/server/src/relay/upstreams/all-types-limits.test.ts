import { channelApi } from '@headgate/contract';
import { channelKey, imageUrl, reply, responseText, StubUpstream, weatherTool } from '@headgate/testkit';
import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { useWireFixtures, wireNamed } from '../../testing/relay/wire-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { stageWith, stageOf } = useWireFixtures(app);

describe('retired and proxy channel types', () => {
  test('a PaLM channel returns an error that Google has retired PaLM', async () => {
    const { sendRejected, seen, scene, channel } = await stageWith(reply({}), { type: 11, models: 'PaLM-2' });
    expect(await sendRejected({})).toMatchObject({
      status: 410,
      code: 'model_retired',
      message: expect.stringContaining('Google has retired PaLM'),
    });
    const { body } = await scene.admin.send(channelApi.test, { params: { id: channel }, query: {} });
    expect(body).toMatchObject({ success: false, message: expect.stringContaining('Google has retired PaLM') });
    expect(seen).toEqual([]);
    expect((await scene.books()).user.used_quota).toBe(0);
  });

  test('a proxy channel serves its own route and no chat requests', async () => {
    const { scene, channel, seen, sendRejected } = await stageWith(reply({ balance: 3 }), { type: 43, models: '' });
    const headers = { authorization: `Bearer sk-${scene.token.key}` };
    const response = await fetch(`${app.url}/v1/proxy/${channel}/v1/balance?x=1`, { headers });
    expect(await response.json()).toEqual({ balance: 3 });
    expect(seen).toMatchObject([{ method: 'GET', path: '/v1/balance?x=1', headers: { authorization: channelKey } }]);
    expect(await sendRejected({ model: 'gpt-4o' })).toMatchObject({ status: 404, code: 'model_not_found' });
    const { body } = await scene.admin.send(channelApi.test, { params: { id: channel }, query: {} });
    expect(body).toMatchObject({ success: false });
    expect(seen).toHaveLength(1);
  });
});

const vector = [0.5, -1];

describe('embedding encodings of other providers', () => {
  test.each([
    ['Gemini', { type: 24, models: 'text-embedding-004' }, { embeddings: [{ values: vector }] }],
    ['Ollama', { type: 30, models: 'nomic-embed-text' }, { embeddings: [vector], prompt_eval_count: 10 }],
    [
      'Cohere',
      { type: 35, models: 'embed-v4.0' },
      { embeddings: { float: [vector] }, meta: { billed_units: { input_tokens: 10 } } },
    ],
    [
      'Hunyuan',
      { type: 23, models: 'hunyuan-embedding', key: 'app-1|id-of-tencent|secret-of-tencent' },
      { Response: { Data: [{ Embedding: vector, Index: 0 }], Usage: { PromptTokens: 10, TotalTokens: 10 } } },
    ],
    [
      'Bedrock',
      { type: 33, models: 'amazon.titan-embed-text-v2:0', key: 'id-of-amazon|secret-of-amazon|us-east-1' },
      { embedding: vector, inputTextTokenCount: 10 },
    ],
    [
      'Vertex by an API key',
      { type: 42, models: 'text-embedding-005', key: 'us-east5|project-1|api-key-of-vertex' },
      { predictions: [{ embeddings: { values: vector, statistics: { token_count: 10 } } }] },
    ],
    [
      'Tongyi',
      { type: 17, models: 'text-embedding-v3' },
      { object: 'list', data: [{ index: 0, embedding: vector }], usage: { prompt_tokens: 10, total_tokens: 10 } },
    ],
  ])('returns embeddings from %s in the requested encoding', async (_, channel, response) => {
    const { client, scene } = await stageWith(reply(response), channel);
    const requested = { model: channel.models, input: 'one' };
    // The library requests base64 by default and decodes it.
    expect((await client.embeddings.create(requested)).data[0]?.embedding).toEqual(vector);
    const packed = await client.embeddings.create({ ...requested, encoding_format: 'base64' });
    expect(packed.data[0]?.embedding).toBe(Buffer.from(new Float32Array(vector).buffer).toString('base64'));
    const plain = await client.embeddings.create({ ...requested, encoding_format: 'float' });
    expect(plain.data[0]?.embedding).toEqual(vector);
    const { logs, user } = await scene.books();
    expect(logs).toHaveLength(3);
    expect(logs.every(({ quota, prompt_tokens }) => quota > 0 && prompt_tokens > 0)).toBe(true);
    expect(user.used_quota).toBe(logs.reduce((sum, { quota }) => sum + quota, 0));
  });
});

test('polls an asynchronous image until it is ready', async () => {
  let requested = 0;
  const { client, seen, scene } = await stageWith(
    (response, request) => {
      const output =
        request.method === 'POST'
          ? { task_id: 'task-1', task_status: 'PENDING' }
          : { task_id: 'task-1', task_status: 'SUCCEEDED', results: [{ url: 'https://pictures.test/1.png' }] };
      requested += 1;
      return reply({ request_id: 'r1', output })(response, request);
    },
    { type: 17, models: 'wanx-v1' },
  );
  const { data } = await client.images.generate({ model: 'wanx-v1', prompt: 'a cat', size: '1024x1024' });
  expect(data).toEqual([{ url: 'https://pictures.test/1.png' }]);
  expect(requested).toBe(2);
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: '/api/v1/services/aigc/text2image/image-synthesis',
      headers: { authorization: `Bearer ${channelKey}`, 'x-dashscope-async': 'enable' },
      body: { model: 'wanx-v1', input: { prompt: 'a cat' }, parameters: { size: '1024*1024' } },
    },
    { method: 'GET', path: '/api/v1/tasks/task-1', headers: { authorization: `Bearer ${channelKey}` } },
  ]);
  expect((await scene.books()).logs).toMatchObject([
    { type: 2, model_name: 'wanx-v1', quota: expect.toSatisfy(isPaid) },
  ]);
});

const isPaid = (quota: number) => quota > 0;

describe('unsupported features', () => {
  const stage = stageOf(wireNamed('Anthropic'));

  test.each(['embeddings', 'moderations'] as const)(
    'rejects the endpoint %s by name before a request is sent',
    async (endpoint) => {
      const { client, seen } = await stage;
      const requested = client[endpoint].create({ model: 'claude-3-5-haiku-20241022', input: 'one' });
      await expect(requested).rejects.toMatchObject({
        status: 400,
        code: 'not_offered',
        message: expect.stringContaining(`/v1/${endpoint}`),
      });
      expect(seen).toEqual([]);
    },
  );

  test.each([
    ['Anthropic', 'n', { n: 2 }],
    ['Anthropic', 'logprobs', { logprobs: true }],
    ['DeepL', 'tools', { tools: [weatherTool] }],
    ['Coze', 'tools', { tools: [weatherTool] }],
    ['Baidu, version 1', 'tools', { tools: [weatherTool] }],
    ['Spark by socket', 'response_format', { response_format: { type: 'json_object' } }],
    ['Bedrock with Llama', 'tools', { tools: [weatherTool] }],
    ['AI Proxy library', 'response_format', { response_format: { type: 'json_object' } }],
    ['Ollama', 'tool_choice', { tools: [weatherTool], tool_choice: 'required' }],
  ])('%s rejects %s by name before a request is sent', async (name, param, body) => {
    const { sendRejected, seen, scene } = await stageOf(wireNamed(name));
    const error = await sendRejected(body);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param });
    expect(error?.message).toContain(param);
    expect(seen.filter(({ path }) => !path.startsWith('/oauth/'))).toEqual([]);
    expect((await scene.books()).user.used_quota).toBe(0);
  });
});

describe('images for providers that need them inline', () => {
  const looking = (url: string) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  });

  test.each(['Gemini', 'Ollama', 'Cohere', 'Bedrock with Claude', 'Vertex with Gemini'])(
    '%s: does not fetch an image from a loopback address',
    async (name) => {
      const inside = await StubUpstream.start(reply('secret', 200, 'image/png'));
      const { sendRejected, seen } = await stageOf(wireNamed(name));
      const { port } = new URL(inside.url);
      for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '0x7f.1']) {
        const error = await sendRejected(looking(`http://${host}:${port}/secret.png`));
        expect(error).toMatchObject({ status: 400, code: 'invalid_image_url', type: 'invalid_request_error' });
        expect(error?.message).toMatch(/An image of the request (may not|could not) be fetched/);
      }
      expect(inside.received).toEqual([]);
      await inside.close();
      expect(seen.filter(({ path }) => path !== '/token')).toEqual([]);
    },
  );

  test('forwards an image contained in the request', async () => {
    const wire = wireNamed('Gemini');
    const { client, seen, respondWith } = await stageOf(wire);
    respondWith(wire.respond({ isStream: false, isCall: false }));
    const requested = { model: wire.model, ...looking(imageUrl) } as OpenAI.ChatCompletionCreateParamsNonStreaming;
    expect((await client.chat.completions.create(requested)).choices[0]?.message.content).toBe(responseText);
    const data = imageUrl.split(',')[1];
    expect(seen[0]?.body).toMatchObject({
      contents: [{ parts: [{ text: 'what?' }, { inlineData: { mimeType: 'image/png', data } }] }],
    });
  });
});
