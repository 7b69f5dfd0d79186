import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { imageUrl, weatherTool } from '@headgate/testkit';
import { expect } from 'vitest';
import { attachments, type DialectRow, type ParsedToolCall, schema, type Turn } from './matrix.ts';

export const openaiChatRow: DialectRow = {
  name: 'OpenAI’s chat',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  path: () => '/v1/chat/completions',
  body: (chatCase) => ({
    model: chatCase.model,
    messages: [
      ...(chatCase.system === undefined ? [] : [{ role: 'system', content: chatCase.system }]),
      ...chatCase.turns.flatMap(messagesOf),
    ],
    ...(chatCase.isStream && { stream: true, stream_options: { include_usage: true } }),
    ...(chatCase.hasTools && { tools: [weatherTool] }),
    ...(chatCase.callsSingly && { parallel_tool_calls: false }),
    ...(chatCase.forcesTool && { tool_choice: { type: 'function', function: { name: 'weather' } } }),
    ...(chatCase.hasSchema && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    }),
    ...(chatCase.stop !== undefined && { stop: chatCase.stop }),
    ...(chatCase.limit !== undefined && { max_tokens: chatCase.limit }),
    ...(chatCase.thinks && { reasoning_effort: 'high' }),
  }),
  read(body) {
    const [choice] = listAt(body, 'choices');
    const message = objectAt(choice, 'message');
    const usage = objectAt(body, 'usage');
    const finishes = { stop: 'stop', length: 'length', tool_calls: 'tool' } as const;
    return {
      text: textAt(message, 'content'),
      reasoning: textAt(message, 'reasoning_content'),
      calls: listAt(message, 'tool_calls').map(callOf),
      finish: finishes[textAt(choice, 'finish_reason') as keyof typeof finishes],
      usage: {
        prompt: numberAt(usage, 'prompt_tokens') ?? 0,
        completion: numberAt(usage, 'completion_tokens') ?? 0,
        cached: numberAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens') ?? 0,
        reasoning: numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens') ?? 0,
      },
      echo: [message],
    };
  },
  gather(events) {
    const choices = events.flatMap((event) => listAt(event, 'choices'));
    const deltas = choices.map((choice) => objectAt(choice, 'delta'));
    const joined = (name: string) => deltas.map((delta) => textAt(delta, name)).join('');
    const message = {
      role: 'assistant',
      content: joined('content'),
      reasoning_content: joined('reasoning_content'),
      tool_calls: gatherCalls(deltas.flatMap((delta) => listAt(delta, 'tool_calls'))),
    };
    const finish_reason = choices.map((choice) => textAt(choice, 'finish_reason')).join('');
    const usage = events
      .map((event) => objectAt(event, 'usage'))
      .findLast((reported) => Object.keys(reported).length > 0);
    return { choices: [{ message, finish_reason }], usage };
  },
  withoutThoughts: (echo) =>
    echo.map(({ role, content, tool_calls }) => ({
      role,
      content,
      tool_calls: listAt({ tool_calls }, 'tool_calls').map((call) => ({ ...asObject(call), extra_content: undefined })),
    })),
  error: (body) => {
    expect(Object.keys(objectAt(body, 'error'))).toEqual(['message', 'type', 'param', 'code']);
    return { message: textAt(objectAt(body, 'error'), 'message') };
  },
  errorEvent: (event) =>
    isObject(event['error']) ? { message: textAt(objectAt(event, 'error'), 'message') } : undefined,
  lacks: [],
};

function messagesOf(turn: Turn): readonly JsonObject[] {
  if ('echo' in turn) return turn.echo;
  if ('results' in turn) {
    return turn.results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text }));
  }
  const { sound, document } = attachments;
  const { attached } = turn;
  const file = { filename: 'a.pdf', file_data: `data:${document.mediaType};base64,${document.data}` };
  const otherFields = {
    sound: { type: 'input_audio', input_audio: { data: sound.data, format: 'wav' } },
    document: { type: 'file', file },
  };
  if (attached) return [{ role: 'user', content: [{ type: 'text', text: turn.user }, otherFields[attached]] }];
  const image = { type: 'image_url', image_url: { url: imageUrl } };
  return [{ role: 'user', content: turn.hasPicture ? [{ type: 'text', text: turn.user }, image] : turn.user }];
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

function callOf(call: unknown): ParsedToolCall {
  const { name, arguments: json } = objectAt(call, 'function');
  return { id: textAt(call, 'id'), name: String(name), input: JSON.parse(String(json)) as unknown };
}

function gatherCalls(pieces: readonly unknown[]): readonly JsonObject[] {
  const numbers = [...new Set(pieces.map((piece) => numberAt(piece, 'index')))];
  return numbers.map((index) => {
    const own = pieces.filter((piece) => numberAt(piece, 'index') === index);
    const joined = (name: string) => own.map((piece) => textAt(objectAt(piece, 'function'), name)).join('');
    const id = own.map((piece) => textAt(piece, 'id')).join('');
    return { id, type: 'function', function: { name: joined('name'), arguments: joined('arguments') } };
  });
}
