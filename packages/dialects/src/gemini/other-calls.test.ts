import { describe, expect, test } from 'vitest';
import {
  readBatchEmbedContents,
  readCountRequest,
  readEmbedContent,
  writeBatchEmbedContents,
  writeEmbedContent,
  writeModel,
  writeModelList,
  writeTokenCount,
} from './endpoints.ts';

const content = (text: string) => ({ role: 'user', parts: [{ text }] });
const problemWith = (param: string) => expect.objectContaining({ name: 'RequestProblem', param });

describe('Gemini countTokens', () => {
  const contents = [content('Hello')];

  test.each([
    ['only contents', { contents }],
    ['a whole request', { generateContentRequest: { contents } }],
    ['a whole request in snake case', { generate_content_request: { contents } }],
  ])('reads a countTokens request with %s', (_, body) => {
    expect(readCountRequest(body)).toEqual({ contents });
  });

  test('rejects a countTokens request that uses both forms', () => {
    expect(() => readCountRequest({ contents, generateContentRequest: { contents } })).toThrow(problemWith('contents'));
    expect(() => readCountRequest({ generateContentRequest: 5 })).toThrow(problemWith('generateContentRequest'));
  });

  test('returns the total token count', () => {
    expect(writeTokenCount(7)).toMatchObject({ totalTokens: 7 });
  });
});

describe('Gemini embeddings', () => {
  const request = (text: string, more = {}) => ({ model: 'models/e', content: content(text), ...more });

  test("converts one text and many texts to OpenAI's request", () => {
    expect(readEmbedContent({ content: content('Hi'), output_dimensionality: 3 }, 'e')).toEqual({
      model: 'e',
      input: ['Hi'],
      encoding_format: 'float',
      dimensions: 3,
    });
    const requests = [request('A', { taskType: 'RETRIEVAL_QUERY' }), request('B')];
    expect(readBatchEmbedContents({ requests }, 'models/e')).toEqual({
      model: 'e',
      input: ['A', 'B'],
      encoding_format: 'float',
    });
  });

  test.each([
    ['requests', []],
    ['requests', [request('A', { outputDimensionality: 3 }), request('B')]],
    ['requests[0].model', [request('A', { model: 'models/other' })]],
    ['requests[0].content', [{ content: 'A' }]],
    ['requests[0].content.parts[0]', [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: '' } }] } }]],
  ])('rejects an embeddings request and names %s', (param, requests) => {
    expect(() => readBatchEmbedContents({ requests }, 'e')).toThrow(problemWith(param));
  });

  test('returns vectors in the order of the texts', () => {
    const reply = {
      data: [
        { index: 1, embedding: [2] },
        { index: 0, embedding: [1] },
      ],
      usage: { prompt_tokens: 4 },
    };
    const usageMetadata = { promptTokenCount: 4 };
    expect(writeBatchEmbedContents(reply)).toEqual({ embeddings: [{ values: [1] }, { values: [2] }], usageMetadata });
    expect(writeEmbedContent(reply)).toEqual({ embedding: { values: [1] }, usageMetadata });
  });
});

describe('Gemini model list', () => {
  const models = Array.from({ length: 60 }, (_, index) => ({ id: `model-${index}` }));
  const namesIn = (list: unknown) => (list as { models: { name: string }[] }).models.map(({ name }) => name);

  test('writes the metadata of a model', () => {
    expect(writeModel({ id: 'a', contextWindow: 1000, outputLimit: 100 })).toMatchObject({
      name: 'models/a',
      inputTokenLimit: 1000,
      outputTokenLimit: 100,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    });
    expect(writeModel({ id: 'e', isEmbedding: true })).toMatchObject({
      supportedGenerationMethods: ['embedContent', 'batchEmbedContents'],
    });
  });

  test('returns the list in pages', () => {
    const first = writeModelList(models, null, null);
    expect(namesIn(first)).toHaveLength(50);
    expect(first['nextPageToken']).toBe('50');
    const last = writeModelList(models, '1000', '50');
    expect(namesIn(last)).toHaveLength(10);
    expect(last).not.toHaveProperty('nextPageToken');
    expect(() => writeModelList(models, 'x', null)).toThrow(problemWith('pageSize'));
    expect(() => writeModelList(models, null, '-1')).toThrow(problemWith('pageToken'));
  });
});
