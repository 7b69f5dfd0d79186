import { type ChatRequest, numberAt, textAt } from '@headgate/dialects';

const everyone = ['low', 'medium', 'high'];

/** Efforts that OpenAI's own models accept, by name prefix; none for models without reasoning. */
const takenByModel: readonly (readonly [name: RegExp, efforts: readonly string[]])[] = [
  [/^(?:chatgpt|(?:ft:)?gpt-[34]|gpt-5[\d.]*-chat)/, []],
  [/^o\d/, everyone],
  [/^gpt-5(?:-|$)/, ['minimal', ...everyone]],
  [/^gpt-5\.1/, ['none', ...everyone]],
  [/^gpt-\d/, ['none', ...everyone, 'xhigh']],
  // These models reject the setting.
  [/^grok-(?:4|code)(?:-|$)/, []],
];

/** The closest effort that the model accepts; undefined when it should be omitted. */
export function effortOf(request: ChatRequest, model: string, beside: readonly string[] = []): string | undefined {
  const wanted = wantedEffort(request);
  if (wanted === undefined) return undefined;
  const own = takenByModel.find(([name]) => name.test(model))?.[1];
  const taken = own ?? [...beside, ...everyone];
  // Many models reject the setting; if reasoning is optional, it is omitted.
  if (taken.length === 0 || (!own && request.extras.isReasoningOptional)) return undefined;
  // If it is unknown how to disable reasoning, nothing is sent: most models do not reason by default.
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

/** The requested effort, or the equivalent of the requested budget. */
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
