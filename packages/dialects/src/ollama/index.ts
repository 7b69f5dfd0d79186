import type { Dialect } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { commonMessageFields } from '../message-fields.ts';
import { type StoredFile, systemFileIn } from '../stored-files.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import { generateToChat } from './generate-request.ts';
import { attachmentOf, withImageParts } from './images.ts';
import { type LineShape, LineWriter, writeWholeResponse } from './line-writer.ts';
import { preloadResponse } from './preload.ts';
import { readOutline } from './read-outline.ts';
import { readRequest } from './read-request.ts';
import { writeError, writeErrorEvent } from './write-error.ts';

const dialectOf = (
  { name, path, shape }: { readonly name: string; readonly path: string; readonly shape: LineShape },
  normalize: (body: JsonObject) => JsonObject,
): Dialect => ({
  name,
  path,
  normalize: (body) => toldFromTexts(normalize(body)),
  readOutline: (body) => readOutline(body),
  readRequest: (body) => readRequest(normalize(body)),
  withSystemPrompt,
  storedFileIn,
  limitField: 'options.num_predict',
  prompt: {
    ...commonMessageFields,
    input: 'messages',
    isList: true,
    otherFields: ['tools', 'format'],
    nested: ['content', 'images'],
    words: ['tool_calls', 'thinking'],
    attachmentOf,
  },
  preloadResponse: (reply) => preloadResponse(reply, shape),
  writeResponse: (response, reply) => writeWholeResponse(response, reply, shape),
  openStream: (reply) => new LineWriter(reply, shape),
  writeError,
  writeErrorEvent,
});

function storedFileIn(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const found = systemFileIn(message, allowed);
    if (found) return { name: found.name, place: `messages[${index}]${found.place}` };
  }
  return undefined;
}

/** A chat without messages only preloads its model. */
const withMessages = (body: JsonObject): JsonObject => (body['messages'] == null ? { ...body, messages: [] } : body);

const toldFromTexts = (body: JsonObject): JsonObject =>
  Array.isArray(body['messages']) ? { ...body, messages: body['messages'].map(withImageParts) } : body;

export const ollamaChat = dialectOf({ name: 'ollama-chat', path: '/api/chat', shape: 'message' }, withMessages);

export const ollamaGenerate = dialectOf(
  { name: 'ollama-generate', path: '/api/generate', shape: 'response' },
  generateToChat,
);

/** Replaces the conversation's system prompt, or adds one at the start. */
function withSystemPrompt(body: JsonObject, systemPrompt: string): JsonObject {
  const [first, ...others] = listAt(body, 'messages');
  const rest = textAt(first, 'role') === 'system' ? others : listAt(body, 'messages');
  return { messages: [{ role: 'system', content: systemPrompt }, ...rest] };
}
