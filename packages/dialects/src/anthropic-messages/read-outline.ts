import { wantsSummary } from '../context-management.ts';
import type { ReasoningSettings, RequestAddress, RequestOutline } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, objectAt } from '../upstream-fields.ts';
import { serverToolsIn } from './server-tools.ts';

const maxTokens = 10_000_000;

export function readOutline(body: JsonObject, address: RequestAddress = {}): RequestOutline {
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
    summarizesFirst: wantsSummary(body),
    thinking: thinkingIn(body),
  };
}

/** Results of tools and servers run by Anthropic become part of the prompt. */
const mayGrowPrompt = (body: JsonObject): boolean =>
  listAt(body, 'mcp_servers').length > 0 || body['container'] != null || serverToolsIn(body).length > 0;

function thinkingIn(body: JsonObject): ReasoningSettings {
  const { type, budget_tokens: budget } = objectAt(body, 'thinking');
  if (type === undefined) return { isOn: undefined };
  return { isOn: type !== 'disabled', ...(typeof budget === 'number' && { budget }) };
}

/** A limit of 0, which only warms the cache, counts as no limit. */
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
