import { type JsonObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { weatherTool } from '@headgate/testkit';
import { expect } from 'vitest';
import { type DialectRow, imageData, type ParsedToolCall, schema, type Turn } from './matrix.ts';

export const ollamaRow: DialectRow = {
  name: 'Ollama’s chat',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  path: () => '/api/chat',
  body: (chatCase) => ({
    model: chatCase.model,
    messages: [
      ...(chatCase.system === undefined ? [] : [{ role: 'system', content: chatCase.system }]),
      ...chatCase.turns.flatMap(messagesOf),
    ],
    // Ollama streams by default.
    ...(!chatCase.isStream && { stream: false }),
    ...(chatCase.hasTools && { tools: [weatherTool] }),
    ...(chatCase.hasSchema && { format: schema }),
    ...((chatCase.stop !== undefined || chatCase.limit !== undefined) && {
      options: {
        ...(chatCase.stop !== undefined && { stop: [chatCase.stop] }),
        ...(chatCase.limit !== undefined && { num_predict: chatCase.limit }),
      },
    }),
    ...(chatCase.thinks && { think: 'high' }),
  }),
  read(body) {
    const message = objectAt(body, 'message');
    const calls = listAt(message, 'tool_calls').map(callOf);
    expect(body).toMatchObject({ done: true, created_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    return {
      text: textAt(message, 'content'),
      reasoning: textAt(message, 'thinking'),
      calls,
      finish: calls.length > 0 ? 'tool' : finishes[textAt(body, 'done_reason')],
      usage: {
        prompt: numberAt(body, 'prompt_eval_count') ?? 0,
        completion: numberAt(body, 'eval_count') ?? 0,
        cached: undefined,
        reasoning: undefined,
      },
      echo: [message],
    };
  },
  gather(lines) {
    const messages = lines.map((line) => objectAt(line, 'message'));
    const joined = (name: string) => messages.map((message) => textAt(message, name)).join('');
    const all = (name: string) => messages.flatMap((message) => listAt(message, name));
    expect(lines.map(({ done }) => done)).toEqual([...lines.slice(1).map(() => false), true]);
    const message = { role: 'assistant', content: joined('content'), thinking: joined('thinking') };
    return { ...lines.at(-1), message: { ...message, tool_calls: all('tool_calls') } };
  },
  withoutThoughts: (echo) =>
    echo.map(({ role, content, tool_calls }) => ({
      role,
      content,
      tool_calls: listAt({ tool_calls }, 'tool_calls').map((call) => ({ function: objectAt(call, 'function') })),
    })),
  error: (body) => {
    expect(Object.keys(body)).toEqual(['error']);
    return { message: textAt(body, 'error') };
  },
  errorEvent: (line) => (typeof line['error'] === 'string' ? { message: line['error'] } : undefined),
  lacks: ['forced tool', 'sound', 'document', 'one call at a time'],
};

const finishes: Readonly<Record<string, 'stop' | 'length' | undefined>> = { stop: 'stop', length: 'length' };

function messagesOf(turn: Turn): readonly JsonObject[] {
  if ('echo' in turn) return turn.echo;
  if ('results' in turn) {
    return turn.results.map(({ call, text }) => ({ role: 'tool', tool_name: call.name, content: text }));
  }
  return [{ role: 'user', content: turn.user, ...(turn.hasPicture && { images: [imageData] }) }];
}

function callOf(call: unknown): ParsedToolCall {
  const called = objectAt(call, 'function');
  return { id: textAt(call, 'id'), name: textAt(called, 'name'), input: called['arguments'] };
}
