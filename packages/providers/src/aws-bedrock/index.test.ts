import { describe, expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { awsBedrock, embeddings } from './index.ts';

const upstream = { ...testUpstream, key: 'ABSKx|us-east-1' };
const titan = { ...upstream, model: 'amazon.titan-embed-text-v2:0' };
const cohere = { ...upstream, model: 'cohere.embed-v4:0' };

describe('Bedrock embeddings', () => {
  test('sends one text to Titan and counts its tokens', () => {
    const request = embeddings.encode({ input: 'Hello', dimensions: 256 }, titan);
    expect(request.url).toBe('https://upstream.test/model/amazon.titan-embed-text-v2%3A0/invoke');
    expect(JSON.parse(request.body ?? '')).toEqual({ inputText: 'Hello', dimensions: 256 });
    expect(() => embeddings.encode({ input: ['a', 'b'] }, titan)).toThrow('input');
    expect(embeddings.decode({ embedding: [0.5, -1], inputTextTokenCount: 3 }, titan)).toEqual({
      reply: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5, -1] }],
        model: 'asked-model',
        usage: { prompt_tokens: 3, total_tokens: 3 },
      },
      usage: { promptTokens: 3, completionTokens: 0 },
    });
  });

  test('sends many texts to Cohere', () => {
    const request = embeddings.encode({ input: ['a', 'b'], dimensions: 512, input_type: 'search_query' }, cohere);
    expect(JSON.parse(request.body ?? '')).toEqual({
      texts: ['a', 'b'],
      input_type: 'search_query',
      embedding_types: ['float'],
      output_dimension: 512,
    });
    for (const response of [{ embeddings: { float: [[1], [2]] } }, { embeddings: [[1], [2]] }]) {
      expect(embeddings.decode(response, cohere)).toMatchObject({
        reply: { data: [{ embedding: [1] }, { index: 1, embedding: [2] }] },
      });
    }
  });

  test.each([null, {}, { embedding: [] }, { embeddings: [[1], 'x'] }])(
    'fails on the embeddings response %j',
    (response) => {
      expect(() => embeddings.decode(response, titan)).toThrow(expect.objectContaining({ status: 502 }));
    },
  );
});

describe('Bedrock model list', () => {
  test('requests the model list from the control plane', () => {
    const listRequest = (baseUrl: string) => awsBedrock.modelList?.request({ ...upstream, baseUrl });
    expect(listRequest('')).toEqual({
      method: 'GET',
      url: 'https://bedrock.us-east-1.amazonaws.com/foundation-models?byOutputModality=TEXT',
      headers: { accept: 'application/json', authorization: 'Bearer ABSKx' },
    });
    expect(listRequest('https://vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com')?.url).toBe(
      'https://vpce-1.bedrock.us-east-1.vpce.amazonaws.com/foundation-models?byOutputModality=TEXT',
    );
  });

  test('lists ids that can be called directly', () => {
    const modelArn = 'arn:aws:bedrock:eu-central-1::foundation-model/x';
    const modelSummaries = [
      { modelId: 'amazon.nova-pro-v1:0', modelArn, inferenceTypesSupported: ['ON_DEMAND', 'INFERENCE_PROFILE'] },
      { modelId: 'anthropic.claude-sonnet-4-6', modelArn, inferenceTypesSupported: ['INFERENCE_PROFILE'] },
      { modelId: 'anthropic.claude-v2', modelArn, modelLifecycle: { status: 'LEGACY' } },
      null,
    ];
    expect(awsBedrock.modelList?.read({ modelSummaries })).toEqual([
      'amazon.nova-pro-v1:0',
      'eu.anthropic.claude-sonnet-4-6',
    ]);
    expect(awsBedrock.modelList?.read(null)).toEqual([]);
  });
});
