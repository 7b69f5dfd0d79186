import type { ChatMessage, ChatRequest } from '@headgate/dialects';
import { claudeVersion } from '../model-parameters.ts';
import type { JsonObject } from '../provider.ts';
import { reasoningUnsupported } from '../reasoning-unsupported.ts';
import { isSignedByAnthropic } from './blocks.ts';

interface Thinking {
  readonly maxTokens: number;
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

const usualMaxTokens = 4096;
const usualEffort = 'high';
const minBudget = 1024;

const budgets: Readonly<Record<string, number>> = {
  minimal: minBudget,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
};

const adaptive: JsonObject = { type: 'adaptive', display: 'summarized' };

/** Fields that determine the reasoning settings. */
export type ReasoningFields = Pick<
  ChatRequest,
  'reasoningEffort' | 'reasoningBudget' | 'extras' | 'maxTokens' | 'tools' | 'toolChoice' | 'messages'
>;

/** Reasoning settings for Claude: a token budget for older models, an effort for newer ones. */
export function thinkingSettings(request: ReasoningFields, model: string): Thinking {
  const { reasoningEffort: effort, extras } = request;
  const plain = { maxTokens: request.maxTokens ?? usualMaxTokens };
  if (extras.thinking) return ownThinking(request, extras.thinking, model);
  if (effort === undefined) return plain;
  if (extras.hasReasoningSuffix && effort !== 'none' && !canReason(model)) throw reasoningUnsupported(model);
  if (usesThinkingBudget(model)) return effort === 'none' ? plain : withBudget(request, effort);
  // Not every newer model can disable reasoning, but all accept the lowest effort.
  if (effort === 'none' || effort === 'minimal') return { ...plain, effort: 'low' };
  return { ...plain, effort: levelOf(request, model), ...(!isForced(request) && { thinking: adaptive }) };
}

/** Claude 4.6 has no level between `high` and `max`. */
function levelOf({ reasoningEffort: effort = usualEffort, extras }: ReasoningFields, model: string): string {
  return extras.hasReasoningSuffix && effort === 'xhigh' && !hasEffortOnly(model) ? usualEffort : effort;
}

/** Uses the client's own `thinking` field, unless it is for models of another generation. */
function ownThinking(request: ReasoningFields, thinking: JsonObject, model: string): Thinking {
  const { extras, reasoningEffort = 'high' } = request;
  const effort = extras.effort === undefined ? {} : { effort: extras.effort };
  const plain = { maxTokens: request.maxTokens ?? usualMaxTokens, ...effort };
  if (thinking['type'] === 'adaptive' && usesThinkingBudget(model)) {
    return canReason(model) ? withBudget(request, reasoningEffort) : { maxTokens: plain.maxTokens };
  }
  if (thinking['type'] !== 'enabled') return { ...plain, thinking };
  if (hasEffortOnly(model)) return { ...plain, thinking: adaptive, effort: extras.effort ?? reasoningEffort };
  return continuesWithoutReasoning(request) ? plain : { ...plain, thinking };
}

function withBudget(request: ReasoningFields, effort: string): Thinking {
  const { maxTokens } = request;
  const wanted = Math.max(request.reasoningBudget ?? budgets[effort] ?? minBudget, minBudget);
  // A forced tool and thinking are mutually exclusive.
  if (isForced(request) || continuesWithoutReasoning(request)) return { maxTokens: maxTokens ?? usualMaxTokens };
  if (maxTokens === undefined) {
    return { maxTokens: usualMaxTokens + wanted, thinking: { type: 'enabled', budget_tokens: wanted } };
  }
  const budget = Math.min(wanted, Math.floor(maxTokens * 0.8));
  if (budget < minBudget) return { maxTokens };
  return { maxTokens, thinking: { type: 'enabled', budget_tokens: budget } };
}

const isForced = ({ toolChoice, tools }: ReasoningFields) =>
  tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object');

/** True if the turn continues after a tool result without its signed reasoning, in which case it stops thinking. */
function continuesWithoutReasoning({ messages }: ReasoningFields): boolean {
  if (messages.findLast(({ role }) => role !== 'system')?.role !== 'tool') return false;
  const begin = messages.findLastIndex(({ role }) => role === 'user');
  const first = messages.slice(begin + 1).find(isAssistantMessage);
  return first?.thoughts.some(isSignedByAnthropic) !== true;
}

const isAssistantMessage = (message: ChatMessage) => message.role === 'assistant';

/** True if reasoning uses a token budget: up to 4.5. */
export const usesThinkingBudget = (model: string): boolean => (claudeVersion(model) ?? newest) < 406;

/** True if a model accepts only an effort: from 4.7 on. */
const hasEffortOnly = (model: string): boolean => (claudeVersion(model) ?? 0) >= 407;

/** True if a model can reason: from 3.7 on. */
const canReason = (model: string): boolean => (claudeVersion(model) ?? newest) >= 307;

/** True if a model supports strict tools: from 4.5 on. */
export const supportsStrictTools = (model: string): boolean => (claudeVersion(model) ?? 0) >= 405;

/** True if system messages may be inline; so far only with Opus. */
export const acceptsInlineSystem = (model: string): boolean =>
  model.includes('opus') && (claudeVersion(model) ?? 0) >= 408;

const newest = 9999;
