import { promptCacheKey } from '../conversation.ts';
import type { Attachment, Dialect, Failure } from '../dialect.ts';
import { commonMessageFields, type JsonObject } from '../json-fields.ts';
import { readAudioPart, readFilePart, readImagePart } from '../openai-files.ts';
import { readStoredFile as keptIn, readStoredFileField, readSystemFile, type StoredFile } from '../stored-files.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';
import { readOutline } from './read-outline.ts';
import { readChatRequest } from './read-request.ts';
import { responseScan } from './response-scan.ts';
import { ChunkWriter, writeResponse } from './write-response.ts';

const errorBody = ({ message, type, param, code, requestId }: Failure): JsonObject => ({
  error: { message: `${message} (request id: ${requestId})`, type, param, code },
});

export const openaiChat: Dialect = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  readOutline,
  readRequest: readChatRequest,
  readStoredFile,
  conversationIn: promptCacheKey,
  withSystemPrompt,
  requestUsage: ({ stream_options: given }) => ({
    stream_options: { ...(typeof given === 'object' ? given : {}), include_usage: true },
  }),
  withoutUsageRequest: (body) => (body['stream_options'] === undefined ? {} : { stream_options: undefined }),
  limitField: 'max_tokens',
  scan: responseScan,
  prompt: {
    ...commonMessageFields,
    input: 'messages',
    isList: true,
    otherFields: ['tools', 'functions', 'response_format', 'suffix'],
    nested: ['content'],
    textFields: ['tool_calls'],
    toolCallTexts,
    referencesAudio: ({ audio }) => typeof audio === 'object' && audio !== null,
    toAttachment,
  },
  writeResponse,
  openStream: (reply) => new ChunkWriter(reply),
  writeError: (failure) => ({ status: failure.status, body: errorBody(failure) }),
  writeErrorEvent: (failure) => `data: ${JSON.stringify(errorBody(failure))}\n\n`,
};

/** Replaces the conversation's system prompt, or adds one at the start. */
function withSystemPrompt({ messages }: JsonObject, systemPrompt: string): JsonObject {
  if (!Array.isArray(messages)) return {};
  const [first] = messages as { role?: unknown }[];
  const hasOwn = first?.role === 'system' || first?.role === 'developer';
  const system = hasOwn ? { ...first, content: systemPrompt } : { role: 'system', content: systemPrompt };
  return { messages: [system, ...messages.slice(hasOwn ? 1 : 0)] };
}

interface Call {
  readonly function: { readonly name?: unknown; readonly arguments: string };
}

/**
 * Names and arguments of calls, without ids and types, which are not part of the prompt. Undefined if some items are
 * not calls.
 */
export function toolCallTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every(isCall)) return undefined;
  return value.flatMap(({ function: { name, arguments: given } }) =>
    typeof name === 'string' ? [name, given] : [given],
  );
}

const isCall = (value: unknown): value is Call =>
  typeof (value as { function?: { arguments?: unknown } } | null)?.function?.arguments === 'string';

/** Text-only part types. */
const textTypes: ReadonlySet<unknown> = new Set([
  undefined,
  'text',
  'input_text',
  'output_text',
  'refusal',
  'thinking',
]);

/** Non-text content of a message part; unknown parts count as text by their bytes. */
function toAttachment(part: JsonObject): Attachment | undefined {
  const { type } = part;
  if (textTypes.has(type)) return undefined;
  if (type === 'image_url' || type === 'input_image') return readImagePart(part['image_url']);
  if (type === 'input_audio') return readAudioPart(part['input_audio']);
  return readFilePart(part, type === 'file' || type === 'input_file');
}

function readStoredFile(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  return Array.isArray(body['messages']) ? storedByChat(body, allowed) : storedByOtherInput(body, allowed);
}

/** Some upstreams accept parts in the input of embeddings, moderations, reranking and images. */
function storedByOtherInput({ input, ...rest }: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  const found = typeof input === 'object' ? readStoredFileField(input, 'input', allowed) : undefined;
  const storedFile = found ?? readStoredFileField(rest, '', allowed);
  return storedFile && { ...storedFile, path: storedFile.path.replace(/^\./, '') };
}

function storedByChat(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const found = storedByMessage(message, allowed);
    if (found) return { name: found.name, path: `messages[${index}]${found.path}` };
  }
  for (const [index, tool] of listAt(body, 'tools').entries()) {
    const found = clientTools.has(textAt(tool, 'type'))
      ? undefined
      : readStoredFileField(tool, `tools[${index}]`, allowed);
    if (found) return found;
  }
  return undefined;
}

function storedByMessage(message: unknown, allowed: readonly string[]): StoredFile | undefined {
  // Reference to audio of an earlier response.
  if (textAt(objectAt(message, 'audio'), 'id') !== '' && !allowed.includes('audio_id'))
    return { name: 'audio_id', path: '.audio.id' };
  return readSystemFile(message, allowed) ?? keptIn(message, allowed);
}

const clientTools: ReadonlySet<string> = new Set(['', 'function', 'custom']);
