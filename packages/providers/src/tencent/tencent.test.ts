import { RequestProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { hunyuanChat } from './chat.ts';
import { hunyuanEmbeddings, tencent } from './index.ts';

const triple = { ...testUpstream, key: '1|id|secret', model: 'hunyuan-embedding' };

test('signs requests with a multi-part key, and passes requests with a plain key through', () => {
  expect(typeof tencent.chat === 'function' && tencent.chat(triple)).toBe(hunyuanChat);
  expect(typeof tencent.embeddings === 'function' && tencent.embeddings(triple)).toBe(hunyuanEmbeddings);
  expect(passThroughEndpoint(tencent, 'chat').send(testUpstream)).toEqual({
    url: 'https://upstream.test/v1/chat/completions',
    headers: { authorization: 'Bearer test-key' },
  });
});

test("uses a separate host for OpenAI's dialect", () => {
  const upstream = { ...testUpstream, baseUrl: tencent.baseUrl };
  expect(passThroughEndpoint(tencent, 'embeddings').send(upstream).url).toBe(
    'https://api.hunyuan.cloud.tencent.com/v1/embeddings',
  );
  expect(tencent.modelList?.request(upstream).url).toBe('https://api.hunyuan.cloud.tencent.com/v1/models');
  expect(() => tencent.modelList?.request(triple)).toThrow(RequestProblem);
});

describe('Tencent embeddings', () => {
  test('requests embeddings with a signed call', () => {
    const { body, headers } = hunyuanEmbeddings.encode({ input: ['a', 'b'] }, triple);
    expect(headers).toMatchObject({ 'x-tc-action': 'GetEmbedding', 'x-tc-version': '2023-09-01' });
    expect(body).toBe('{"InputList":["a","b"]}');
    expect(() => hunyuanEmbeddings.encode({ input: 'a', dimensions: 3 }, triple)).toThrow(RequestProblem);
  });

  test('returns embeddings ordered by index, with usage', () => {
    const body = {
      Response: {
        Data: [
          { Embedding: [0.5], Index: 1, Object: 'embedding' },
          { Embedding: [0.25], Index: 0, Object: 'embedding' },
        ],
        Usage: { TotalTokens: 4 },
      },
    };
    expect(hunyuanEmbeddings.decode(body, triple)).toMatchObject({
      reply: {
        data: [
          { index: 0, embedding: [0.25] },
          { index: 1, embedding: [0.5] },
        ],
      },
      usage: { promptTokens: 4, completionTokens: 0 },
    });
  });

  test.each([
    [{ Response: { Error: { Code: 'UnauthorizedOperation', Message: 'no' } } }, 403],
    [{ Response: { Data: [] } }, 502],
    [null, 502],
  ])('fails on a response without embeddings: %j', (body, status) => {
    expect(() => hunyuanEmbeddings.decode(body, triple)).toThrow(expect.objectContaining({ status }));
  });
});
