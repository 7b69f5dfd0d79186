import { type ChatRequest, isObject, numberAt, textAt } from '@headgate/dialects';
import type { JsonObject, PassThrough, Provider, Upstream } from '../provider.ts';

type LeavesOut = NonNullable<PassThrough['drops']>;

/** Returns the listed fields that the request contains. */
const among = (body: JsonObject, names: readonly string[]) => names.filter((name) => body[name] != null);

/** Drops these fields from every request. */
export const dropFields =
  (...names: readonly string[]): LeavesOut =>
  (body) =>
    among(body, names);

/**
 * Drops sampling parameters: Moonshot accepts only one value of each for Kimi K2.5 and later, depending on reasoning;
 * other hosts accept any.
 */
export const dropMoonshotFields: LeavesOut = (body, { model }) =>
  /^kimi-k(?:2\.[5-9]|[3-9])/.test(model)
    ? among(body, ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'])
    : [];

/** The request in OpenAI's older format, for vendors that still use it. */
export const toLegacyFormat = (body: JsonObject): JsonObject => ({
  ...withOldLimitName(body),
  ...withSystemRole(body),
});

/** Reasoning models reject `max_tokens` and require `max_completion_tokens`. */
const thinkingModel = /^(?:o\d|gpt-[5-9])/;

/** Renames the limit to the only name that OpenAI's reasoning models accept. */
export function renameLimitField(body: JsonObject, { model }: Upstream): JsonObject {
  if (body['max_tokens'] == null || !thinkingModel.test(model)) return {};
  return { max_tokens: undefined, max_completion_tokens: body['max_completion_tokens'] ?? body['max_tokens'] };
}

/** Renames the limit to its old name, for providers that would ignore the new one. */
function withOldLimitName(body: JsonObject): JsonObject {
  if (body['max_completion_tokens'] == null) return {};
  return { max_completion_tokens: undefined, max_tokens: body['max_completion_tokens'] };
}

/** Requests numbers from vendors that support no other encoding; the relay converts them to the requested one. */
export const requestFloatVectors = (body: JsonObject): JsonObject =>
  body['encoding_format'] === 'base64' ? { encoding_format: undefined } : {};

/** True if a message has OpenAI's newer system role, which other vendors do not support. */
const isDeveloper = (message: unknown) => isObject(message) && message['role'] === 'developer';

export function withSystemRole({ messages }: JsonObject): JsonObject {
  if (!Array.isArray(messages) || !messages.some(isDeveloper)) return {};
  return {
    messages: (messages as readonly JsonObject[]).map((message) =>
      isDeveloper(message) ? { ...message, role: 'system' } : message,
    ),
  };
}

/** Longest known reasoning output of these providers' models, in tokens. */
const maxReasoningTokens = 81_920;

/** Maximum reasoning tokens of matching models, in addition to a limit that excludes reasoning. */
export const extraReasoning =
  (names: RegExp): NonNullable<Provider['reasoningBeyondLimit']> =>
  ({ isOn, budget }, model) => {
    if (isOn === false || (!isOn && !names.test(model))) return 0;
    return Math.min(budget ?? maxReasoningTokens, maxReasoningTokens);
  };

const everyone = ['low', 'medium', 'high'];

/** Efforts that OpenAI's own models accept, by name prefix; none for models without reasoning. */
const takenByModel: readonly (readonly [name: RegExp, efforts: readonly string[]])[] = [
  [/^(?:chatgpt|(?:ft:)?gpt-[34]|gpt-5[\d.]*-chat)/, []],
  [/^o\d/, everyone],
  [/^gpt-5(?:-|$)/, ['minimal', ...everyone]],
  [/^gpt-5\.1/, ['none', ...everyone]],
  [/^gpt-\d/, ['none', ...everyone, 'xhigh']],
  // Models that reject the setting.
  [/^grok-(?:4|code)(?:-|$)/, []],
];

type EffortFields = Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget' | 'extras'>;

/** The closest effort that the model accepts; undefined if it should be omitted. */
export function closestEffort(
  request: EffortFields,
  model: string,
  otherEfforts: readonly string[] = [],
): string | undefined {
  const wanted = wantedEffort(request);
  if (wanted === undefined) return undefined;
  const own = takenByModel.find(([name]) => name.test(model))?.[1];
  const taken = own ?? [...otherEfforts, ...everyone];
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
function wantedEffort({ reasoningEffort, reasoningBudget, extras: { thinking } }: EffortFields): string | undefined {
  if (reasoningEffort !== undefined) return reasoningEffort;
  if (textAt(thinking, 'type') === 'disabled') return 'none';
  const budget = reasoningBudget ?? numberAt(thinking, 'budget_tokens');
  if (budget === undefined || budget < 0) return undefined;
  if (budget === 0) return 'none';
  return budgets.find(([max]) => budget <= max)?.[1] ?? 'high';
}

const budgets: readonly (readonly [most: number, effort: string])[] = [
  [2048, 'low'],
  [12_288, 'medium'],
];
