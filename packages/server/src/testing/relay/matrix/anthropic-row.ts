import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { tool } from '@headgate/testkit';
import { expect } from 'vitest';
import { attachments, type DialectRow, imageData, imageType, schema, type Turn } from './matrix.ts';

export const anthropicRow: DialectRow = {
  name: 'Anthropic’s messages',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  path: () => '/v1/messages',
  body: (chatCase) => ({
    model: chatCase.model,
    max_tokens: chatCase.limit ?? 5000,
    messages: chatCase.turns.map(messageOf),
    ...(chatCase.system !== undefined && { system: chatCase.system }),
    ...(chatCase.isStream && { stream: true }),
    ...(chatCase.hasTools && {
      tools: [{ name: tool.name, description: tool.description, input_schema: tool.parameters }],
    }),
    ...(chatCase.callsSingly && { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    ...(chatCase.forcesTool && { tool_choice: { type: 'tool', name: 'weather' } }),
    ...(chatCase.hasSchema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(chatCase.stop !== undefined && { stop_sequences: [chatCase.stop] }),
    ...(chatCase.thinks && { thinking: { type: 'enabled', budget_tokens: 2048 } }),
  }),
  read(body) {
    const blocks = listAt(body, 'content').filter(isObject);
    const joined = (name: string) => blocks.map((block) => textAt(block, name)).join('');
    const finishes = { end_turn: 'stop', stop_sequence: 'stop', max_tokens: 'length', tool_use: 'tool' } as const;
    const usage = objectAt(body, 'usage');
    const cached = numberAt(usage, 'cache_read_input_tokens') ?? 0;
    return {
      text: joined('text'),
      reasoning: joined('thinking'),
      calls: blocks
        .filter((block) => block['type'] === 'tool_use')
        .map((block) => ({ id: textAt(block, 'id'), name: textAt(block, 'name'), input: block['input'] })),
      finish: finishes[textAt(body, 'stop_reason') as keyof typeof finishes],
      usage: {
        prompt: (numberAt(usage, 'input_tokens') ?? 0) + (numberAt(usage, 'cache_creation_input_tokens') ?? 0) + cached,
        completion: numberAt(usage, 'output_tokens') ?? 0,
        cached,
        reasoning: undefined,
      },
      echo: blocks,
    };
  },
  gather(events) {
    const ofType = (type: string) => events.filter((event) => event['type'] === type);
    const last = ofType('message_delta').at(-1);
    const begun = objectAt(objectAt(ofType('message_start')[0], 'message'), 'usage');
    return {
      content: ofType('content_block_start').map((event) => gatherBlock(event, ofType('content_block_delta'))),
      ...objectAt(last, 'delta'),
      usage: { ...begun, ...objectAt(last, 'usage') },
    };
  },
  withoutThoughts: (echo) => echo.filter((block) => block['type'] !== 'thinking'),
  error: (body) => {
    expect(body).toMatchObject({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } });
    return { message: textAt(objectAt(body, 'error'), 'message') };
  },
  errorEvent: (event) =>
    event['type'] === 'error' ? { message: textAt(objectAt(event, 'error'), 'message') } : undefined,
  lacks: ['sound'],
};

function messageOf(turn: Turn): JsonObject {
  if ('echo' in turn) return { role: 'assistant', content: turn.echo };
  if ('results' in turn) {
    const content = turn.results.map(({ call, text }) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: text,
    }));
    return { role: 'user', content };
  }
  const { mediaType, data } = attachments.document;
  const document = { type: 'document', source: { type: 'base64', media_type: mediaType, data } };
  const source = { type: 'base64', media_type: imageType, data: imageData };
  return {
    role: 'user',
    content: [
      { type: 'text', text: turn.user },
      ...(turn.hasPicture ? [{ type: 'image', source }] : []),
      ...(turn.attached === 'document' ? [document] : []),
    ],
  };
}

function gatherBlock(start: JsonObject, deltas: readonly JsonObject[]): JsonObject {
  const block = objectAt(start, 'content_block');
  const own = deltas.filter((event) => event['index'] === start['index']).map((event) => objectAt(event, 'delta'));
  const joined = (name: string) => own.map((delta) => textAt(delta, name)).join('');
  if (block['type'] === 'tool_use') return { ...block, input: JSON.parse(joined('partial_json') || '{}') as unknown };
  if (block['type'] === 'text') return { ...block, text: joined('text') };
  return { ...block, thinking: joined('thinking'), signature: joined('signature') };
}
