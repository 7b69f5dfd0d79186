import { optionApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { documents, expectRerankRequest, query, rerankWires } from '../../testing/relay/rerank-wires.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '1' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneOf(options: Parameters<typeof relayFixture>[1]): Promise<Scene> {
  const scene = await relayFixture(app, options);
  scenes.push(scene);
  return scene;
}

const ranking = (model: string) => ({ model, query, documents, top_n: 2, return_documents: true });

const ranked = [
  { index: 1, relevance_score: 0.98, document: { text: documents[1] } },
  { index: 2, relevance_score: 0.12, document: { text: documents[2] } },
];

describe.each(rerankWires)('rerank through $name', (wire) => {
  test("returns a rerank in Cohere's format and charges the reported usage", async () => {
    const { type, key, model } = wire;
    const scene = await sceneOf({ upstreams: [wire.respond], channel: { type, key, models: model } });
    const response = await scene.post('/v1/rerank', ranking(model));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ results: ranked });
    expectRerankRequest(wire, scene.upstreams[0]?.received[0]);
    const { logs, user, drift } = await scene.books();
    const reported = 'prompt' in wire.reported ? wire.reported : { prompt: 0 };
    expect(logs).toMatchObject([
      { model_name: model, prompt_tokens: reported.prompt, completion_tokens: 0, ended_by: '' },
    ]);
    expect(logs[0]?.request_id).toBe(response.headers.get('x-request-id'));
    const detail = JSON.parse(logs[0]?.detail ?? '{}');
    const units = 'units' in wire.reported ? wire.reported.units : 0;
    expect(detail.units ?? 0).toBe(units);
    expect(detail.counted).toBeUndefined();
    expect([logs[0]?.quota, drift]).toEqual([Math.ceil((reported.prompt + units) * detail.model_ratio), 0]);
    expect(user.used_quota).toBe(logs[0]?.quota);
  });

  test('accepts documents that are objects with a text', async () => {
    const { type, key, model } = wire;
    const scene = await sceneOf({ upstreams: [wire.respond], channel: { type, key, models: model } });
    const body = { ...ranking(model), documents: documents.map((text) => ({ text })) };
    expect((await scene.post('/v1/rerank', body)).status).toBe(200);
  });
});

test("serves Cohere's path and charges Cohere's price per search", async () => {
  const [cohere] = rerankWires.filter(({ name }) => name === 'Cohere');
  if (!cohere) throw new Error('Cohere is not among the wires.');
  const scene = await sceneOf({ upstreams: [cohere.respond], channel: { type: 35, models: cohere.model } });
  const response = await scene.post('/v2/rerank', { model: cohere.model, query, documents });
  expect(await response.json()).toEqual({
    id: 'rank-1',
    model: cohere.model,
    results: [
      { index: 1, relevance_score: 0.98 },
      { index: 2, relevance_score: 0.12 },
    ],
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  });
  // Two dollars per thousand searches, at 500,000 points per dollar.
  expect((await scene.books()).logs[0]?.quota).toBe(1000);
});

test('maps the model and lists hints that the provider does not support', async () => {
  const [cohere] = rerankWires.filter(({ name }) => name === 'Cohere');
  const channel = { type: 35, models: 'my-ranker', model_mapping: JSON.stringify({ 'my-ranker': 'rerank-v3.5' }) };
  const scene = await sceneOf({ upstreams: [cohere?.respond ?? reply({})], channel });
  const response = await scene.post('/v1/rerank', { ...ranking('my-ranker'), max_chunks_per_doc: 5 });
  expect(await response.json()).toMatchObject({ model: 'my-ranker' });
  expect(response.headers.get('x-headgate-ignored')).toBe('max_chunks_per_doc');
  expect(scene.upstreams[0]?.received[0]?.body).toMatchObject({ model: 'rerank-v3.5' });
  const [log] = (await scene.books()).logs;
  expect(JSON.parse(log?.detail ?? '{}')).toMatchObject({ upstream_model: 'rerank-v3.5' });
});

test('tries the next channel if one fails or returns no rerank results', async () => {
  const model = 'bge-reranker-v2-m3';
  const good = rerankWires[0]?.respond ?? reply({});
  for (const bad of [reply({ error: { message: 'down' } }, 503), reply({ code: 50505, message: 'overloaded' })]) {
    const scene = await sceneOf({ upstreams: [bad, good], channel: { models: model } });
    expect((await scene.post('/v1/rerank', ranking(model))).status).toBe(200);
    expect(scene.upstreams.map(({ received }) => received.length)).toEqual([1, 1]);
    const { logs } = await scene.books();
    expect(logs).toHaveLength(1);
    expect(JSON.parse(logs[0]?.detail ?? '{}').attempts).toHaveLength(1);
  }
});

test('rejects a channel type without rerank by name and charges nothing', async () => {
  const scene = await sceneOf({ upstreams: [completion()], channel: { type: 36 } });
  const response = await scene.post('/v1/rerank', ranking('gpt-4o'));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('does not support /v1/rerank'), code: 'not_offered' },
  });
  expect((await scene.books()).user.used_quota).toBe(0);
});

describe('[A5.12] invalid rerank requests', () => {
  const long = 'x'.repeat(5000);
  const rejections: readonly [string, object, string][] = [
    ['no query', { query: undefined }, 'query must be text'],
    ['an empty query', { query: '' }, 'query must not be empty'],
    ['no documents', { documents: [] }, 'documents must not be empty'],
    ['a document that is a number', { documents: [1] }, 'documents[0] must be text or an object with a text field'],
    ['an image', { documents: [{ text: 'a', image: 'b' }] }, 'documents[0].image is not supported'],
    [
      'a thousand long documents',
      { query: long, documents: Array(1000).fill('a') },
      'query is too long for this number',
    ],
    ['too many documents', { documents: Array(10_001).fill('a') }, 'documents must contain at most 10000'],
    ['top_n of zero', { top_n: 0 }, 'top_n is invalid'],
    ['two spellings', { Documents: ['a'] }, 'Unknown field Documents. Use documents instead'],
    ['a queue priority', { priority: 9 }, 'priority with this value is not allowed'],
  ];
  test.each(rejections)('rejects %s before sending the request', async (_, fields, message) => {
    const scene = await sceneOf({ upstreams: [completion()] });
    const response = await scene.post('/v1/rerank', { ...ranking('gpt-4o'), ...fields });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
    expect(scene.upstreams[0]?.received).toHaveLength(0);
  });
});
