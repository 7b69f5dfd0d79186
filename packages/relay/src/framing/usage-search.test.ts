import { expect, test } from 'vitest';
import { endpointKinds, responseScanOf } from '../request/endpoint-kinds.ts';
import { findUsage } from './usage-search.ts';

const read = { promptTokens: 9, completionTokens: 2000, cachedTokens: 0 };
const usage = { prompt_tokens: 9, completion_tokens: 2000, prompt_tokens_details: { cached_tokens: 0 } };
const long = 'say "usage": {"prompt_tokens": 1} and "error": no '.repeat(100);
const choices = [{ index: 0, message: { role: 'assistant', content: long }, finish_reason: 'stop' }];
const usageIn = (reply: object | string, hasChoices = true) =>
  findUsage(
    Buffer.from(typeof reply === 'string' ? reply : JSON.stringify(reply)),
    responseScanOf(endpointKinds.chat),
    hasChoices,
  );

test('ignores usage inside string values', () => {
  expect(usageIn({ choices, usage })).toEqual(read);
  expect(usageIn({ choices, usage, system_fingerprint: 'fp_1' })).toEqual(read);
  expect(usageIn(JSON.stringify({ usage, choices }, null, 2))).toEqual(read);
  expect(usageIn({ data: [{ embedding: Array.from({ length: 2000 }, () => 0.5) }], usage }, false)).toEqual(read);
});

test.each([
  ['a short response', { choices: [], usage }],
  ['no usage', { choices }],
  ['null usage', { choices, usage: null }],
  ['two usages', { choices, usage, x_groq: { usage } }],
  ['an error field', { choices, usage, error: null }],
  ['no choices', { data: long, usage }],
  ['a list', [{ choices, usage }]],
  ['a truncated response', JSON.stringify({ choices, usage, more: 1 }).slice(0, -1)],
  ['a truncated usage', `{"choices":["${'x'.repeat(9000)}"],"usage":{"prompt_tokens":{}`],
  ['an unreadable usage', `{"choices":["${'x'.repeat(9000)}"],"usage":{prompt_tokens}}`],
])('does not find usage and leaves the body to the parser: %s', (_, reply) => {
  expect(usageIn(reply)).toBeUndefined();
});
