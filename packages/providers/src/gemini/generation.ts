import { type ChatRequest, RequestProblem } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';
import { reasoningUnsupported } from '../reasoning-unsupported.ts';

/** True if a model rejects its own calls without a signature: from Gemini 3 on. */
export const needsSignatures = (model: string) => generationOf(model) >= 3;

/** True if a tool result may contain images and files: from Gemini 3 on. */
export const supportsImagesInToolResults = (model: string) => generationOf(model) >= 3;

/** Reasoning settings for the model's generation; also requests the reasoning text. */
export function buildThinkingConfig(request: ThinkingFields, model: string): JsonObject | undefined {
  const { reasoningEffort, reasoningBudget: budget, extras } = request;
  const generation = generationOf(model);
  if (reasoningEffort === undefined && budget === undefined) {
    return extras.includesThoughts && generation >= 2.5 ? { includeThoughts: true } : undefined;
  }
  if (reasoningEffort === 'none') return minThinking(generation, model);
  const effort = effortOf(request);
  if (generation >= 3) return { thinkingLevel: levelOf(effort, model), includeThoughts: true };
  if (generation >= 2.5) return { thinkingBudget: budgetFor(effort, budget), includeThoughts: true };
  if (extras.isReasoningOptional) return undefined;
  if (extras.hasReasoningSuffix) throw reasoningUnsupported(model);
  throw new RequestProblem('reasoning_effort', 'The model does not support reasoning_effort');
}

function effortOf({ reasoningEffort: effort, reasoningBudget: budget = 0 }: ThinkingFields): Effort {
  if (effort === undefined) return effortFor(budget);
  if (Object.hasOwn(budgets, effort)) return effort as Effort;
  throw new RequestProblem('reasoning_effort', `reasoning_effort must be one of ${Object.keys(budgets).join(', ')}`);
}

export type ThinkingFields = Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget' | 'extras'>;

type Effort = keyof typeof budgets;

/** Accepted by every model with a budget. */
const budgets = { minimal: 512, low: 1024, medium: 8192, high: 24_576, xhigh: 24_576, max: 24_576 } as const;

/** Budget for an effort; the client's own budget takes precedence. */
function budgetFor(effort: Effort, budget: number | undefined): number {
  if (budget === undefined) return budgets[effort];
  return Math.min(Math.max(Math.round(budget), budgets.minimal), budgets.high);
}

function effortFor(budget: number): Effort {
  if (budget <= budgets.low) return 'low';
  return budget <= budgets.medium ? 'medium' : 'high';
}

function minThinking(generation: number, model: string): JsonObject | undefined {
  if (generation < 2.5) return undefined;
  if (generation >= 3) return { thinkingLevel: levelOf('minimal', model) };
  return { thinkingBudget: model.includes('pro') ? 128 : 0 };
}

function levelOf(effort: Effort, model: string): string {
  if (effort === 'xhigh' || effort === 'max') return 'high';
  if (!model.includes('pro')) return effort;
  if (effort === 'minimal') return 'low';
  return effort === 'medium' && /gemini-3-pro/.test(model) ? 'high' : effort;
}

/** Generation of a model; a name without a number counts as the newest. */
function generationOf(model: string): number {
  if (/gemini-pro(-vision)?$/.test(model)) return 1;
  const start = model.indexOf('gemini-');
  const words = start === -1 ? [] : model.slice(start).split('-');
  const number = words.find((word) => /^\d/.test(word));
  return number === undefined ? newest : Number.parseFloat(number);
}

const newest = 3;
