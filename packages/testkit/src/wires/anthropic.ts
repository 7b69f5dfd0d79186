import { expect } from 'vitest';
import { reply, stream } from '../upstreams/stub-upstream.ts';
import {
  channelKey,
  defaultUsage,
  instruction,
  limit,
  type NamedEvent,
  namedEvents,
  question,
  responseChunks,
  responseText,
  tool,
  toolInput,
  toolJson,
  type Wire,
  type WireRequest,
} from './wire.ts';

/** Request to Claude, identical for every provider that hosts it. */
export const claudeRequest = ({ hasTools }: WireRequest) => ({
  max_tokens: limit,
  system: instruction,
  messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  ...(hasTools && { tools: [{ name: tool.name, description: tool.description, input_schema: tool.parameters }] }),
});

/** `input_tokens` excludes cached tokens. */
const input = { input_tokens: 4, cache_creation_input_tokens: 1, cache_read_input_tokens: 5 };
export const claudeUsage = { ...defaultUsage, cached: input.cache_read_input_tokens };
const model = 'claude-3-5-haiku-20241022';

export const claudeMessage = (isCall: boolean) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: isCall
    ? [{ type: 'tool_use', id: 'toolu_1', name: tool.name, input: toolInput }]
    : [{ type: 'text', text: responseText }],
  stop_reason: isCall ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { ...input, output_tokens: defaultUsage.completion },
});

export const claudeEvents = (isCall: boolean): readonly NamedEvent[] => [
  {
    type: 'message_start',
    message: { ...claudeMessage(isCall), content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: isCall
      ? { type: 'tool_use', id: 'toolu_1', name: tool.name, input: {} }
      : { type: 'text', text: '' },
  },
  { type: 'ping' },
  ...(isCall
    ? [toolJson.slice(0, 4), toolJson.slice(4)].map((json) =>
        blockDelta({ type: 'input_json_delta', partial_json: json }),
      )
    : responseChunks.map((text) => blockDelta({ type: 'text_delta', text }))),
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: defaultUsage.completion },
  },
  { type: 'message_stop' },
];

const blockDelta = (delta: object) => ({ type: 'content_block_delta', index: 0, delta });

export const claudeError: Wire['reject'] = (message) =>
  reply({ type: 'error', error: { type: 'authentication_error', message } }, 401);

export const anthropicWires: readonly Wire[] = [
  {
    type: 14,
    name: 'Anthropic',
    model,
    hasTools: true,
    usage: claudeUsage,
    channel: () => ({ key: channelKey }),
    expectRequest(request, requested) {
      expect(request).toMatchObject({
        method: 'POST',
        path: '/v1/messages',
        headers: { 'x-api-key': channelKey, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      });
      expect(request.body).toEqual({ model, ...claudeRequest(requested), ...(requested.isStream && { stream: true }) });
    },
    respond: ({ isStream, isCall }) =>
      isStream ? stream(namedEvents(claudeEvents(isCall))) : reply(claudeMessage(isCall)),
    reject: claudeError,
  },
];
