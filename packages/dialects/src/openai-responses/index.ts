import { promptCacheKey } from '../conversation.ts';
import type {
  Attachment,
  Dialect,
  PreviousResponse,
  ReasoningSettings,
  RequestOutline,
  RequestUrlInfo,
} from '../dialect.ts';
import { commonMessageFields, isObject, type JsonObject, optionalBoolean, wholeNumberIn } from '../json-fields.ts';
import { readAudioPart, readFilePart, readImagePart } from '../openai-files.ts';
import { RequestProblem } from '../problems.ts';
import { readStoredFileField, readSystemFile, readSystemFileField, type StoredFile } from '../stored-files.ts';
import { listAt, objectAt, requestsSummary, textAt } from '../upstream-fields.ts';
import { collectItemReferences, withoutItems } from './item-references.ts';
import { readRequest } from './read-request.ts';
import { findServerTools, isServerTool, withoutServerTools } from './server-tools.ts';
import { responseStorage } from './stored-responses.ts';
import { ResponseWriter, writeError, writeErrorEvent, writeResponse } from './write-response.ts';

export const openaiResponses: Dialect = {
  name: 'openai-responses',
  path: '/v1/responses',
  readOutline,
  readRequest,
  findServerTools,
  withoutServerTools,
  readStoredFile,
  conversationIn: promptCacheKey,
  collectItemReferences,
  withoutItems,
  storage: responseStorage,
  withSystemPrompt,
  limitField: 'max_output_tokens',
  prompt: {
    ...commonMessageFields,
    input: 'input',
    otherFields: ['instructions', 'tools', 'text'],
    nested: ['content', 'output', 'summary'],
    textFields: ['arguments', 'input', 'action', 'encrypted_content'],
    toAttachment,
  },
  writeResponse,
  openStream: (reply) => new ResponseWriter(reply),
  writeError,
  writeErrorEvent,
};

/** Replaces the system prompt in whichever field contains it, or adds one at the start. */
function withSystemPrompt({ instructions, input }: JsonObject, systemPrompt: string): JsonObject {
  const [first, ...rest] = Array.isArray(input) ? (input as readonly unknown[]) : [];
  const isOwn = !instructions && isObject(first) && (first['role'] === 'system' || first['role'] === 'developer');
  return isOwn ? { input: [{ ...first, content: systemPrompt }, ...rest] } : { instructions: systemPrompt };
}

/** Non-text content of an item or a part. */
function toAttachment(part: JsonObject): Attachment | undefined {
  const type = textAt(part, 'type');
  switch (type) {
    case '':
      // A message, or a reference to a stored item.
      return part['role'] == null && part['id'] != null ? { kind: 'named' } : undefined;
    case 'input_text':
      return undefined;
    case 'input_image':
    case 'computer_screenshot':
      return readImagePart(part['image_url']);
    case 'image_generation_call':
      return { kind: 'image', characters: textAt(part, 'result').length };
    case 'input_audio':
      return readAudioPart(part['input_audio']);
    case 'item_reference':
      return { kind: 'named' };
    default:
      return type.startsWith('input_') ? readFilePart(part, type === 'input_file') : undefined;
  }
}

/** Fields of a message or a tool result that contain parts. */
const partFields = ['content', 'output'] as const;

function readStoredFile(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  const first =
    storedByTool(body, 'tools', allowed) ?? readSystemFileField(body['instructions'], 'instructions', allowed);
  if (first) return first;
  for (const [index, item] of listAt(body, 'input').entries()) {
    const at = `input[${index}]`;
    const storedFile = readSystemFile(item, allowed);
    if (storedFile) return { name: storedFile.name, path: at + storedFile.path };
    for (const name of partFields) {
      const found = readStoredFileField((item as JsonObject | null)?.[name], `${at}.${name}`, allowed);
      if (found) return found;
    }
    const found = storedByTool(item, `${at}.tools`, allowed);
    if (found) return found;
  }
  return readStoredFileField(objectAt(body, 'tool_choice'), 'tool_choice', allowed);
}

function storedByTool(holder: unknown, at: string, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, tool] of listAt(holder, 'tools').entries()) {
    const found = isServerTool(tool) ? readStoredFileField(tool, `${at}[${index}]`, allowed) : undefined;
    if (found) return found;
  }
  return undefined;
}

const maxTokens = 10_000_000;

function readOutline(body: JsonObject, address: RequestUrlInfo): RequestOutline {
  const model = body['model'] ?? address.model ?? '';
  if (typeof model !== 'string') throw new RequestProblem('model', 'model is required');
  // A stored prompt in the operator's account may belong to another client, and background mode cannot be charged.
  for (const name of ['prompt', 'background'])
    if (body[name]) throw new RequestProblem(name, `${name} is not supported`);
  const { input } = body;
  if (input != null && typeof input !== 'string' && !Array.isArray(input))
    throw new RequestProblem('input', 'input must be text or a list');
  return {
    model,
    isStream: address.isStream ?? optionalBoolean(body['stream'], 'stream') === true,
    wantsUsage: true,
    completionLimit: wholeNumberIn(body, 'max_output_tokens', 0, maxTokens) || undefined,
    choiceCount: 1,
    tries: 1,
    mayGrowPrompt: mayGrowPrompt(body),
    hasTools: body['tools'] != null,
    repeatsPrompt: false,
    summarizesFirst: requestsSummary(body),
    thinking: thinkingIn(objectAt(body, 'reasoning')),
    previousResponse: previousResponseIn(body),
    mayBeStored: body['store'] !== false,
    mayDropPrompt: (body['truncation'] ?? 'disabled') !== 'disabled',
  };
}

const previous = 'previous_response_id';

function previousResponseIn(body: JsonObject): PreviousResponse | undefined {
  const id = body[previous] ?? '';
  if (typeof id !== 'string') throw new RequestProblem(previous, `${previous} must be text`);
  if (id === '') return undefined;
  const message = `Previous response with id '${id.slice(0, maxIdLength)}' not found.`;
  return { id, field: previous, missing: { message, code: 'previous_response_not_found' } };
}

/** Maximum length of a client-supplied id in an error message. */
const maxIdLength = 100;

/** True if data stored at OpenAI or results of its tools become part of the prompt. */
const mayGrowPrompt = (body: JsonObject): boolean => body['conversation'] != null || findServerTools(body).length > 0;

function thinkingIn(reasoning: JsonObject): ReasoningSettings {
  const effort = textAt(reasoning, 'effort');
  return { isOn: effort === '' ? undefined : effort !== 'none' };
}
