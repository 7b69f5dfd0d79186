import {
  type AssistantMessage,
  type CacheControlled,
  type ChatMessage,
  type ContentPart,
  isObject,
  listAt,
  objectAt,
  parseJsonObject,
  type ReasoningBlock,
  RequestProblem,
  readDataUrl,
  requestBounds,
  type SystemMessage,
  type ToolCall,
  type ToolMessage,
  textAt,
} from '@headgate/dialects';
import type { InlineImages, JsonObject } from '../provider.ts';

/** Writes a message as Claude's blocks. */
export function toClaudeBlocks(message: NonSystemMessage, keepsThoughts: boolean): readonly JsonObject[] {
  switch (message.role) {
    case 'user':
      return message.parts.flatMap((part) => applyCacheControl(partBlocks(part), part));
    case 'tool':
      return applyCacheControl([resultBlock(message)], lastCacheMark(message.parts));
    case 'assistant':
      return [
        ...(keepsThoughts ? reasoningBlocks(message.thoughts) : []),
        ...messageBlocks(message),
        ...message.toolCalls.map(toolUseBlock),
      ];
  }
}

/** A tool result as plain text if it contains only text. */
const resultBlock = ({ toolCallId, text, parts, isError }: ToolMessage): JsonObject => ({
  type: 'tool_result',
  tool_use_id: safeId(toolCallId),
  content: parts.every(({ type }) => type === 'text') ? text : parts.flatMap(partBlocks),
  ...(isError && { is_error: true }),
});

export const messageBlocks = ({ text, parts }: Spoken): readonly JsonObject[] =>
  hasCacheControl(parts) ? parts.flatMap((part) => applyCacheControl(textBlocks(part.text), part)) : textBlocks(text);

function partBlocks(part: ContentPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text);
    case 'image': {
      const { image } = part;
      const source =
        'url' in image
          ? { type: 'url', url: image.url }
          : { type: 'base64', media_type: image.mediaType, data: image.data };
      return [{ type: 'image', source }];
    }
    case 'file':
      return [documentBlock(part.name, part.data)];
    case 'audio':
      throw new RequestProblem('input_audio', 'Claude does not support input_audio');
  }
}

/** Anthropic rejects empty text blocks. */
const textBlocks = (text: string): JsonObject[] => (text === '' ? [] : [{ type: 'text', text }]);

const toolUseBlock = (call: ToolCall): JsonObject => ({
  type: 'tool_use',
  id: safeId(call.id),
  name: call.name,
  input: parseArguments(call),
});

/**
 * Replaces characters that Claude rejects in an id; ids of other providers may contain them when a conversation
 * changes channels.
 */
const safeId = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, '_');

/** Arguments of an earlier call, which must be an object. */
export function parseArguments(call: ToolCall): JsonObject {
  const parsed = parseJsonObject(call.arguments, requestBounds);
  if (parsed) return parsed;
  throw new RequestProblem('messages', `The arguments of the tool call ${call.id} must be a JSON object`);
}

type Spoken = Pick<AssistantMessage, 'text' | 'parts'>;

/** A file as a document block: a PDF or text. */
function documentBlock(name: string, fileData: string): JsonObject {
  const { mediaType, data } = readDataUrl(fileData) ?? { mediaType: 'application/pdf', data: fileData };
  const title = name === '' ? {} : { title: name };
  if (mediaType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title };
  }
  if (mediaType.startsWith('text/')) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
  }
  throw new RequestProblem('file', 'Claude accepts files only as PDF or text');
}

/** Places a cache marker on the last block that it covers. */
export function applyCacheControl(
  blocks: readonly JsonObject[],
  { cacheControl }: CacheControlled,
): readonly JsonObject[] {
  const last = blocks.at(-1);
  return cacheControl && last ? [...blocks.slice(0, -1), { ...last, cache_control: cacheControl }] : blocks;
}

export const hasCacheControl = (parts: readonly CacheControlled[]) => parts.some(({ cacheControl }) => cacheControl);

/** Cache marker of content that can only be cached as a whole. */
const lastCacheMark = (parts: readonly CacheControlled[]): CacheControlled =>
  parts.findLast(({ cacheControl }) => cacheControl) ?? {};

export type NonSystemMessage = Exclude<ChatMessage, SystemMessage>;

interface Turn<Block> {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/**
 * Merges adjacent messages of the same role: results of parallel calls must be in one turn, together with the user's
 * text.
 */
export function mergeTurns<Block>(
  messages: readonly ChatMessage[],
  toClaudeBlocks: (message: NonSystemMessage) => readonly Block[],
): readonly Turn<Block>[] {
  const turns: Turn<Block>[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const content = toClaudeBlocks(message);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) for (const block of content) last.content.push(block);
    else if (content.length > 0) turns.push({ role, content: [...content] });
  }
  return turns;
}

/** All system texts. */
export const systemTexts = (messages: readonly ChatMessage[]) =>
  messages.flatMap((message) => (message.role === 'system' && message.text !== '' ? [message.text] : []));

/** True if the reasoning is signed by Anthropic, which accepts no other. */
export const isSignedByAnthropic = ({ maker, signature, sealed }: ReasoningBlock): boolean =>
  maker === 'anthropic' && (signature !== undefined || sealed !== undefined);

/** Writes Claude's earlier reasoning unchanged. */
const reasoningBlocks = (thoughts: readonly ReasoningBlock[]): readonly JsonObject[] =>
  thoughts
    .filter(isSignedByAnthropic)
    .map(({ text, signature, sealed }) =>
      sealed === undefined
        ? { type: 'thinking', thinking: text, signature }
        : { type: 'redacted_thinking', data: sealed },
    );

/** Images by URL in Anthropic's format, for hosts of Claude that do not fetch them. */
export const imageUrlBlocks: InlineImages = {
  collectUrls: (body) => listAt(body, 'messages').flatMap((message) => blocksIn(message).flatMap(addressOf)),
  withImages: (body, images) => ({
    messages: listAt(body, 'messages').map((message) => withContent(message, (block) => inlined(block, images))),
  }),
};

type Images = Parameters<InlineImages['withImages']>[1];

/** Includes images in tool results. */
const blocksIn = (holder: unknown): readonly unknown[] =>
  listAt(holder, 'content').flatMap((block) => (isResult(block) ? blocksIn(block) : [block]));

const isResult = (block: unknown): boolean => textAt(block, 'type') === 'tool_result';

function addressOf(block: unknown): readonly string[] {
  const source = objectAt(block, 'source');
  return textAt(block, 'type') === 'image' && textAt(source, 'type') === 'url' ? [textAt(source, 'url')] : [];
}

function withContent(holder: unknown, change: (block: unknown) => unknown): unknown {
  if (!isObject(holder) || !Array.isArray(holder['content'])) return holder;
  return { ...holder, content: holder['content'].map(change) };
}

function inlined(block: unknown, images: Images): unknown {
  if (isResult(block)) return withContent(block, (inner) => inlined(inner, images));
  const image = images.get(addressOf(block)[0] ?? '');
  if (!image) return block;
  const source: JsonObject = { type: 'base64', media_type: image.mediaType, data: image.data };
  return { ...(block as JsonObject), source };
}
