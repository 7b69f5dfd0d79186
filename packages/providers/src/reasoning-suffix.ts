import type { ReasoningSetting } from '@headgate/dialects';
import { claudeVersion } from './model-parameters.ts';

/** A model name without its reasoning suffix, and the reasoning that the suffix requests. */
interface SuffixedModel {
  readonly model: string;
  readonly reasoning: ReasoningSetting;
}

const suffix = /^(.+)-(?:(minimal|low|medium|high|xhigh|max|none)|(nothinking)|thinking(?:-(\d{1,7}))?)$/;
const maxBudget = 1_000_000;
/** Effort of `-thinking`. */
const usualEffort = 'medium';
const littleBudget = 4096;
const middlingBudget = 16_384;

/** Undefined if the name has no reasoning suffix. */
export function splitReasoningSuffix(name: string): SuffixedModel | undefined {
  const [, model, effort, off, tokens] = suffix.exec(name) ?? [];
  if (model === undefined) return undefined;
  if (effort !== undefined) return { model, reasoning: { effort } };
  if (off !== undefined) return { model, reasoning: { effort: 'none' } };
  if (tokens === undefined) return { model, reasoning: { effort: usualEffort } };
  const budget = Number(tokens);
  if (budget > maxBudget) return undefined;
  return { model, reasoning: budget === 0 ? { effort: 'none' } : { effort: effortFor(budget), budget } };
}

function effortFor(budget: number): string {
  if (budget < littleBudget) return 'low';
  return budget < middlingBudget ? 'medium' : 'high';
}

/** Suffixes to list, by model family; the first matching row applies. */
const listed: readonly (readonly [models: (name: string) => boolean, suffixes: readonly string[]])[] = [
  [named(/(?:^|\/)gpt-5[\d.]*-chat/), []],
  [named(/(?:^|\/)o\d/), ['low', 'medium', 'high']],
  [named(/(?:^|\/)gpt-5(?:-|$)/), ['minimal', 'low', 'medium', 'high']],
  [named(/(?:^|\/)gpt-5\.1/), ['none', 'low', 'medium', 'high']],
  [named(/(?:^|\/)gpt-(?:5\.|[6-9])/), ['none', 'low', 'medium', 'high', 'xhigh']],
  [named(/(?:^|\/)gpt-oss/), ['low', 'medium', 'high']],
  [(name) => isClaude(name, 407), ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [(name) => isClaude(name, 406), ['none', 'low', 'medium', 'high', 'max']],
  [(name) => isClaude(name, 307), ['thinking', 'nothinking']],
  [(name) => isPro(name) && /gemini-(?:[3-9]|\d\d)/.test(name), ['low', 'high']],
  [named(/gemini-(?:[3-9]|\d\d)/), ['minimal', 'low', 'medium', 'high']],
  [(name) => isPro(name) && name.includes('gemini-2.5'), ['thinking']],
  [named(/gemini-2\.5/), ['thinking', 'nothinking']],
  [named(/thinking|instruct|reasoner/i), []],
  [
    named(/qwen-?3|deepseek-(?:chat|v3\.[1-9]|v[4-9])|glm-(?:4\.[5-9]|[5-9])|kimi-k2\.[5-9]/i),
    ['thinking', 'nothinking'],
  ],
];

const isPro = (name: string): boolean => name.includes('pro');

function named(pattern: RegExp) {
  return (name: string): boolean => pattern.test(name);
}

const isClaude = (name: string, from: number): boolean => (claudeVersion(name) ?? 0) >= from;

/** Output types without reasoning settings. */
const otherOutput = /image|audio|tts|realtime|live|embedding|transcribe|deep-research/i;

/** Names with suffixes that a model list shows for a model; none if it is not known to reason. */
export function namesWithReasoningSuffix(model: string): readonly string[] {
  if (otherOutput.test(model)) return [];
  const suffixes = listed.find(([isOf]) => isOf(model))?.[1] ?? [];
  return suffixes.map((each) => `${model}-${each}`);
}
