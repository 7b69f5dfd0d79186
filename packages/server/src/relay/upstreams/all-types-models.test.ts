import { channelApi } from '@headgate/contract';
import { bearer, channelKey, reply, type Wire, wires } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { useWireFixtures, wireNamed } from '../../testing/relay/wire-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { stageOf } = useWireFixtures(app);

const names = ['model-a', 'model-b'];
const openaiList = { object: 'list', data: names.map((id) => ({ id, object: 'model' })) };

interface ListRow {
  readonly path: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly response?: unknown;
  readonly models?: readonly string[];
}

/** Model list endpoints that differ from OpenAI's. */
const rows: Readonly<Record<string, ListRow>> = {
  'Azure by a dated version': { path: '/openai/models?api-version=2024-10-21', headers: { 'api-key': channelKey } },
  'Azure without dates': { path: '/openai/v1/models', headers: { 'api-key': channelKey } },
  DeepSeek: { path: '/models' },
  Doubao: { path: '/api/v3/models' },
  Novita: { path: '/models' },
  Cloudflare: {
    path: '/client/v4/accounts/account-1/ai/models/search?per_page=1000',
    response: {
      success: true,
      result: [
        ...names.map((name) => ({ name, task: { name: 'Text Generation' } })),
        { name: 'x', task: { name: 'Hearing' } },
      ],
    },
  },
  'Baidu, version 2': {
    path: '/v2/models',
    headers: { authorization: 'Bearer bce-v3/ALTAK-abc/secret-key-of-the-channel' },
  },
  Zhipu: { path: '/api/paas/v4/models', headers: { authorization: expect.stringMatching(/^Bearer eyJ/) } },
  'Tongyi, compatible': { path: '/compatible-mode/v1/models' },
  'Tongyi with a plugin': { path: '/compatible-mode/v1/models' },
  'Gemini, compatible': { path: '/v1beta/openai/models' },
  'Ollama, compatible': { path: '/api/tags', response: { models: names.map((name) => ({ name })) } },
  'Cohere, compatible': {
    path: '/v1/models?page_size=1000',
    response: { models: names.map((name) => ({ name, endpoints: ['chat'] })) },
  },
  Anthropic: { path: '/v1/models?limit=1000', headers: { 'x-api-key': channelKey, 'anthropic-version': '2023-06-01' } },
  Gemini: {
    path: '/v1beta/models?pageSize=1000',
    headers: { 'x-goog-api-key': channelKey },
    response: {
      models: names.map((name) => ({ name: `models/${name}`, supportedGenerationMethods: ['generateContent'] })),
    },
  },
  'Vertex with Gemini': {
    path: '/v1beta1/publishers/google/models?pageSize=300',
    headers: { authorization: 'Bearer ya29.token-of-an-hour', 'x-goog-user-project': 'project-1' },
    response: { publisherModels: [{ name: 'publishers/google/models/gemini-2.5-pro' }] },
    models: ['gemini-2.5-pro'],
  },
  'Bedrock with Nova': {
    path: '/foundation-models?byOutputModality=TEXT',
    headers: { authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE-1\//) },
    response: {
      modelSummaries: names.map((modelId) => ({ modelId, inferenceTypesSupported: ['ON_DEMAND'] })),
    },
  },
  Ollama: { path: '/api/tags', response: { models: names.map((name) => ({ name })) } },
  Cohere: {
    path: '/v1/models?page_size=1000',
    response: { models: names.map((name) => ({ name, endpoints: ['embed'] })) },
  },
  DeepL: {
    path: '/v2/languages?type=target',
    headers: { authorization: `DeepL-Auth-Key ${channelKey}` },
    response: [{ language: 'DE' }, { language: 'EN-GB' }],
    models: ['deepl-de', 'deepl-en-gb'],
  },
};

const unlisted = new Set([
  ...['Baichuan', 'FastGPT', 'Spark by HTTP', 'Spark by socket', 'Coze', 'AI Proxy library'],
  ...['Baidu, version 1', 'Hunyuan, signed'],
]);
/** Wires with the same model list as another wire of their type. */
const alike = new Set(['Vertex with Claude', 'Bedrock with Claude', 'Bedrock with Llama']);

describe('model lists of providers', () => {
  test.each(wires.filter(({ name }) => !unlisted.has(name) && !alike.has(name)))(
    'lists the models of $type $name',
    async (wire) => {
      const {
        path,
        headers = { authorization: bearer },
        response = openaiList,
        models = names,
      } = rows[wire.name] ?? usual;
      const { scene, channel, upstream, respondWith } = await stageOf(wire);
      respondWith(reply(response));
      expect(await scene.admin.call(channelApi.upstreamModels, { params: { id: channel } })).toEqual(models);
      expect(upstream.received.at(-1)).toMatchObject({ method: 'GET', path, headers });
      const { key, config = '', other = '', base_url = upstream.url } = wire.channel(upstream.url) as Form;
      const body = { type: wire.type, key, config, other, base_url };
      expect(await scene.admin.call(channelApi.upstreamModelsWith, { body })).toEqual(models);
      respondWith(wire.reject(`Not with ${key}`));
      const rejected = await scene.admin.send(channelApi.upstreamModelsWith, { body });
      expect(rejected.body).toMatchObject({
        success: false,
        message: expect.stringMatching(/^The provider responded: /),
      });
      expect(JSON.stringify(rejected.body)).not.toContain(key);
    },
  );
});

const usual: ListRow = { path: '/v1/models' };

type Form = ReturnType<Wire['channel']> & Partial<Record<'config' | 'other' | 'base_url', string>>;

test.each([...unlisted])('%s returns an error that it has no model list', async (name) => {
  const { scene, channel, seen } = await stageOf(wireNamed(name));
  const { body } = await scene.admin.send(channelApi.upstreamModels, { params: { id: channel } });
  expect(body).toMatchObject({ success: false, message: expect.stringMatching(/models/) });
  expect(seen.filter(({ path }) => !path.startsWith('/oauth/'))).toEqual([]);
});
