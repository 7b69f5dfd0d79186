import type { Dialect, ErrorResponse, Failure } from '../dialect.ts';
import { commonMessageFields, type JsonObject } from '../json-fields.ts';
import { readSystemFile, type StoredFile } from '../stored-files.ts';
import { listAt, numberAt, objectAt, textAt } from '../upstream-fields.ts';
import { generateToChat, preloadResponse } from './generate-request.ts';
import { type LineShape, LineWriter, writeWholeResponse } from './line-writer.ts';
import { readOutline, readRequest, toAttachment, withImageParts } from './read-request.ts';

/** Converts `/api/embed` to OpenAI's embeddings request. */
export const readEmbed = ({ model, input, dimensions }: JsonObject): JsonObject => ({
  model,
  input,
  encoding_format: 'float',
  ...(dimensions != null && { dimensions }),
});

/** Converts OpenAI's response to that of `/api/embed`. */
export function writeEmbed(reply: JsonObject): JsonObject {
  const rows = listAt(reply, 'data').toSorted(
    (one, other) => (numberAt(one, 'index') ?? 0) - (numberAt(other, 'index') ?? 0),
  );
  const tokens = numberAt(objectAt(reply, 'usage'), 'prompt_tokens');
  return {
    model: reply['model'],
    embeddings: rows.map((row) => listAt(row, 'embedding')),
    ...(tokens !== undefined && { prompt_eval_count: tokens }),
  };
}

const errorOf = ({ message, requestId }: Failure) => ({ error: `${message} (request id: ${requestId})` });

const writeError = (failure: Failure): ErrorResponse => ({ status: failure.status, body: errorOf(failure) });

const writeErrorEvent = (failure: Failure): string => `${JSON.stringify(errorOf(failure))}\n`;

const dialectOf = (
  { name, path, shape }: { readonly name: string; readonly path: string; readonly shape: LineShape },
  normalize: (body: JsonObject) => JsonObject,
): Dialect => ({
  name,
  path,
  normalize: (body) => reportedByTexts(normalize(body)),
  readOutline: (body) => readOutline(body),
  readRequest: (body) => readRequest(normalize(body)),
  withSystemPrompt,
  readStoredFile,
  limitField: 'options.num_predict',
  prompt: {
    ...commonMessageFields,
    input: 'messages',
    isList: true,
    otherFields: ['tools', 'format'],
    nested: ['content', 'images'],
    textFields: ['tool_calls', 'thinking'],
    toAttachment,
  },
  preloadResponse: (reply) => preloadResponse(reply, shape),
  writeResponse: (response, reply) => writeWholeResponse(response, reply, shape),
  openStream: (reply) => new LineWriter(reply, shape),
  writeError,
  writeErrorEvent,
});

function readStoredFile(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const found = readSystemFile(message, allowed);
    if (found) return { name: found.name, path: `messages[${index}]${found.path}` };
  }
  return undefined;
}

/** A chat without messages only preloads its model. */
const withMessages = (body: JsonObject): JsonObject => (body['messages'] == null ? { ...body, messages: [] } : body);

const reportedByTexts = (body: JsonObject): JsonObject =>
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
