import { expect } from 'vitest';
import { reply, stream, type UpstreamHandler } from '../upstreams/stub-upstream.ts';
import { weatherTool } from '../upstreams/upstream-responses.ts';
import {
  bearer,
  channelKey,
  dataEvents,
  defaultUsage,
  instruction,
  limit,
  type NamedEvent,
  namedEvents,
  question,
  type ResponseMode,
  responseChunks,
  responseText,
  tool,
  toolInput,
  toolJson,
  type Wire,
} from './wire.ts';

const plain = { usage: defaultUsage, channel: () => ({ key: channelKey }) } as const;

const conversation = [
  { role: 'system', content: instruction },
  { role: 'user', content: question },
];

const ollamaLine = (message: object, isLast: boolean) => ({
  model: 'llama3.1',
  created_at: '2025-01-01T00:00:00Z',
  message: { role: 'assistant', ...message },
  ...(isLast ? { done: true, done_reason: 'stop', prompt_eval_count: 10, eval_count: 5 } : { done: false }),
});

function ollamaResponse({ isStream, isCall }: ResponseMode): UpstreamHandler {
  const call = { content: '', tool_calls: [{ function: { name: tool.name, arguments: toolInput } }] };
  if (!isStream) return reply(ollamaLine(isCall ? call : { content: responseText }, true));
  const sent = isCall ? [call] : responseChunks.map((content) => ({ content }));
  const lines = [...sent.map((message) => ollamaLine(message, false)), ollamaLine({ content: '' }, true)];
  return stream(lines.map((line) => `${JSON.stringify(line)}\n`));
}

const ollama: Wire = {
  ...plain,
  type: 30,
  name: 'Ollama',
  model: 'llama3.1',
  hasTools: true,
  respond: ollamaResponse,
  expectRequest(request, { isStream, hasTools }) {
    expect(request).toMatchObject({ method: 'POST', path: '/api/chat', headers: { authorization: bearer } });
    expect(request.body).toEqual({
      model: 'llama3.1',
      messages: conversation,
      stream: isStream,
      options: { num_predict: limit },
      ...(hasTools && { tools: [weatherTool] }),
    });
  },
  reject: (message) => reply({ error: message }, 401),
};

const cohereUsage = {
  usage: { billed_units: { input_tokens: 3, output_tokens: 5 }, tokens: { input_tokens: 10, output_tokens: 5 } },
};
const cohereCall = { id: 'weather_1', type: 'function', function: { name: tool.name, arguments: toolJson } };

function cohereEvents(isCall: boolean): readonly NamedEvent[] {
  const sent = isCall
    ? [
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I look' } } },
        cohereEvent('tool-call-start', { tool_calls: { ...cohereCall, function: { name: tool.name, arguments: '' } } }),
        cohereEvent('tool-call-delta', { tool_calls: { function: { arguments: toolJson } } }),
        { type: 'tool-call-end', index: 0 },
      ]
    : [
        cohereEvent('content-start', { content: { type: 'text', text: '' } }),
        ...responseChunks.map((text) => cohereEvent('content-delta', { content: { text } })),
        { type: 'content-end', index: 0 },
      ];
  return [
    { type: 'message-start', id: 'i1', delta: { message: { role: 'assistant', content: [] } } },
    ...sent,
    { type: 'message-end', delta: { finish_reason: isCall ? 'TOOL_CALL' : 'COMPLETE', ...cohereUsage } } as {
      type: string;
    },
  ];
}

const cohereEvent = (type: string, message: object) => ({ type, index: 0, delta: { message } });

const cohere: Wire = {
  ...plain,
  type: 35,
  name: 'Cohere',
  model: 'command-r-plus',
  hasTools: true,
  expectRequest(request, { isStream, hasTools }) {
    expect(request).toMatchObject({ method: 'POST', path: '/v2/chat', headers: { authorization: bearer } });
    expect(request.body).toEqual({
      model: 'command-r-plus',
      messages: conversation,
      stream: isStream,
      max_tokens: limit,
      ...(hasTools && { tools: [weatherTool] }),
    });
  },
  respond: ({ isStream, isCall }) =>
    isStream
      ? stream(namedEvents(cohereEvents(isCall)))
      : reply({
          id: 'i1',
          finish_reason: isCall ? 'TOOL_CALL' : 'COMPLETE',
          ...cohereUsage,
          message: {
            role: 'assistant',
            ...(isCall
              ? { tool_plan: 'I look', tool_calls: [cohereCall] }
              : { content: [{ type: 'text', text: responseText }] }),
          },
        }),
  reject: (message) => reply({ id: 'x', message }, 401),
};

const cozeEvent = (event: string, data: unknown) => `event:${event}\ndata:${JSON.stringify(data)}\n\n`;
const cozeIds = { conversation_id: 'c1', bot_id: '42' } as const;

/** A Coze bot, which always streams, whether or not the client requested a stream. */
const coze: Wire = {
  ...plain,
  type: 34,
  name: 'Coze',
  model: 'bot-42',
  hasTools: false,
  channel: () => ({ key: channelKey, config: JSON.stringify({ user_id: 'user-7' }) }),
  expectRequest(request) {
    expect(request).toMatchObject({ method: 'POST', path: '/v3/chat', headers: { authorization: bearer } });
    const sent = (content: string) => ({ role: 'user', type: 'question', content, content_type: 'text' });
    expect(request.body).toEqual({
      bot_id: '42',
      user_id: 'user-7',
      stream: true,
      auto_save_history: false,
      additional_messages: [sent(instruction), sent(question)],
    });
  },
  respond: () =>
    stream([
      cozeEvent('conversation.chat.created', { id: 'ch1', ...cozeIds, status: 'created' }),
      ...responseChunks.map((content) =>
        cozeEvent('conversation.message.delta', {
          ...cozeIds,
          role: 'assistant',
          type: 'answer',
          content,
          content_type: 'text',
        }),
      ),
      cozeEvent('conversation.message.completed', {
        ...cozeIds,
        role: 'assistant',
        type: 'follow_up',
        content: 'More?',
      }),
      cozeEvent('conversation.chat.completed', {
        id: 'ch1',
        ...cozeIds,
        status: 'completed',
        usage: { token_count: 15, output_count: 5, input_count: 10 },
      }),
      cozeEvent('done', '[DONE]'),
    ]),
  // Coze returns errors with status 200, and never as a stream.
  reject: (msg) => reply({ code: 4100, msg }),
};

/** DeepL never streams, and reports no output usage. */
const deepl: Wire = {
  ...plain,
  type: 38,
  name: 'DeepL',
  model: 'deepl-en',
  hasTools: false,
  usage: { prompt: 10, completion: 0 },
  expectRequest(request) {
    const authorization = `DeepL-Auth-Key ${channelKey}`;
    expect(request).toMatchObject({ method: 'POST', path: '/v2/translate', headers: { authorization } });
    expect(request.body).toEqual({
      text: [question],
      context: instruction,
      target_lang: 'EN-US',
      show_billed_characters: true,
    });
  },
  respond: () =>
    reply({ translations: [{ detected_source_language: 'ZH', text: responseText, billed_characters: 10 }] }),
  reject: (message) => reply({ message }, 403),
};

/** AI Proxy Library never reports usage. */
const library: Wire = {
  ...plain,
  type: 21,
  name: 'AI Proxy library',
  model: 'gpt-3.5-turbo',
  hasTools: false,
  usage: undefined,
  channel: () => ({ key: channelKey, other: '123456' }),
  expectRequest(request, { isStream }) {
    expect(request).toMatchObject({ method: 'POST', path: '/api/library/ask', headers: { authorization: bearer } });
    expect(request.body).toEqual({
      model: 'gpt-3.5-turbo',
      query: `system: ${instruction}\nuser: ${question}`,
      libraryId: '123456',
      stream: isStream,
    });
  },
  respond: ({ isStream }) =>
    isStream
      ? stream(
          dataEvents([
            ...responseChunks.map((content) => ({ content, finish: false, model: 'gpt-3.5-turbo' })),
            { content: '', finish: true, model: 'gpt-3.5-turbo', documents: [] },
          ]),
        )
      : reply({ success: true, answer: responseText, documents: [], errCode: 0, message: '' }),
  reject: (message) => reply({ success: false, errCode: 401, message }),
};

export const otherWires: readonly Wire[] = [ollama, cohere, coze, deepl, library];
