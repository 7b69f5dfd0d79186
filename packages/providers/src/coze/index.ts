import {
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  isObject,
  numberAt,
  objectAt,
  parseFrame,
  RequestProblem,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, JsonObject, Provider, StreamDecoder, Upstream } from '../provider.ts';

/** Coze's own codes, also sent with status 200. */
const statuses: ReadonlyMap<number, number> = new Map([
  [4008, 402],
  [4009, 429],
  [4011, 402],
  [4013, 429],
  [4015, 404],
  [4027, 402],
  [4028, 402],
  [4100, 401],
  [4101, 403],
  [4200, 404],
  [700_012_006, 401],
]);

function readCozeProblem(status: number, body: unknown): UpstreamProblem | undefined {
  const code = isObject(body) ? numberAt(body, 'code') : undefined;
  return code === undefined || code === 0 ? undefined : problemOf(body, status);
}

/** Error in a body, an event or a bot's last error; an error status of the response takes precedence. */
function problemOf(source: unknown, status = 200): UpstreamProblem {
  const code = numberAt(source, 'code') ?? 0;
  const shown = statuses.get(code) ?? (status >= 400 ? status : statusOf(code));
  return new UpstreamProblem(
    shown,
    textAt(source, 'msg') || 'The upstream aborted the response',
    code === 0 ? null : String(code),
  );
}

const statusOf = (code: number) => (code >= 4000 && code < 5000 ? 400 : 502);

/** Chat adaptor of a Coze bot, version 3. Always streams, because a whole response would have to be polled. */
export const chat: ChatAdaptor = {
  kind: 'convert',
  // Reasoning and tools of a bot are configured at Coze.
  takes: ['user', 'image_url'],
  encode: (request, upstream) => ({
    method: 'POST',
    url: `${upstream.baseUrl}/v3/chat`,
    headers: { 'content-type': 'application/json', ...bearer(upstream) },
    body: jsonBody(encodeBody(request, upstream), upstream),
  }),
  stream: { framing: 'sse', open: () => new CozeStream() },
  readProblem: readCozeProblem,
};

const encodeBody = (request: ChatRequest, { model, config }: Upstream): JsonObject => ({
  bot_id: model.replace(/^bot-/, ''),
  user_id: config['user_id'] || request.user || 'user',
  additional_messages: request.messages.map(encodeMessage),
  stream: true,
  auto_save_history: false,
});

/** Coze has only user and assistant roles, so system messages are sent as user messages. */
function encodeMessage(message: ChatMessage): JsonObject {
  switch (message.role) {
    case 'system':
      return text('user', 'question', message.text);
    case 'assistant':
      return text('assistant', 'answer', message.text);
    case 'user':
      return encodeUser(message.parts);
    case 'tool':
      throw new RequestProblem('tools', "The channel's provider does not support tools");
  }
}

const text = (role: string, type: string, content: string): JsonObject => ({
  role,
  type,
  content,
  content_type: 'text',
});

function encodeUser(parts: readonly ContentPart[]): JsonObject {
  if (parts.every((part) => part.type === 'text')) {
    return text('user', 'question', parts.map((part) => part.text).join(''));
  }
  const content = JSON.stringify(parts.map(encodePart));
  return { role: 'user', type: 'question', content, content_type: 'object_string' };
}

function encodePart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image' && 'url' in part.image) return { type: 'image', file_url: part.image.url };
  throw new RequestProblem('image_url', "The channel's provider accepts image_url only as an HTTP URL");
}

class CozeStream implements StreamDecoder {
  usage: Usage | undefined;

  push({ event, data }: StreamFrame): readonly ChatDelta[] {
    switch (event) {
      case 'conversation.message.delta':
        return readBotMessage(parseFrame(data));
      case 'conversation.chat.completed':
        this.usage = usageOf(parseFrame(data));
        return [{ finishReason: 'stop' }];
      case 'conversation.chat.failed':
        throw problemOf(objectAt(parseFrame(data), 'last_error'));
      case 'conversation.chat.requires_action':
        throw new UpstreamProblem(502, 'The bot requires a client tool, which the gateway does not support');
      // A frame without an event name is not part of a stream.
      case '':
      case 'error':
        throw problemOf(parseFrame(data));
      default:
        return [];
    }
  }
}

/** Reads a bot's response; tool calls and suggested questions in it are skipped. */
function readBotMessage(piece: unknown): readonly ChatDelta[] {
  if (textAt(piece, 'type') !== 'answer') return [];
  const reasoning = textAt(piece, 'reasoning_content');
  const content = textAt(piece, 'content');
  return [...(reasoning === '' ? [] : [{ reasoning }]), ...(content === '' ? [] : [{ content }])];
}

function usageOf(body: unknown): Usage | undefined {
  const counts = objectAt(body, 'usage');
  const prompt = numberAt(counts, 'input_count');
  return prompt === undefined
    ? undefined
    : { promptTokens: prompt, completionTokens: numberAt(counts, 'output_count') ?? 0 };
}

export const coze: Provider = { baseUrl: 'https://api.coze.com', models: [], chat };
