import { RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { wenxinChat } from './chat.ts';
import { accessToken, baidu, wenxinEmbeddings } from './index.ts';

const pair = { ...testUpstream, key: 'id|se cret', model: 'Embedding-V1', credential: 'T&x' };

test('uses version 1 for a key pair, and version 2 for any other key', () => {
  expect(typeof baidu.chat === 'function' && baidu.chat(pair)).toBe(wenxinChat);
  expect(typeof baidu.embeddings === 'function' && baidu.embeddings(pair)).toBe(wenxinEmbeddings);
  const key = 'bce-v3/ALTAK-x/y';
  expect(passThroughEndpoint(baidu, 'chat', { key }).send({ ...testUpstream, key })).toEqual({
    url: 'https://upstream.test/v2/chat/completions',
    headers: { authorization: `Bearer ${key}` },
  });
});

test('uses a separate host for version 2', () => {
  const upstream = { ...testUpstream, baseUrl: baidu.baseUrl };
  expect(passThroughEndpoint(baidu, 'embeddings').send(upstream).url).toBe(
    'https://qianfan.baidubce.com/v2/embeddings',
  );
  expect(baidu.modelList?.request(upstream).url).toBe('https://qianfan.baidubce.com/v2/models');
  expect(() => baidu.modelList?.request(pair)).toThrow(RequestProblem);
});

test("maps model names to version 2's lowercase names", () => {
  const patched = (model: string) => passThroughEndpoint(baidu, 'chat').patch?.({}, { ...testUpstream, model });
  expect(patched('ERNIE-4.0-8K')).toEqual({ model: 'ernie-4.0-8k' });
  expect(patched('DeepSeek-V3')).toEqual({});
  const upstream = { ...testUpstream, model: 'Embedding-V1' };
  expect(passThroughEndpoint(baidu, 'embeddings').patch?.({ encoding_format: 'base64' }, upstream)).toEqual({
    model: 'embedding-v1',
    encoding_format: undefined,
  });
});

describe('Baidu key pair exchange', () => {
  test('sends both parts of a pair, and sends nothing for any other key', () => {
    expect(accessToken.request(pair)).toEqual({
      method: 'POST',
      url: 'https://upstream.test/oauth/2.0/token?grant_type=client_credentials&client_id=id&client_secret=se+cret',
      headers: {},
    });
    expect(accessToken.request(testUpstream)).toBeUndefined();
  });

  test('returns the token and its lifetime', () => {
    expect(accessToken.read({ access_token: 'T', expires_in: 99 })).toEqual({ credential: 'T', seconds: 99 });
    expect(accessToken.read({ access_token: 'T' })).toEqual({ credential: 'T', seconds: 2_592_000 });
  });

  test.each([{ error: 'invalid_client', error_description: 'unknown client id' }, {}, null, 'x'])(
    'reports an invalid key when the token exchange fails: %j',
    (body) => {
      expect(() => accessToken.read(body)).toThrow(UpstreamProblem);
      expect(() => accessToken.read(body)).toThrow(expect.objectContaining({ status: 401 }));
    },
  );
});

describe('Baidu version 1 embeddings', () => {
  test('requests embeddings with model and token in the URL', () => {
    expect(wenxinEmbeddings.encode({ input: 'hi' }, pair)).toEqual({
      method: 'POST',
      url: 'https://upstream.test/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/embedding-v1?access_token=T%26x',
      headers: { 'content-type': 'application/json' },
      body: '{"input":["hi"]}',
    });
    expect(() => wenxinEmbeddings.encode({ input: 'hi', dimensions: 5 }, pair)).toThrow(RequestProblem);
  });

  test('returns embeddings ordered by index, with usage', () => {
    const body = {
      data: [
        { object: 'embedding', embedding: [0.5], index: 1 },
        { object: 'embedding', embedding: [0.25], index: 0 },
      ],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    };
    expect(wenxinEmbeddings.decode(body, pair)).toMatchObject({
      reply: {
        data: [
          { index: 0, embedding: [0.25] },
          { index: 1, embedding: [0.5] },
        ],
        model: 'asked-model',
      },
      usage: { promptTokens: 4, completionTokens: 0 },
    });
  });

  test.each([
    [{ error_code: 111, error_msg: 'expired' }, 401],
    [{ data: [] }, 502],
    [{ data: [null, { embedding: 'x' }] }, 502],
    [null, 502],
  ])('fails on a response without embeddings: %j', (body, status) => {
    expect(() => wenxinEmbeddings.decode(body, pair)).toThrow(expect.objectContaining({ status }));
  });
});
