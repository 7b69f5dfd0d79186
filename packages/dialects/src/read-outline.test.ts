import { describe, expect, test } from 'vitest';
import { dialects } from './dialects.ts';
import { toolCallTexts } from './openai-chat/index.ts';
import { openaiEndpointFields } from './openai-endpoints/endpoints.ts';

const address = { model: 'm' };

describe.each(Object.entries(dialects))('outline of %s', (_name, dialect) => {
  test('reports whether tools are offered', () => {
    expect(dialect.readOutline({}, address).hasTools).toBe(false);
    expect(dialect.readOutline({ tools: null }, address).hasTools).toBe(false);
    expect(dialect.readOutline({ tools: [] }, address).hasTools).toBe(true);
  });

  test('does not report a prompt as charged twice if it is charged once', () => {
    expect(dialect.readOutline({}, address).repeatsPrompt).toBe(false);
  });
});

describe("outline of OpenAI's endpoints", () => {
  const { readOutline } = dialects.chat;

  test.each([
    [{ echo: true }, true],
    [{ echo: 1 }, true],
    [{ echo: false }, false],
    [{ echo: null }, false],
    [{ prediction: { type: 'content', content: 'x' } }, true],
    [{ prediction: null }, false],
  ])('reads from %j whether the prompt is repeated: %s', (body, repeats) => {
    expect(readOutline(body, address).repeatsPrompt).toBe(repeats);
  });

  test('recognizes tools in the older functions field', () => {
    expect(readOutline({ functions: [] }, address).hasTools).toBe(true);
  });

  test('ignores the stream field at endpoints that do not stream', () => {
    expect(readOutline({ stream: 'yes' }, { ...address, isStream: false }).isStream).toBe(false);
    expect(() => readOutline({ stream: 'yes' }, address)).toThrow('stream is invalid');
  });
});

test.each([
  ['one text', 'hello', 1],
  ['two texts', ['hello', 'you'], 2],
  ['one list of tokens', [1, 2, 3], 1],
  ['two lists of tokens', [[1, 2], [3]], 2],
  ['an empty list', [], 1],
])('counts the prompts of a completion with %s', (_name, prompt, count) => {
  expect(openaiEndpointFields.completions.countPrompts({ prompt })).toBe(count);
});

test('counts names and arguments of calls, and all strings of other values', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } };
  expect(toolCallTexts([call, { function: { arguments: '{}' } }])).toEqual(['look', '{"at":1}', '{}']);
  expect(toolCallTexts([call, { function: {} }])).toBeUndefined();
  expect(toolCallTexts('look')).toBeUndefined();
});
