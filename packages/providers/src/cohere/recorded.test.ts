import { type ChatResponse, isObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { defaultProblem } from '../default-problem.ts';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { chat } from './chat.ts';
import { embeddings } from './index.ts';

describe('recorded Cohere responses', () => {
  const recordings = recordingsOf('cohere');
  const whole = recordings.filter(({ json, status }) => status === 200 && isObject(objectAt(json, 'usage')['tokens']));
  const streams = recordings.filter(({ bytes }) => bytes.includes('"message-start"') && bytes.includes('message-end'));

  test.each(whole)('reads $name without loss', ({ json }) => {
    const message = objectAt(json, 'message');
    const parts = listAt(message, 'content').filter(isObject);
    expect(comparable(chat.decode?.(json))).toEqual({
      content: parts.map(({ text }) => text ?? '').join(''),
      reasoning: textAt(message, 'tool_plan') + parts.map(({ thinking }) => thinking ?? '').join(''),
      calls: listAt(message, 'tool_calls').map((call) => [textAt(call, 'id'), ...called(objectAt(call, 'function'))]),
      finish: textAt(json, 'finish_reason'),
      usage: counted(objectAt(json, 'usage')),
    });
  });

  test.each(streams)('streams $name without loss', ({ bytes }) => {
    expect(comparable(readStreamedResponse(chat, [bytes]))).toEqual(expectedResult(bytes.toString('utf8')));
  });

  test('the recordings cover both kinds of responses', () => {
    expect(whole.length).toBeGreaterThan(3);
    expect(streams.length).toBeGreaterThan(2);
  });

  test.each(recordings.filter(({ status }) => status >= 400))(
    'reads $name as an error with its message',
    ({ status, json }) => {
      expect(defaultProblem(status, json).message).toBe(textAt(json, 'message'));
    },
  );

  const embedded = recordings.filter(({ json }) => listAt(objectAt(json, 'embeddings'), 'float').length > 0);
  test.each(embedded)('reads the embeddings of $name', ({ json }) => {
    const response = embeddings.decode(json, testUpstream);
    const vectors = listAt(objectAt(json, 'embeddings'), 'float');
    expect('reply' in response && listAt(response.reply, 'data').map((row) => listAt(row, 'embedding'))).toEqual(
      vectors,
    );
  });
});

/** Expected result, from a simple scan of the stream that shares no code with the decoder. */
function expectedResult(text: string) {
  const events = [...text.matchAll(/^data: ?(\{.*\})\r?$/gm)].map(([, data]) => JSON.parse(data ?? '') as JsonObject);
  const messages = events.map((event) => objectAt(objectAt(event, 'delta'), 'message'));
  const calls: [string, string, string][] = [];
  for (const message of messages) {
    const call = objectAt(message, 'tool_calls');
    const name = textAt(call['function'], 'name');
    if (name !== '') calls.push([textAt(call, 'id'), name, '']);
    const last = calls.at(-1);
    if (last) last[2] += textAt(call['function'], 'arguments');
  }
  const end = objectAt(
    events.find(({ type }) => type === 'message-end'),
    'delta',
  );
  return {
    content: messages.map((message) => textAt(message['content'], 'text')).join(''),
    reasoning: messages
      .map((message) => textAt(message, 'tool_plan') + textAt(message['content'], 'thinking'))
      .join(''),
    calls: calls.map(([id, name, json]) => [id, name, JSON.parse(json || '{}') ?? {}]),
    finish: textAt(end, 'finish_reason'),
    usage: counted(objectAt(end, 'usage')),
  };
}

const called = (call: JsonObject) => [textAt(call, 'name'), JSON.parse(textAt(call, 'arguments') || '{}') ?? {}];

const counted = (usage: JsonObject) => ({
  prompt: (numberAt(usage['tokens'], 'input_tokens') ?? 0) + (numberAt(usage['tokens'], 'image_tokens') ?? 0),
  completion: numberAt(usage['tokens'], 'output_tokens') ?? 0,
  cached: numberAt(usage, 'cached_tokens') ?? 0,
  reasoning: numberAt(usage['tokens'], 'reasoning_tokens') ?? 0,
});

const words = { stop: 'COMPLETE', length: 'MAX_TOKENS', tool_calls: 'TOOL_CALL', content_filter: 'ERROR_TOXIC' };

function comparable(response: ChatResponse | undefined) {
  const choice = response?.choices[0];
  return {
    content: choice?.content,
    reasoning: choice?.reasoning ?? '',
    calls: (choice?.toolCalls ?? []).map(({ id, name, arguments: json }) => [id, name, JSON.parse(json) as unknown]),
    finish: choice && words[choice.finishReason],
    usage: {
      prompt: response?.usage?.promptTokens,
      completion: response?.usage?.completionTokens,
      cached: response?.usage?.cachedTokens ?? 0,
      reasoning: response?.usage?.reasoningTokens ?? 0,
    },
  };
}
