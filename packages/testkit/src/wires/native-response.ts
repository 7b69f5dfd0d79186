import { reply, stream, type UpstreamHandler } from '../upstreams/stub-upstream.ts';
import {
  defaultUsage,
  type NamedEvent,
  namedEvents,
  type ResponseMode,
  responseChunks,
  responseText,
  toolJson,
} from './wire.ts';

const usage = {
  input_tokens: defaultUsage.prompt,
  output_tokens: defaultUsage.completion,
  total_tokens: 15,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part(responseText)] };
const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'weather', status: 'completed' };

const itemOf = (isCall: boolean) => (isCall ? { ...call, arguments: toolJson } : message);

const response = (fields: object) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_735_689_600,
  model: 'm',
  error: null,
  incomplete_details: null,
  instructions: null,
  tools: [],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  ...fields,
});

/** Response of a provider with a native Responses API. */
export function nativeResponse({ isStream, isCall }: ResponseMode): UpstreamHandler {
  const ended = response({ status: 'completed', output: [itemOf(isCall)], usage });
  if (!isStream) return reply(ended);
  const events: readonly NamedEvent[] = [
    { type: 'response.created', response: response({ status: 'in_progress', output: [], usage: null }) },
    ...(isCall ? callEvents : textEvents),
    { type: 'response.output_item.done', output_index: 0, item: itemOf(isCall) },
    { type: 'response.completed', response: ended },
  ];
  return stream(namedEvents(events.map((event, sequence_number) => ({ ...event, sequence_number }))));
}

const inMessage = { item_id: 'msg_1', output_index: 0, content_index: 0 };

const textEvents: readonly NamedEvent[] = [
  { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...inMessage, part: part('') },
  ...responseChunks.map((delta) => ({ type: 'response.output_text.delta', ...inMessage, delta })),
  { type: 'response.output_text.done', ...inMessage, text: responseText },
  { type: 'response.content_part.done', ...inMessage, part: part(responseText) },
];

const inCall = { item_id: 'fc_1', output_index: 0 };

const callEvents: readonly NamedEvent[] = [
  { type: 'response.output_item.added', output_index: 0, item: { ...call, status: 'in_progress', arguments: '' } },
  { type: 'response.function_call_arguments.delta', ...inCall, delta: toolJson },
  { type: 'response.function_call_arguments.done', ...inCall, arguments: toolJson },
];
