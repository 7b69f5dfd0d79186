import { expect, test } from 'vitest';
import { withRequestedEncoding } from '../embeddings-format.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { embeddings, gemini } from './index.ts';

const upstream = { ...testUpstream, model: 'gemini-embedding-001' };

test('embeds texts in one batch', () => {
  const { body, ...rest } = embeddings.encode({ input: ['a', 'b'], dimensions: 2 }, upstream);
  expect(rest).toEqual({
    method: 'POST',
    url: 'https://upstream.test/v1beta/models/gemini-embedding-001:batchEmbedContents',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'test-key' },
  });
  const request = (text: string) => ({
    model: 'models/gemini-embedding-001',
    content: { parts: [{ text }] },
    outputDimensionality: 2,
  });
  expect(JSON.parse(body ?? '')).toEqual({ requests: [request('a'), request('b')] });
});

test.each([[[]], [[1, 2]], [[[1, 2]]], [{}], [undefined], [['a', null]]])(
  'rejects the embeddings input %j',
  (input) => {
    expect(() => embeddings.encode({ input }, upstream)).toThrow('input');
  },
);

test('returns vectors in order', () => {
  const response = embeddings.decode({ embeddings: [{ values: [0.5, 1] }, { values: [2, 3] }] }, upstream);
  expect(response).toEqual({
    reply: {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, 1] },
        { object: 'embedding', index: 1, embedding: [2, 3] },
      ],
      model: 'asked-model',
      usage: { prompt_tokens: 0, total_tokens: 0 },
    },
  });
});

test('returns the usage that the upstream reports', () => {
  const body = { embeddings: [{ values: [1] }], usageMetadata: { promptTokenCount: 3 } };
  expect(embeddings.decode(body, upstream)).toMatchObject({ usage: { promptTokens: 3, completionTokens: 0 } });
});

test.each([null, {}, { embeddings: [] }, { embeddings: [{ values: ['x'] }] }])(
  'fails on the embeddings response %j',
  (body) => {
    expect(() => embeddings.decode(body, upstream)).toThrow('no embeddings');
  },
);

test("returns base64 vectors, which OpenAI's libraries request by default", () => {
  const reply = { data: [{ index: 0, embedding: [0.5, -1] }, 'odd'] };
  const [row] = (withRequestedEncoding(reply, { encoding_format: 'base64' })['data'] ?? []) as readonly {
    embedding: string;
  }[];
  const bytes = Buffer.from(row?.embedding ?? '', 'base64');
  expect([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([8, 0.5, -1]);
  expect(withRequestedEncoding(reply, { encoding_format: 'float' })).toBe(reply);
});

test('lists models for chat and embeddings', () => {
  const models = [
    { name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['generateContent', 'countTokens'] },
    { name: 'models/gemini-embedding-001', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/veo-3', supportedGenerationMethods: ['predictLongRunning'] },
    null,
  ];
  expect(gemini.modelList?.read({ models })).toEqual(['gemini-2.5-flash', 'gemini-embedding-001']);
  expect(gemini.modelList?.read({ data: [{ id: 'models/gemini-2.5-pro' }] })).toEqual(['gemini-2.5-pro']);
  expect(gemini.modelList?.read(null)).toEqual([]);
  expect(gemini.modelList?.request(upstream).url).toBe('https://upstream.test/v1beta/models?pageSize=1000');
});

test("uses OpenAI's dialect at the compatibility URL", () => {
  const compatible = { ...upstream, baseUrl: 'https://upstream.test/v1beta/openai' };
  const { chat, embeddings: embed, modelList } = gemini;
  const sent = [chat, embed].map((endpoint) => {
    const chosen = typeof endpoint === 'function' ? endpoint(compatible) : endpoint;
    return chosen?.kind === 'pass' && chosen.send(compatible).url;
  });
  expect(sent).toEqual([`${compatible.baseUrl}/chat/completions`, `${compatible.baseUrl}/embeddings`]);
  expect(modelList?.request(compatible)).toEqual({
    method: 'GET',
    url: `${compatible.baseUrl}/models`,
    headers: { authorization: 'Bearer test-key' },
  });
});
