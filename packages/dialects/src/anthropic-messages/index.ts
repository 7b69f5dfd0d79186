import type { Attachment, Dialect, ReasoningSettings, RequestOutline, RequestUrlInfo } from '../dialect.ts';
import { commonMessageFields, isObject, type JsonObject } from '../json-fields.ts';
import { anthropicLimitHeaders } from '../limit-headers.ts';
import { RequestProblem } from '../problems.ts';
import { readStoredFileField, readSystemFile, readSystemFileField, type StoredFile } from '../stored-files.ts';
import { listAt, objectAt, requestsSummary, textAt } from '../upstream-fields.ts';
import { MessageWriter } from './message-writer.ts';
import { findServerTools, isServerTool, withoutServerTools } from './read-content.ts';
import { readMessagesRequest } from './read-request.ts';
import { writeError, writeErrorEvent, writeResponse } from './write-response.ts';

export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  requestIdHeader: 'request-id',
  limitHeaders: anthropicLimitHeaders,
  path: '/v1/messages',
  readOutline,
  readRequest: readMessagesRequest,
  findServerTools,
  withoutServerTools,
  readStoredFile,
  conversationIn,
  withSystemPrompt: (_body, systemPrompt) => ({ system: systemPrompt }),
  limitField: 'max_tokens',
  prompt: {
    ...commonMessageFields,
    input: 'messages',
    isList: true,
    otherFields: ['system', 'tools', 'output_config', 'output_format'],
    nested: ['content', 'source'],
    textFields: ['input', 'thinking', 'title', 'context'],
    toAttachment,
  },
  writeResponse,
  openStream: (reply) => new MessageWriter(reply),
  writeError,
  writeErrorEvent,
};

/** Claude Code sends its session id next to the user id. */
function conversationIn({ metadata }: JsonObject): string | undefined {
  const user = isObject(metadata) ? metadata['user_id'] : undefined;
  return typeof user === 'string' && user !== '' ? user : undefined;
}

/** Sources whose text is in the request and counted by bytes. */
const wordSources: ReadonlySet<unknown> = new Set([undefined, 'text', 'content']);

/** True if a source declared as an image has another media type. */
const isOtherFile = (source: JsonObject): boolean => {
  const mediaType = textAt(source, 'media_type');
  return mediaType !== '' && !mediaType.startsWith('image/');
};

/** Non-text content of a block. */
function toAttachment({ type, source }: JsonObject): Attachment | undefined {
  if (type === 'container_upload') return { kind: 'elsewhere' };
  if (!isObject(source) || wordSources.has(source['type'])) return undefined;
  const isInside = source['type'] === 'base64';
  const characters = isInside ? textAt(source, 'data').length : 0;
  if (type === 'image' && !isOtherFile(source)) return { kind: 'image', characters };
  return isInside ? { kind: 'unmeasured', characters } : { kind: 'elsewhere' };
}

function readStoredFile(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  const systemFile = readSystemFileField(body['system'], 'system', allowed);
  if (systemFile) return systemFile;
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const storedFile = readSystemFile(message, allowed);
    if (storedFile) return { name: storedFile.name, path: `messages[${index}]${storedFile.path}` };
    const found = storedIn(listAt(message, 'content'), `messages[${index}].content`, allowed);
    if (found) return found;
  }
  const tools = listAt(body, 'tools').map((tool) => (isServerTool(tool) ? tool : undefined));
  return storedIn(tools, 'tools', allowed);
}

function storedIn(list: readonly unknown[], at: string, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, block] of list.entries()) {
    const found = isServerToolResult(block) ? undefined : readStoredFileField(block, `${at}[${index}]`, allowed);
    if (found) return found;
  }
  return undefined;
}

/**
 * Results of Anthropic's own tools (`bash_code_execution_tool_result` and similar) reference files that are not added
 * to the prompt. A fetched page contains a document, which is added.
 */
function isServerToolResult(block: unknown): boolean {
  const type = textAt(block, 'type');
  return type.endsWith('_tool_result') && type !== 'web_fetch_tool_result';
}

const maxTokens = 10_000_000;

function readOutline(body: JsonObject, address: RequestUrlInfo = {}): RequestOutline {
  const model = body['model'] ?? address.model ?? '';
  if (typeof model !== 'string') throw new RequestProblem('model', 'model is required');
  const isStream = body['stream'] ?? address.isStream ?? false;
  if (typeof isStream !== 'boolean') throw new RequestProblem('stream', 'stream is invalid');
  return {
    model,
    isStream,
    wantsUsage: isStream,
    completionLimit: readLimit(body),
    choiceCount: 1,
    tries: 1,
    mayGrowPrompt: mayGrowPrompt(body),
    hasTools: body['tools'] != null,
    repeatsPrompt: false,
    summarizesFirst: requestsSummary(body),
    thinking: thinkingIn(body),
  };
}

/** Results of tools and servers run by Anthropic become part of the prompt. */
const mayGrowPrompt = (body: JsonObject): boolean =>
  listAt(body, 'mcp_servers').length > 0 || body['container'] != null || findServerTools(body).length > 0;

function thinkingIn(body: JsonObject): ReasoningSettings {
  const { type, budget_tokens: budget } = objectAt(body, 'thinking');
  if (type === undefined) return { isOn: undefined };
  return { isOn: type !== 'disabled', ...(typeof budget === 'number' && { budget }) };
}

/** A limit of 0, which only warms the cache, is treated as no limit. */
function readLimit(body: JsonObject): number | undefined {
  const limit = tokensAt(body, 'max_tokens', 'max_tokens');
  if (!limit) return undefined;
  const budget = tokensAt(objectAt(body, 'thinking'), 'budget_tokens', 'thinking.budget_tokens') ?? 0;
  // Between tool calls the model may think beyond the limit; the budget then covers all of its thinking.
  return budget >= limit ? limit + budget : limit;
}

function tokensAt(source: JsonObject, name: string, at: string): number | undefined {
  const value = source[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > maxTokens) {
    throw new RequestProblem(at, `${at} is invalid`);
  }
  return value;
}
