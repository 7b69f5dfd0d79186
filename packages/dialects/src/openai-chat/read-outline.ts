import type { ReasoningSettings, RequestOutline, RequestUrlInfo } from '../dialect.ts';
import { isObject, type JsonObject, wholeNumberIn } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { requestsSummary } from '../upstream-fields.ts';

/** Names of the output limit field at different upstreams. All upstreams honor the first two. */
export const limitFieldNames = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'max_tokens_to_sample',
  'max_gen_len',
  'num_predict',
] as const;

const maxTokens = 10_000_000;
const maxChoices = 128;

/** Reads the fields that all of OpenAI's endpoints share. */
export function readOutline(body: JsonObject, address: RequestUrlInfo = {}): RequestOutline {
  const model = body['model'] ?? address.model ?? '';
  if (typeof model !== 'string') throw new RequestProblem('model', 'model is required');
  const isStream = address.isStream ?? readStream(body);
  const options = body['stream_options'];
  const choiceCount = wholeNumberIn(body, 'n', 1, maxChoices) ?? 1;
  return {
    model,
    isStream,
    wantsUsage: isStream && isObject(options) && options['include_usage'] === true,
    completionLimit: readLimit(body),
    choiceCount,
    tries: Math.max(choiceCount, wholeNumberIn(body, 'best_of', 1, maxChoices) ?? 1),
    mayGrowPrompt: mayGrowPrompt(body),
    hasTools: body['tools'] != null || body['functions'] != null,
    repeatsPrompt: repeatsPrompt(body),
    summarizesFirst: requestsSummary(body),
    thinking: thinkingIn(body),
  };
}

/** True if an upstream adds search results to the prompt, in unknown amounts. */
function mayGrowPrompt({ web_search_options, enable_search, search_parameters, plugins, tools }: JsonObject): boolean {
  if (web_search_options != null || enable_search === true || search_parameters != null || plugins != null) return true;
  return Array.isArray(tools) && tools.some((tool) => !clientTools.has(tool?.type));
}

/**
 * True if the prompt is charged again: echoed prompts and predicted tokens, even rejected ones, are charged as
 * completion.
 */
const repeatsPrompt = ({ echo, prediction }: JsonObject): boolean =>
  (echo != null && echo !== false) || prediction != null;

/** Tool types run by the client. */
const clientTools: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);

/** Reads OpenAI's reasoning settings, and those of vendors whose limit does not include reasoning. */
function thinkingIn({ thinking, enable_thinking, thinking_budget, reasoning_effort }: JsonObject): ReasoningSettings {
  const type = isObject(thinking) ? thinking['type'] : undefined;
  if (enable_thinking === false || type === 'disabled') return { isOn: false };
  const isRequested = enable_thinking === true || type !== undefined || typeof reasoning_effort === 'string';
  const isBudget = typeof thinking_budget === 'number' && Number.isInteger(thinking_budget) && thinking_budget > 0;
  return { isOn: isRequested || undefined, ...(isBudget && { budget: thinking_budget }) };
}

/** Rejects values other than true and false, which upstreams may interpret differently. */
function readStream({ stream }: JsonObject): boolean {
  if (stream === undefined || stream === null || typeof stream === 'boolean') return stream === true;
  throw new RequestProblem('stream', 'stream is invalid');
}

/**
 * Returns the largest of the given limits, because upstreams read different ones. Zero means no limit: many upstreams
 * treat it as absent.
 */
function readLimit(body: JsonObject): number | undefined {
  let limit = 0;
  let isObeyedByAll = false;
  for (const name of limitFieldNames) {
    const value = wholeNumberIn(body, name, 0, maxTokens);
    if (value === undefined) continue;
    limit = Math.max(limit, value);
    isObeyedByAll ||= value > 0 && (name === 'max_tokens' || name === 'max_completion_tokens');
  }
  return isObeyedByAll ? limit : undefined;
}
