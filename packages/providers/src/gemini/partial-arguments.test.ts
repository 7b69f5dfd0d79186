import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { chat } from './chat.ts';
import { PartialArguments } from './partial-arguments.ts';

const json = (...parts: readonly unknown[]) => {
  const gathered = new PartialArguments();
  gathered.add({ partialArgs: parts });
  return JSON.parse(gathered.json) as unknown;
};

test('sets values at their JSON paths and joins text fragments', () => {
  expect(
    json(
      { jsonPath: '$.where.city', stringValue: 'Os' },
      { jsonPath: '$.where.city', stringValue: 'lo' },
      { jsonPath: "$['days'][0].number", numberValue: 3 },
      { jsonPath: '$.days[1].number', numberValue: 4 },
      { jsonPath: '$.isSure', boolValue: true },
      { jsonPath: '$.other', nullValue: 'NULL_VALUE' },
    ),
  ).toEqual({
    where: { city: 'Oslo' },
    days: [{ number: 3 }, { number: 4 }],
    isSure: true,
    other: null,
  });
});

test.each([
  [[null, 5, {}, { jsonPath: '$' }, { jsonPath: '$.a' }, { stringValue: 'a' }], {}],
  [[{ jsonPath: '$.__proto__.polluted', stringValue: 'yes' }], { ['__proto__']: { polluted: 'yes' } }],
  [[{ jsonPath: '$.a[999999]', numberValue: 1 }], { a: [1] }],
  [[{ jsonPath: `$${'.a'.repeat(100_000)}`, numberValue: 1 }], {}],
])('ignores malformed fragments', (parts, expected) => {
  expect(JSON.stringify(json(...parts))).toBe(JSON.stringify(expected));
  expect({}).not.toHaveProperty('polluted');
});

describe('[A25.7] arguments streamed in fragments', () => {
  const event = (functionCall: JsonObject, more: JsonObject = {}) =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ functionCall }] }, ...more }] })}\n\n`;
  const city = (stringValue: string, willContinue: boolean) =>
    event({ partialArgs: [{ jsonPath: '$.city', stringValue, willContinue }], willContinue: true });

  test('[A25.7] returns one tool call after the last fragment of its arguments', () => {
    const stream = [
      event({ name: 'weather', id: 'call_1', willContinue: true }),
      city('Os', true),
      city('lo', false),
      event({}),
      event({ name: 'now', id: 'call_2', args: {} }, { finishReason: 'STOP' }),
    ];
    expect(readStreamedResponse(chat, [Buffer.from(stream.join(''))])?.choices).toEqual([
      {
        content: '',
        toolCalls: [
          { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
          { id: 'call_2', name: 'now', arguments: '{}' },
        ],
        finishReason: 'tool_calls',
      },
    ]);
  });

  test('[A25.7] returns partial arguments unchanged when the response ends before the last fragment', () => {
    const stream = [
      event({
        name: 'weather',
        id: 'call_1',
        partialArgs: [{ jsonPath: '$.city', stringValue: 'Oslo' }],
        willContinue: true,
      }),
      `data: ${JSON.stringify({ candidates: [{ finishReason: 'MAX_TOKENS' }] })}\n\n`,
    ];
    expect(readStreamedResponse(chat, [Buffer.from(stream.join(''))])?.choices[0]).toMatchObject({
      toolCalls: [{ arguments: '{"city":"Oslo"}' }],
      finishReason: 'length',
    });
  });
});
