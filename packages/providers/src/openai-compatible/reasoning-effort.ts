import { type ChatRequest, numberAt, textAt } from '@headgate/dialects';

const everyone = ['low', 'medium', 'high'];

/** What OpenAI's own models take, by the beginnings of their names; none when they do not think at all. */
const takenByModel: readonly (readonly [name: RegExp, efforts: readonly string[]])[] = [
  [/^(?:chatgpt|(?:ft:)?gpt-[34]|gpt-5[\d.]*-chat)/, []],
  [/^o\d/, everyone],
  [/^gpt-5(?:-|$)/, ['minimal', ...everyone]],
  [/^gpt-5\.1/, ['none', ...everyone]],
  [/^gpt-\d/, ['none', ...everyone, 'xhigh']],
  // It refuses to be told.
  [/^grok-(?:4|code)(?:-|$)/, []],
];

/** How much to think, in the nearest word that the model takes; undefined when it is better not said. */
export function effortOf(request: ChatRequest, model: string, beside: readonly string[] = []): string | undefined {
  const wanted = wantedEffort(request);
  if (wanted === undefined) return undefined;
  const own = takenByModel.find(([name]) => name.test(model))?.[1];
  const taken = own ?? [...beside, ...everyone];
  // Many refuse to be told; who only allows the model to think loses nothing.
  if (taken.length === 0 || (!own && request.extras.isReasoningOptional)) return undefined;
  // Where it is not known how thinking is turned off, nothing is said: most do not think unasked.
  if (wanted === 'none' && !taken.includes(wanted) && !own) return undefined;
  return nearestOf(wanted)?.find((effort) => taken.includes(effort)) ?? wanted;
}

const nearest: Readonly<Record<string, readonly string[]>> = {
  none: ['none', 'minimal', 'low'],
  minimal: ['minimal', 'low'],
  xhigh: ['xhigh', 'max', 'high'],
  max: ['max', 'xhigh', 'high'],
};

const nearestOf = (effort: string) => (Object.hasOwn(nearest, effort) ? nearest[effort] : undefined);

/** The effort that is asked for, or what the tokens are worth that are asked for. */
function wantedEffort({ reasoningEffort, reasoningBudget, extras: { thinking } }: ChatRequest): string | undefined {
  if (reasoningEffort !== undefined) return reasoningEffort;
  if (textAt(thinking, 'type') === 'disabled') return 'none';
  const budget = reasoningBudget ?? numberAt(thinking, 'budget_tokens');
  if (budget === undefined || budget < 0) return undefined;
  if (budget === 0) return 'none';
  return budgets.find(([most]) => budget <= most)?.[1] ?? 'high';
}

const budgets: readonly (readonly [most: number, effort: string])[] = [
  [2048, 'low'],
  [12_288, 'medium'],
];
