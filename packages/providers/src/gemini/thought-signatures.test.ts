import { readChatRequest } from '@headgate/dialects';
import { expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { answerOf } from '../testing/chat-suite.ts';
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

test('of calls is kept from a whole answer', () => {
  const answer = chat.decode?.(piece([call('Oslo', 'c2VhbA=='), call('Rome')], ended));
  expect(answer?.choices).toEqual([{ content: '', toolCalls: calls, finishReason: 'tool_calls' }]);
});

test('of calls is kept from a stream; one on text is of no use to anybody', () => {
  const events = [
    piece([{ text: 'I look.' }]),
    piece([call('Oslo', 'c2VhbA==')]),
    piece([call('Rome')]),
    piece([{ text: '', thoughtSignature: 'b3RoZXI=' }], ended),
  ];
  const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));
  expect(answerOf(chat, [bytes])?.choices).toEqual([
    { content: 'I look.', toolCalls: calls, finishReason: 'tool_calls' },
  ]);
});

const returned = (extra: readonly unknown[], model: string) => {
  const toolCalls = extra.map((extra_content, index) => ({
    ...{ id: `c${index}`, type: 'function', function: { name: 'weather', arguments: '{}' } },
    ...(extra_content !== undefined && { extra_content }),
  }));
  const messages = [{ role: 'assistant', tool_calls: toolCalls }];
  const { body = '' } = chat.encode(readChatRequest({ messages }), { ...testUpstream, model });
  const [turn] = (JSON.parse(body) as { contents: [{ parts: readonly { thoughtSignature?: string }[] }] }).contents;
  return turn.parts.map(({ thoughtSignature }) => thoughtSignature);
};
const sealed = { google: { thought_signature: 'c2VhbA==' } };

test.each([
  ['goes back with its call', [sealed, undefined], 'gemini-3-pro-preview', ['c2VhbA==', undefined]],
  ['goes back to those that do not insist', [undefined, sealed], 'gemini-2.5-flash', [undefined, 'c2VhbA==']],
  ['that is odd is none', [{ google: { thought_signature: 5 } }, 'x'], 'gemini-2.5-flash', [undefined, undefined]],
  ['that is lost has a stand-in', [null], 'gemini-3-pro-preview', ['skip_thought_signature_validator']],
])('a signature %s', (_, extra, model, signatures) => {
  expect(returned(extra, model)).toEqual(signatures);
});
