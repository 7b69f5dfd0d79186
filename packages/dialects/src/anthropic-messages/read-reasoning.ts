import type { ChatExtras, ChatRequest } from '../chat/chat-request.ts';
import { type JsonObject, numberOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { objectAt } from '../upstream-fields.ts';

interface Reasoning extends Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget'> {
  readonly extras: ChatExtras;
}

/** Claude's default effort. */
const usualEffort = 'high';

/** Reasoning settings for Claude, and their equivalents for other models. */
export function readReasoning(body: JsonObject): Reasoning {
  const effort = optionalText(objectAt(body, 'output_config')['effort'], 'output_config.effort');
  const given = body['thinking'];
  const thinking = given == null ? undefined : objectOf(given, 'thinking');
  const budget = numberOf(thinking?.['budget_tokens'], 'thinking.budget_tokens');
  return {
    reasoningEffort: effortOf(thinking, budget, effort),
    reasoningBudget: thinking?.['type'] === 'enabled' ? budget : undefined,
    extras: {
      ...(thinking && { thinking }),
      ...(effort !== undefined && { effort }),
      // Agents always send thinking settings, even for models without reasoning.
      ...((thinking || effort !== undefined) && { isReasoningOptional: true }),
    },
  };
}

function effortOf(
  thinking: JsonObject | undefined,
  budget: number | undefined,
  effort: string | undefined,
): string | undefined {
  // Only Claude has a level above `xhigh`.
  const told = effort === 'max' ? 'xhigh' : effort;
  if (thinking === undefined) return told;
  switch (requiredText(thinking['type'], 'thinking.type')) {
    case 'disabled':
      return 'none';
    case 'adaptive':
      return told ?? usualEffort;
    case 'enabled':
      if (budget === undefined) {
        throw new RequestProblem('thinking.budget_tokens', 'thinking.budget_tokens is required');
      }
      return told ?? effortFor(budget);
    default:
      throw new RequestProblem('thinking.type', 'thinking.type must be enabled, adaptive or disabled');
  }
}

const littleBudget = 4096;
const middlingBudget = 16_384;

function effortFor(budget: number): string {
  if (budget < littleBudget) return 'low';
  return budget < middlingBudget ? 'medium' : 'high';
}
