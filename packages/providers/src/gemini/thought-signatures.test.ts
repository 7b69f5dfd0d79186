import { readChatRequest } from '@headgate/dialects';
import { expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { chat } from './chat.ts';

const call = (city: string, signature?: string) => ({
  functionCall: { name: 'weather', args: { city } },
  ...(signature !== undefined && { thoughtSignature: signature }),
});
const piece = (parts: readonly JsonObject[], more: JsonObject = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  responseId: 'r1',
});
const ended = { finishReason: 'STOP' };
const calls = [
  { id: 'call_r1_0_0', name: 'weather', arguments: '{"city":"Oslo"}', thoughtSignature: 'c2VhbA==' },
  { id: 'call_r1_0_1', name: 'weather', arguments: '{"city":"Rome"}' },
];

test('keeps signatures of calls in a whole response', () => {
  const response = chat.decode?.(piece([call('Oslo', 'c2VhbA=='), call('Rome')], ended));
  expect(response?.choices).toEqual([{ content: '', toolCalls: calls, finishReason: 'tool_calls' }]);
});

test('keeps signatures of calls in a stream, and applies a signature on text to the preceding reasoning', () => {
  const events = [
    piece([{ text: 'Where is Oslo?', thought: true }]),
    piece([{ text: 'I look.' }]),
    piece([call('Oslo', 'c2VhbA==')]),
    piece([call('Rome')]),
    piece([{ text: '', thoughtSignature: 'b3RoZXI=' }], ended),
  ];
  const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));
  expect(readStreamedResponse(chat, [bytes])?.choices).toEqual([
    {
      content: 'I look.',
      reasoning: 'Where is Oslo?',
      thoughts: [{ text: 'Where is Oslo?', maker: 'google', signature: 'b3RoZXI=' }],
      toolCalls: calls,
      finishReason: 'tool_calls',
    },
  ]);
});

const returned = (extra: readonly unknown[], model: string) => {
  const toolCalls = extra.map((extra_content, index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name: 'weather', arguments: '{}' },
    ...(extra_content !== undefined && { extra_content }),
  }));
  const messages = [{ role: 'assistant', tool_calls: toolCalls }];
  const { body = '' } = chat.encode(readChatRequest({ messages }), { ...testUpstream, model });
  const [turn] = (JSON.parse(body) as { contents: [{ parts: readonly { thoughtSignature?: string }[] }] }).contents;
  return turn.parts.map(({ thoughtSignature }) => thoughtSignature);
};
const sealed = { google: { thought_signature: 'c2VhbA==' } };

test.each([
  ['is sent back with its call', [sealed, undefined], 'gemini-3-pro-preview', ['c2VhbA==', undefined]],
  ['is sent back to models that do not require it', [undefined, sealed], 'gemini-2.5-flash', [undefined, 'c2VhbA==']],
  [
    'is dropped when it is malformed',
    [{ google: { thought_signature: 5 } }, 'x'],
    'gemini-2.5-flash',
    [undefined, undefined],
  ],
  [
    'is replaced with a placeholder when it is lost',
    [null],
    'gemini-3-pro-preview',
    ['skip_thought_signature_validator'],
  ],
])('a signature %s', (_, extra, model, signatures) => {
  expect(returned(extra, model)).toEqual(signatures);
});

const sealedTurn = (details: readonly JsonObject[], content: string) => {
  const messages = [{ role: 'assistant', content, reasoning_details: details }];
  const { body = '' } = chat.encode(readChatRequest({ messages }), { ...testUpstream, model: 'gemini-3-pro-preview' });
  return (JSON.parse(body) as { contents: readonly { parts: readonly JsonObject[] }[] }).contents.map(
    ({ parts }) => parts,
  );
};
const detail = (format: string, signature: string) => ({ type: 'reasoning.text', text: 'Hm', signature, format });
const google = 'google-gemini-v1';

test.each([
  ['is sent back on the text', [detail(google, 'b25l')], 'Hi', [{ text: 'Hi', thoughtSignature: 'b25l' }]],
  ['is sent back alone', [detail(google, 'b25l')], '', [{ text: '', thoughtSignature: 'b25l' }]],
  [
    'is sent back for each reasoning block',
    [detail(google, 'b25l'), detail(google, 'dHdv')],
    'Hi',
    [
      { text: '', thoughtSignature: 'b25l' },
      { text: 'Hi', thoughtSignature: 'dHdv' },
    ],
  ],
  ['of another maker is dropped', [detail('anthropic-claude-v1', 'b25l')], 'Hi', [{ text: 'Hi' }]],
])('a signature on text %s', (_, details, content, parts) => {
  expect(sealedTurn(details, content)).toEqual([parts]);
});
