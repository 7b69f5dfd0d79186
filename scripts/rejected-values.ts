import { type ChatRequest, type JsonObject, RequestProblem, readChatRequest } from '../packages/dialects/src/index.ts';
import {
  fitRequest,
  type Provider,
  sampleUpstreams,
  toChatAdaptor,
  type Upstream,
} from '../packages/providers/src/index.ts';

const userMessage = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const schema = { type: 'object', properties: { a: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }];
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const toolConversation = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: 'done' },
];
const file = (type: string) => ({ filename: 'a', file_data: `data:${type};base64,AAAA` });

/** Fields that an upstream may accept with one value but not with another, in OpenAI's chat format. */
const values: Readonly<Record<string, JsonObject>> = {
  '`tools`': { tools },
  '`tools` with tool results': { tools, messages: toolConversation },
  '`tool_choice`: `required`': { tools, tool_choice: 'required' },
  '`tool_choice` of one tool': { tools, tool_choice: { type: 'function', function: { name: 'f' } } },
  '`tool_choice`: `none` after a tool call': { tools, tool_choice: 'none', messages: toolConversation },
  '`response_format`: `json_object`': { response_format: { type: 'json_object' } },
  '`response_format`: `json_schema`': { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
  '`reasoning_effort`': { reasoning_effort: 'high' },
  '`image_url` as a data URL': userMessage([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]),
  '`image_url` as an address': userMessage([
    { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } },
  ]),
  '`file` as PDF': userMessage([{ type: 'file', file: file('application/pdf') }]),
  '`file` as text': userMessage([{ type: 'file', file: file('text/plain') }]),
  '`file` other than PDF or text': userMessage([{ type: 'file', file: file('application/zip') }]),
};

/** Some providers need these to build a URL. */
const config = { region: 'us-east-1', user_id: 'account' };

/** Parsed request of each value. */
const requests = Object.entries(values).map(
  ([name, body]) => [name, readChatRequest({ ...userMessage('Hello'), ...body })] as const,
);

/**
 * Values that a provider rejects although it supports the field, for all or some of its models: determined by running
 * its adaptors.
 */
export function rejectedValuesOf(provider: Provider): readonly string[] {
  const upstreams = sampleUpstreams(provider).map((upstream) => ({ ...upstream, config }));
  return requests.flatMap(([name, request]) => {
    const results = upstreams.flatMap((upstream) => takes(provider, upstream, request) ?? []);
    if (!results.includes(false)) return [];
    return results.includes(true) ? [`${name} with some models`] : [name];
  });
}

/** Undefined if the field is rejected with any value, or if the result depends on the key. */
function takes({ chat }: Provider, upstream: Upstream, request: ChatRequest): boolean | undefined {
  const way = typeof chat === 'function' ? chat(upstream) : chat;
  if (!way) return undefined;
  const adaptor = toChatAdaptor(way);
  const fitted = attempt(() => fitRequest(request, adaptor, upstream.model).request);
  if (!fitted || (adaptor.inlinesImages && pointsAtPicture(request))) return undefined;
  try {
    adaptor.encode(fitted, upstream);
    return true;
  } catch (error) {
    return error instanceof RequestProblem ? false : undefined;
  }
}

/** The relay fetches the image before the adaptor runs. */
const pointsAtPicture = ({ messages }: ChatRequest): boolean =>
  messages.some(
    (message) => message.role === 'user' && message.parts.some((part) => part.type === 'image' && 'url' in part.image),
  );

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof RequestProblem) return undefined;
    throw error;
  }
}
