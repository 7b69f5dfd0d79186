import { RequestProblem } from '@headgate/dialects';
import { expect, test } from 'vitest';
import { inEncoding, readEmbeddingRequest } from './embedding-words.ts';

test('numbers become base64 when the client asked for it', () => {
  const reply = {
    object: 'list',
    data: [{ index: 0, embedding: [1, -0.5] }, null, { index: 1, embedding: 'AACAPw==' }],
  };
  expect(inEncoding(reply, { encoding_format: 'base64' })).toEqual({
    object: 'list',
    data: [{ index: 0, embedding: 'AACAPwAAAL8=' }, null, { index: 1, embedding: 'AACAPw==' }],
  });
  expect(inEncoding(reply, { encoding_format: 'float' })).toBe(reply);
  expect(inEncoding(reply, {})).toBe(reply);
});

test('what is base64 already, or no vector at all, is left as it is', () => {
  for (const data of [[{ embedding: 'AACAPw==' }], [{ embedding: [] }], [{ embedding: ['x'] }], 'x', undefined]) {
    const reply = { data };
    expect(inEncoding(reply, { encoding_format: 'base64' })).toBe(reply);
  }
});

test.each([[5], [[1, 2]], undefined, [], ['a', null]])('texts are needed: %j', (input) => {
  expect(() => readEmbeddingRequest({ input })).toThrow(RequestProblem);
});

test('one text is a list of one', () => {
  expect(readEmbeddingRequest({ input: 'a', dimensions: 3 })).toEqual({ texts: ['a'], dimensions: 3 });
});
