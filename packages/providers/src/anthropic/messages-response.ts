import {
  type ChatResponse,
  type Citation,
  type FinishReason,
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  type ReasoningBlock,
  type ToolCall,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';

/** A whole message as a response in the neutral format. */
export function decodeMessage(body: unknown): ChatResponse {
  if (!isObject(body)) throw withoutContent();
  if (body['type'] === 'error' || isObject(body['error'])) throw errorInSuccess(body);
  const { content, stop_reason: stopReason } = body;
  // Claude returns no block if it has nothing to add, but still reports a stop reason.
  if (!Array.isArray(content) || (content.length === 0 && typeof stopReason !== 'string')) throw withoutContent();
  const blocks = content.filter(isObject);
  const reasoning = joined(blocks, 'thinking');
  const thoughts = blocks.flatMap(readReasoning);
  const citations = blocks.flatMap((block) => listAt(block, 'citations').flatMap(readCitations));
  const toolCalls = blocks.flatMap(callsIn);
  const choice = {
    content: joined(blocks, 'text'),
    ...(reasoning !== '' && { reasoning }),
    ...(thoughts.length > 0 && { thoughts }),
    ...(citations.length > 0 && { citations }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...finishFields(body),
  };
  const counts = countTokens(body['usage'], undefined);
  return { choices: [choice], usage: counts && toUsage(counts) };
}

const withoutContent = () => new UpstreamProblem(502, 'The upstream returned no content');

/** Text of all blocks of a type; the text field has the name of the type. */
const joined = (blocks: readonly Readonly<Record<string, unknown>>[], kind: 'text' | 'thinking') =>
  blocks.map((block) => (block['type'] === kind && typeof block[kind] === 'string' ? block[kind] : '')).join('');

function callsIn({ type, id, name, input }: JsonObject): readonly ToolCall[] {
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return [];
  return [{ id, name, arguments: JSON.stringify(input ?? {}) }];
}

/** Reasoning with its signature, or text only if it is unsigned. */
export function readReasoning(block: JsonObject): readonly ReasoningBlock[] {
  if (block['type'] === 'redacted_thinking') return [{ text: '', maker: 'anthropic', sealed: textAt(block, 'data') }];
  const signature = textAt(block, 'signature');
  if (block['type'] !== 'thinking' || signature === '') return [];
  return [{ text: textAt(block, 'thinking'), maker: 'anthropic', signature }];
}

/** Citations with a URL; citations of a document in the request have none. */
export function readCitations(value: unknown): readonly Citation[] {
  const [url, title, text] = ['url', 'title', 'cited_text'].map((name) => textAt(value, name));
  if (!url) return [];
  return [{ url, ...(title && { title }), ...(text && { text }) }];
}

/** Finish reason and stop sequence. */
export function finishFields({ stop_reason: reason, stop_sequence: sequence }: JsonObject) {
  const isSequence = reason === 'stop_sequence' && typeof sequence === 'string';
  return { finishReason: finishReasonOf(reason), ...(isSequence && { stopSequence: sequence }) };
}

function finishReasonOf(stopReason: unknown): FinishReason {
  switch (stopReason) {
    case 'tool_use':
      return 'tool_calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'content_filter';
    default:
      return 'stop';
  }
}

/** Tokens as Claude counts them: cache reads and writes are not included in the input. */
export interface TokenCounts {
  readonly input: number;
  readonly cacheWrite: number;
  /** Cache writes with a lifetime of an hour. */
  readonly cacheLongWrite: number;
  readonly cacheRead: number;
  readonly output: number;
  readonly thinking: number;
}

/** Merges token counts of a stream: later counts include earlier ones, but may omit some. */
export function countTokens(usage: unknown, before: TokenCounts | undefined): TokenCounts | undefined {
  if (!isObject(usage)) return before;
  const details = usage['output_tokens_details'];
  return {
    input: larger(summed(usage, 'input_tokens'), before?.input),
    cacheWrite: larger(summed(usage, 'cache_creation_input_tokens'), before?.cacheWrite),
    cacheLongWrite: larger(summed(usage, 'ephemeral_1h_input_tokens', 'cache_creation'), before?.cacheLongWrite),
    cacheRead: larger(summed(usage, 'cache_read_input_tokens'), before?.cacheRead),
    output: larger(summed(usage, 'output_tokens'), before?.output),
    thinking: larger(isObject(details) ? details['thinking_tokens'] : 0, before?.thinking),
  };
}

/**
 * Sums a count over the iterations of a message, such as a summary of earlier turns; the reported total omits some
 * iterations.
 */
function summed(usage: JsonObject, name: string, within?: string): unknown {
  const countIn = (reported: unknown) =>
    numberAt(within === undefined ? reported : objectAt(reported, within), name) ?? 0;
  const goes = listAt(usage, 'iterations');
  if (goes.length === 0) return countIn(usage);
  const sum = goes.reduce<number>((total, go) => total + Math.max(countIn(go), 0), 0);
  return larger(countIn(usage), sum);
}

const larger = (count: unknown, before = 0) => (typeof count === 'number' && count > before ? count : before);

export function toUsage({ input, cacheWrite, cacheLongWrite, cacheRead, output, thinking }: TokenCounts): Usage {
  return {
    promptTokens: input + cacheWrite + cacheRead,
    completionTokens: output,
    ...(cacheRead > 0 && { cachedTokens: cacheRead }),
    ...(cacheWrite > 0 && { cacheWriteTokens: cacheWrite }),
    ...(cacheLongWrite > 0 && { cacheLongWriteTokens: cacheLongWrite }),
    ...(thinking > 0 && { reasoningTokens: thinking }),
  };
}

const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 502,
  timeout_error: 504,
  overloaded_error: 503,
};

const overloaded = 529;

/** Maps an error response whose status is misleading. */
export function readMessagesProblem(status: number, body: unknown): UpstreamProblem | undefined {
  const problem = defaultProblem(status, body);
  // Anthropic reports an empty or closed account as an invalid request. Only the start is matched, because the
  // message may quote a request.
  if (status === 400 && problem.message.startsWith('Your credit balance is too low')) return withStatus(problem, 402);
  if (status === 400 && problem.message.startsWith('This organization has been disabled')) {
    return withStatus(problem, 403);
  }
  return status === overloaded ? withStatus(problem, 503) : undefined;
}

/** Reads an error inside a 200, whole or in a stream. */
export function errorInSuccess(body: unknown): UpstreamProblem {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const status = typeof error['type'] === 'string' ? statuses[error['type']] : undefined;
  return defaultProblem(status ?? 502, body, 'The upstream returned an error');
}

const withStatus = (problem: UpstreamProblem, status: number) =>
  new UpstreamProblem(status, problem.message, problem.code, problem.type);
