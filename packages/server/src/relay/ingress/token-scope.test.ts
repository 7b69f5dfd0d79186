import { tokenApi, tokenDialects, tokenEndpoints } from '@headgate/contract';
import { endpointKinds } from '@headgate/relay';
import { reply } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '0' } });
const scene = await relayFixture(app, { upstreams: [reply({ error: { message: 'no' } }, 400)] });
afterAll(() => scene.close());

const model = 'gpt-4o';
const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ parts: [{ text: 'hi' }] }];

function form(file: string): FormData {
  const fields = new FormData();
  fields.set('model', model);
  fields.set('prompt', 'hi');
  fields.set(file, new Blob(['bytes']), 'file.png');
  return fields;
}

type Endpoint = keyof typeof tokenEndpoints;
type Dialect = keyof typeof tokenDialects;
type EndpointCase = readonly [path: string, body: object, endpoint: Endpoint, dialect: Dialect];

const endpoints: readonly EndpointCase[] = [
  ['/v1/chat/completions', { model, messages }, 'conversations', 'openai'],
  ['/v1/responses', { model, input: 'hi' }, 'conversations', 'openai'],
  ['/v1/responses/compact', { model, input: messages }, 'conversations', 'openai'],
  ['/v1/messages', { model, max_tokens: 5, messages }, 'conversations', 'anthropic'],
  ['/v1/messages/count_tokens', { model, messages }, 'conversations', 'anthropic'],
  [`/v1beta/models/${model}:generateContent`, { contents }, 'conversations', 'gemini'],
  [`/v1/models/${model}:generateContent`, { contents }, 'conversations', 'gemini'],
  [`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents }, 'conversations', 'gemini'],
  [`/v1beta/models/${model}:countTokens`, { contents }, 'conversations', 'gemini'],
  [`/v1beta/models/${model}:embedContent`, { content: contents[0] }, 'embeddings', 'gemini'],
  [
    `/v1beta/models/${model}:batchEmbedContents`,
    { requests: [{ model: `models/${model}`, content: contents[0] }] },
    'embeddings',
    'gemini',
  ],
  ['/api/chat', { model, messages }, 'conversations', 'ollama'],
  ['/api/generate', { model, prompt: 'hi' }, 'conversations', 'ollama'],
  ['/api/generate', { model, prompt: 'hi', suffix: 'you' }, 'completions', 'ollama'],
  ['/api/embed', { model, input: 'hi' }, 'embeddings', 'ollama'],
  ['/v1/completions', { model, prompt: 'hi' }, 'completions', 'openai'],
  ['/v1/embeddings', { model, input: 'hi' }, 'embeddings', 'openai'],
  [`/v1/engines/${model}/embeddings`, { input: 'hi' }, 'embeddings', 'openai'],
  ['/v1/moderations', { model, input: 'hi' }, 'moderations', 'openai'],
  ['/v1/rerank', { model, query: 'hi', documents: ['you'] }, 'rerank', 'openai'],
  ['/v2/rerank', { model, query: 'hi', documents: ['you'] }, 'rerank', 'openai'],
  ['/v1/ocr', { model, document: { type: 'image_url', image_url: 'https://x.example/a.png' } }, 'ocr', 'openai'],
  ['/v1/images/generations', { model, prompt: 'hi' }, 'images', 'openai'],
  ['/v1/images/edits', form('image'), 'images', 'openai'],
  ['/v1/audio/speech', { model, input: 'hi', voice: 'alloy' }, 'speech', 'openai'],
  ['/v1/audio/transcriptions', form('file'), 'transcriptions', 'openai'],
  ['/v1/audio/translations', form('file'), 'transcriptions', 'openai'],
];

const others = (names: object, own: string) =>
  Object.keys(names)
    .filter((name) => name !== own)
    .join(',');

const narrowing = { models: '', dialects: '', endpoints: '' };
const narrow = (fields: object) =>
  scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, ...narrowing, ...fields } });

const send = (path: string, body: object, headers: Record<string, string>) =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...(!(body instanceof FormData) && { 'content-type': 'application/json' }) },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });

test('[A47.8] the cases cover every endpoint', () => {
  const tried = endpoints.map(([path]) => path);
  expect(Object.values(endpointKinds).filter(({ path }) => !tried.some((each) => each.startsWith(path)))).toEqual([]);
});

describe.each(endpoints)('scope of %s', (path, body, endpoint, dialect) => {
  test('[A47.8] accepts a token restricted to this endpoint, and rejects a token restricted to any other', async () => {
    const authorization = `Bearer sk-${scene.token.key}`;
    const before = scene.upstreams[0]?.received.length;
    for (const scope of [
      { endpoints: others(tokenEndpoints, endpoint) },
      { dialects: others(tokenDialects, dialect) },
      { models: 'another-model,gpt-4o-*' },
    ]) {
      await narrow(scope);
      expect((await send(path, body, { authorization })).status, JSON.stringify(scope)).toBe(403);
    }
    expect(scene.upstreams[0]?.received.length).toBe(before);
    await narrow({ endpoints: endpoint, dialects: dialect, models: 'gpt-4*' });
    expect((await send(path, body, { authorization })).status).not.toBe(403);
  });
});

test('[A47.9] accepts the rotated key of a token on every endpoint and in every header until it expires', async () => {
  const made = await relayFixture(app, { upstreams: [reply({ error: { message: 'no' } }, 400)] });
  const params = { id: made.token.id };
  const old = `sk-${made.token.key}`;
  const ways = [
    { authorization: `Bearer ${old}` },
    { 'x-api-key': old },
    { 'x-goog-api-key': old },
    { 'api-key': old },
  ] as const;
  // An address with many unknown keys gets 429.
  const isUnknown = ({ status }: Response) => status === 401 || status === 429;
  const statuses = async () => {
    const found: (readonly [string, boolean])[] = [];
    for (const [path, body] of endpoints)
      for (const way of ways) found.push([path, isUnknown(await send(path, body, way as Record<string, string>))]);
    found.push(['a query', isUnknown(await fetch(`${app.url}/v1beta/models?key=${old}`))]);
    return found;
  };
  await made.client.call(tokenApi.rotate, { params, body: { grace: 600 } });
  expect((await statuses()).filter(([, isRejected]) => isRejected)).toEqual([]);
  await made.client.call(tokenApi.endOldKey, { params });
  expect((await statuses()).filter(([, isRejected]) => !isRejected)).toEqual([]);
  await made.close();
});
