import { CallIds } from '../call-ids.ts';
import type { AssistantMessage, ChatMessage, ImagePart, TextPart, ToolMessage } from '../chat/chat-message.ts';
import type { ChatExtras, ChatRequest, ResponseFormat, Tool } from '../chat/chat-request.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { readDataUrl } from '../data-url.ts';
import type { Attachment, RequestOutline } from '../dialect.ts';
import {
  isObject,
  type JsonObject,
  optionalNumber,
  optionalText,
  requiredText,
  requireList,
  requireObject,
} from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { readReasoningDetails } from '../reasoning-details.ts';
import { objectAt, textAt } from '../upstream-fields.ts';

/** Reads a chat request from Ollama clients. Fields for the server's memory management are ignored. */
export function readRequest(body: JsonObject): ChatRequest {
  const options = objectAt(body, 'options');
  const number = (name: string) => optionalNumber(options[name], `options.${name}`);
  return {
    messages: readMessages(body['messages']),
    tools: body['tools'] == null ? [] : requireList(body['tools'], 'tools').map(readTool),
    toolChoice: undefined,
    parallelToolCalls: undefined,
    maxTokens: readOutputLimit(body),
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    frequencyPenalty: number('frequency_penalty'),
    presencePenalty: number('presence_penalty'),
    seed: number('seed'),
    stop: readStop(options['stop']),
    responseFormat: readFormat(body['format']),
    reasoningEffort: readThinking(body['think']),
    reasoningBudget: undefined,
    user: undefined,
    isStream: isStreamed(body),
    choices: 1,
    extras: readExtras(body, options),
  };
}

function readExtras(body: JsonObject, options: JsonObject): ChatExtras {
  const minP = optionalNumber(options['min_p'], 'options.min_p');
  return {
    ...(minP !== undefined && { minP }),
    ...(body['logprobs'] === true && { wantsLogprobs: true }),
    ...(body['think'] != null && body['think'] !== false && { includesThoughts: true }),
    ...(options['num_ctx'] != null && { hasContextSize: true }),
    ...(body['keep_alive'] != null && { hasKeepAlive: true }),
  };
}

function readTool(value: unknown, index: number): Tool {
  const at = `tools[${index}]`;
  const described = requireObject(requireObject(value, at)['function'], `${at}.function`);
  const given = described['parameters'];
  return {
    name: requiredText(described['name'], `${at}.function.name`),
    description: optionalText(described['description'], `${at}.function.description`),
    parameters: given == null ? { type: 'object', properties: {} } : requireObject(given, `${at}.function.parameters`),
  };
}

export function readStop(value: unknown): readonly string[] {
  if (value == null) return [];
  return (Array.isArray(value) ? value : [value]).map((stop) => requiredText(stop, 'options.stop'));
}

function readFormat(value: unknown): ResponseFormat | undefined {
  if (value == null || value === '') return undefined;
  if (value === 'json') return { type: 'json_object' };
  return { type: 'json_schema', name: 'answer', schema: requireObject(value, 'format') };
}

/** Most models can only turn thinking on or off; a few have levels. */
function readThinking(think: unknown): string | undefined {
  if (think == null) return undefined;
  if (typeof think === 'boolean') return think ? 'medium' : 'none';
  if (think === 'low' || think === 'medium' || think === 'high') return think;
  throw new RequestProblem('think', 'think must be true, false, low, medium or high');
}

const maxTokens = 10_000_000;

export function readOutline(body: JsonObject): RequestOutline {
  const { model = '', options, think } = body;
  if (typeof model !== 'string') throw new RequestProblem('model', 'model is required');
  if (options != null && !isObject(options)) throw new RequestProblem('options', 'options must be an object');
  return {
    model,
    isStream: isStreamed(body),
    wantsUsage: true,
    completionLimit: readOutputLimit(body),
    choiceCount: 1,
    tries: 1,
    mayGrowPrompt: false,
    hasTools: body['tools'] != null,
    repeatsPrompt: false,
    summarizesFirst: false,
    thinking: { isOn: think == null ? undefined : think !== false },
  };
}

/** Ollama streams by default. */
export function isStreamed({ stream }: JsonObject): boolean {
  if (stream == null || typeof stream === 'boolean') return stream !== false;
  throw new RequestProblem('stream', 'stream is invalid');
}

/** A negative value means no limit. */
export function readOutputLimit(body: JsonObject): number | undefined {
  const name = 'options.num_predict';
  const limit = optionalNumber(objectAt(body, 'options')['num_predict'], name);
  if (limit === undefined || limit === -1 || limit === -2) return undefined;
  if (!Number.isInteger(limit) || limit < 0 || limit > maxTokens) throw new RequestProblem(name, `${name} is invalid`);
  return limit === 0 ? undefined : limit;
}

function readMessages(messages: unknown): readonly ChatMessage[] {
  const calls = new CallIds();
  return requireList(messages, 'messages').map((message, index) => {
    const at = `messages[${index}]`;
    return readMessage(requireObject(message, at), at, calls);
  });
}

function readMessage(message: JsonObject, at: string, calls: CallIds): ChatMessage {
  const text = optionalText(message['content'], `${at}.content`) ?? '';
  const parts: readonly TextPart[] = text === '' ? [] : [{ type: 'text', text }];
  switch (message['role']) {
    case 'system':
      return { role: 'system', text, parts };
    case 'user':
      return { role: 'user', parts: [...parts, ...readImages(message['images'], `${at}.images`)] };
    case 'assistant':
      return { role: 'assistant', text, parts, ...readTurn(message, at, calls) };
    case 'tool':
      return { role: 'tool', text, ...readResult(message, at, calls), parts };
    default:
      throw new RequestProblem(`${at}.role`, `${at}.role must be system, user, assistant or tool`);
  }
}

function readTurn(message: JsonObject, at: string, calls: CallIds): Pick<AssistantMessage, 'thoughts' | 'toolCalls'> {
  calls.beginStep();
  const given = message['tool_calls'] == null ? [] : requireList(message['tool_calls'], `${at}.tool_calls`);
  const toolCalls = given.map((call, index) => readCall(call, `${at}.tool_calls[${index}]`));
  for (const { id, name } of toolCalls) calls.add(id, name);
  return { thoughts: thoughtsOf(message), toolCalls };
}

/** Reasoning with signatures if the client sends them back, otherwise text only. */
function thoughtsOf(message: JsonObject): readonly ReasoningBlock[] {
  const sealed = readReasoningDetails(message);
  const text = textAt(message, 'thinking');
  return sealed.length > 0 || text === '' ? sealed : [{ text }];
}

/** A call without an id gets a position-based id that is stable across turns. */
function readCall(value: unknown, at: string): ToolCall {
  const call = requireObject(value, at);
  const called = requireObject(call['function'], `${at}.function`);
  const signature = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  return {
    id: optionalText(call['id'], `${at}.id`) || `call_${at.replaceAll(/\D+/g, '_').replaceAll(/^_|_$/g, '')}`,
    name: requiredText(called['name'], `${at}.function.name`),
    arguments: JSON.stringify(
      called['arguments'] == null ? {} : requireObject(called['arguments'], `${at}.function.arguments`),
    ),
    ...(signature !== '' && { thoughtSignature: signature }),
  };
}

function readResult(message: JsonObject, at: string, calls: CallIds): Pick<ToolMessage, 'toolCallId'> {
  const id = optionalText(message['tool_call_id'], `${at}.tool_call_id`);
  const name = optionalText(message['tool_name'] ?? message['name'], `${at}.tool_name`) ?? '';
  const toolCallId = calls.ofResult(id, name);
  if (toolCallId === undefined)
    throw new RequestProblem(`${at}.tool_name`, `${at}.tool_name must match an earlier tool call`);
  return { toolCallId };
}

/** An image in a message, distinguished from its texts. */
interface Picture {
  readonly image: string;
}

/** Converts images, which are bare strings in a message, to objects, so that they are not counted as text. */
export const withImageParts = (message: unknown): unknown =>
  isObject(message) && Array.isArray(message['images'])
    ? { ...message, images: message['images'].map((image) => (typeof image === 'string' ? { image } : image)) }
    : message;

export function toAttachment({ image, role }: JsonObject): Attachment | undefined {
  if (role !== undefined || typeof image !== 'string') return undefined;
  return { kind: isOtherFile(image) ? 'unmeasured' : 'image', characters: image.length };
}

/** True if the media type is not an image. */
const isOtherFile = (image: string): boolean => /^data:(?!image\/)/i.test(image);

const readImages = (images: unknown, at: string): readonly ImagePart[] =>
  images == null ? [] : requireList(images, at).map((image, index) => readPicture(image, `${at}[${index}]`));

function readPicture(value: unknown, at: string): ImagePart {
  const text = requiredText(isObject(value) ? (value as Partial<Picture>).image : value, at);
  if (isOtherFile(text)) throw new RequestProblem(at, `${at} must be an image`);
  const inline = readDataUrl(text);
  if (inline) return { type: 'image', image: inline };
  const mediaType = beginnings.find(([beginning]) => text.startsWith(beginning))?.[1];
  if (mediaType === undefined) throw new RequestProblem(at, `${at} must be a base64 PNG, JPEG, GIF or WebP image`);
  return { type: 'image', image: { mediaType, data: text } };
}

/** Base64 prefixes of image formats. */
const beginnings: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lG', 'image/gif'],
  ['UklGR', 'image/webp'],
];
