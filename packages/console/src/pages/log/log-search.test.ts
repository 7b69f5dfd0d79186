import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invalidTerms, parseSearch } from './log-search.ts';

const id = '0199a7d2-3c44-7b1e-9a55-7f0c2d4e8b11';

test.each([
  ['', {}],
  ['status:429 model:gpt-4o user:ada', { status: 429, model_name: 'gpt-4o', username: 'ada' }],
  ['status:ok', { status: 200 }],
  ['status:4', {}],
  ['model: user:', {}],
  ['MODEL:gpt-4* token:ci', { model_name: 'gpt-4', token_name: 'ci', contains: 'model_name' }],
  ['user:*da model:*x', { username: 'da', model_name: 'x', contains: 'model_name,username' }],
  ['channel:7', { channel: 7 }],
  ['channel:#7', { channel: 7 }],
  ['channel:"openai eu"', { channel_name: 'openai eu' }],
  ['error:rate_limited', { reason: 'rate_limited' }],
  ['error:"slow down"', { text: 'slow down' }],
  [id, { request_id: id }],
  [` ${id.toUpperCase()} `, { request_id: id.toUpperCase() }],
  [`request:abc status:500`, { request_id: 'abc', status: 500 }],
  ['slow down', { text: 'slow down' }],
  ['https://example.com', { text: 'https://example.com' }],
  ['constructor:x __proto__:y', { text: 'constructor:x __proto__:y' }],
  ['"unclosed quote', { text: 'unclosed quote' }],
])('parses %j', (text, expected) => {
  expect(parseSearch(text, true)).toEqual(expected);
});

test('finds terms whose value the keyword does not accept', () => {
  expect(invalidTerms('status:abc model:gpt-4o tag:x status:ok model: slow foo:bar', true)).toEqual([
    'status:abc',
    'tag:x',
  ]);
});

test('treats admin-only filters as plain text for common users', () => {
  expect(parseSearch('channel:7 user:ada model:m', false)).toEqual({ model_name: 'm', text: 'channel:7 user:ada' });
});

test('parses any text without an error', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void parseSearch(text, true)));
});
