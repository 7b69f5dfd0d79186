import type { ChatRequest } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

export interface Thinking {
  readonly maxTokens: number;
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

const usualMaxTokens = 4096;
const leastBudget = 1024;

const budgets: Readonly<Record<string, number>> = {
  minimal: leastBudget,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
};

/** How OpenAI's reasoning effort is said to a Claude: a budget of tokens to the older ones, an effort to the newer. */
export function thinkingFor(request: ChatRequest, model: string): Thinking {
  const { maxTokens, reasoningEffort: effort, extras } = request;
  const plain = { maxTokens: maxTokens ?? usualMaxTokens };
  if (extras.thinking) return { ...plain, thinking: extras.thinking };
  if (effort === undefined) return plain;
  if (hasFixedBudget(model)) return effort === 'none' ? plain : withBudget(request, effort);
  // Not every newer model can be told not to think; the least effort is what all of them take.
  if (effort === 'none' || effort === 'minimal') return { ...plain, effort: 'low' };
  return { ...plain, effort, ...(!isForced(request) && { thinking: { type: 'adaptive', display: 'summarized' } }) };
}

function withBudget(request: ChatRequest, effort: string): Thinking {
  const { maxTokens } = request;
  const wanted = budgets[effort] ?? leastBudget;
  // A forced tool and thinking exclude each other; and a turn that goes on after a tool result would need its
  // thoughts back with their signatures, which OpenAI's messages do not keep.
  if (isForced(request) || request.messages.at(-1)?.role === 'tool') {
    return { maxTokens: maxTokens ?? usualMaxTokens };
  }
  if (maxTokens === undefined) {
    return { maxTokens: usualMaxTokens + wanted, thinking: { type: 'enabled', budget_tokens: wanted } };
  }
  const budget = Math.min(wanted, Math.floor(maxTokens * 0.8));
  if (budget < leastBudget) return { maxTokens };
  return { maxTokens, thinking: { type: 'enabled', budget_tokens: budget } };
}

const isForced = ({ toolChoice, tools }: ChatRequest) =>
  tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object');

const version = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/;

/** Up to 4.5, by the version in its name. */
function hasFixedBudget(model: string): boolean {
  const [, major, minor] = version.exec(model) ?? [];
  return major !== undefined && Number(major) * 100 + Number(minor ?? 0) < 406;
}
