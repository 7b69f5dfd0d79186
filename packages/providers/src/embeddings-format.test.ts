import { RequestProblem } from '@headgate/dialects';
import { expect, test } from 'vitest';
import { readEmbeddingRequest, withRequestedEncoding } from './embeddings-format.ts';

test('converts vectors to base64 when the client requested base64', () => {
  const reply = {
    object: 'list',
    data: [{ index: 0, embedding: [1, -0.5] }, null, { index: 1, embedding: 'AACAPw==' }],
  };
  expect(withRequestedEncoding(reply, { encoding_format: 'base64' })).toEqual({
    object: 'list',
    data: [{ index: 0, embedding: 'AACAPwAAAL8=' }, null, { index: 1, embedding: 'AACAPw==' }],
  });
  expect(withRequestedEncoding(reply, { encoding_format: 'float' })).toBe(reply);
  expect(withRequestedEncoding(reply, {})).toBe(reply);
});

test('leaves base64 and values that are not vectors unchanged', () => {
  for (const data of [[{ embedding: 'AACAPw==' }], [{ embedding: [] }], [{ embedding: ['x'] }], 'x', undefined]) {
    const reply = { data };
    expect(withRequestedEncoding(reply, { encoding_format: 'base64' })).toBe(reply);
  }
});

test.each([[5], [[1, 2]], undefined, [], ['a', null]])('rejects an input that is not text: %j', (input) => {
  expect(() => readEmbeddingRequest({ input })).toThrow(RequestProblem);
});

test('accepts a single text as a list of one', () => {
  expect(readEmbeddingRequest({ input: 'a', dimensions: 3 })).toEqual({ texts: ['a'], dimensions: 3 });
});
