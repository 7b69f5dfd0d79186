import { expect, test } from 'vitest';
import { errorMessageOf, ResponseReader } from './response-reader.ts';

const event = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`;
const delta = (fields: object) => event({ choices: [{ delta: fields }], usage: null });

const stream = [
  ': a comment\n\n',
  delta({ role: 'assistant' }),
  delta({ reasoning_content: 'hmm ' }),
  delta({ reasoning: 'so' }),
  delta({ content: 'Héllo' }),
  delta({ content: ' world', reasoning_content: null }),
  event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }),
  'data: [DONE]\n\n',
].join('');

test.each([1, 3, 10, 10_000])('reads a response in chunks of %i characters', (size) => {
  const reader = new ResponseReader();
  const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
    reader.push(stream.slice(index * size, (index + 1) * size)),
  );
  expect(pieces.map(({ text }) => text).join('')).toBe('Héllo world');
  expect(pieces.map(({ reasoning }) => reasoning).join('')).toBe('hmm so');
  expect(pieces.at(-1)?.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3 });
});

test('reports an error in the stream, and skips invalid JSON', () => {
  const reader = new ResponseReader();
  const { error, text } = reader.push(
    `data: {broken\n\n${delta({ content: 'a' })}${event({ error: { message: 'too busy' } })}`,
  );
  expect([error, text]).toEqual(['too busy', 'a']);
});

test.each([
  ['{"error":{"message":"no quota"}}', 'no quota'],
  ['<html>', 'HTTP 502'],
])('reads the error %j as %j', (body, message) => {
  expect(errorMessageOf(body, 502)).toBe(message);
});
