import { type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';

const version = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/;

/** Version of a Claude model by its name, such as 405 for 4.5; undefined if the name has none. */
export function claudeVersion(model: string): number | undefined {
  const [, major, minor] = version.exec(model) ?? [];
  return major === undefined ? undefined : Number(major) * 100 + Number(minor ?? 0);
}

/** Changes that remove parameters which the upstream would reject. */
export interface Adjustment {
  /** Fields to set; a field set to undefined is removed. */
  readonly changes: JsonObject;
  /** Names for `x-headgate-ignored`. */
  readonly ignored: readonly string[];
}

interface Rule {
  readonly models: (model: string) => boolean;
  /** Absent: applies to every request. */
  readonly when?: (body: JsonObject) => boolean;
  readonly rejects: readonly string[];
  /** True if a value is accepted nevertheless; absent if none is. */
  readonly accepts?: (name: string, value: unknown) => boolean;
}

const named = (pattern: RegExp) => (model: string) => pattern.test(model);

const defaults: JsonObject = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 };
const isDefault = (name: string, value: unknown) => value === defaults[name];

/** Matches Claude versions from one (inclusive) to another (exclusive), such as 401 for 4.1. */
const claude = (from: number, before: number) => (model: string) => {
  const version = claudeVersion(model);
  return version !== undefined && version >= from && version < before;
};

const thinkingModes = new Set(['enabled', 'adaptive']);
const isThinking = (body: JsonObject) => thinkingModes.has(textAt(body['thinking'], 'type'));
const hasBoth = (body: JsonObject) => body['temperature'] != null && body['top_p'] != null;

/** Reasoning effort in Chat and Responses requests. */
const effortIn = (body: JsonObject) =>
  textAt(body, 'reasoning_effort') || textAt(objectAt(body, 'reasoning'), 'effort');

const openaiSampling = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'];

/**
 * Parameters that model families reject with 400, on every host. Each rule is applied to the result of the previous
 * rules. Sources: migration guides and API references of Anthropic, OpenAI, xAI and Google, and reports of 400
 * responses.
 */
const rules: readonly Rule[] = [
  { models: claude(407, Number.POSITIVE_INFINITY), rejects: ['temperature', 'top_p', 'top_k'] },
  { models: named(/claude/), when: isThinking, rejects: ['temperature', 'top_k'], accepts: isDefault },
  { models: named(/claude/), when: isThinking, rejects: ['top_p'], accepts: (_, value) => Number(value) >= 0.95 },
  // A temperature of 1 is the default, so it is removed and top_p is kept.
  { models: claude(401, 407), when: (body) => hasBoth(body) && body['temperature'] === 1, rejects: ['temperature'] },
  { models: claude(401, 407), when: hasBoth, rejects: ['top_p'] },
  {
    models: named(/^(?:ft:|openai\/)?(?:o\d|gpt-5(?!-chat|\.)|gpt-5\.\d+-(?:codex|pro))/),
    rejects: openaiSampling,
    accepts: isDefault,
  },
  {
    models: named(/^(?:openai\/)?gpt-5\.[1-4](?!\d|-chat)/),
    when: (body) => effortIn(body) !== '' && effortIn(body) !== 'none',
    rejects: openaiSampling,
    accepts: isDefault,
  },
  {
    models: named(/^(?:openai\/)?gpt-(?:5\.(?:[5-9]|\d\d)|[6-9])(?!.*-chat)/),
    when: (body) => effortIn(body) !== 'none',
    rejects: openaiSampling,
    accepts: isDefault,
  },
  { models: named(/^(?:openai\/)?(?:o3(?!-mini)|o4|gpt-5(?![\d.]*-chat))/), rejects: ['stop'] },
  {
    models: named(/^(?:x-ai\/|xai\/)?grok-(?:[4-9]|3-mini|code)/),
    rejects: ['presence_penalty', 'frequency_penalty', 'stop'],
    accepts: isDefault,
  },
  {
    models: named(/^(?:google\/)?gemini-(?:2\.5|[3-9])/),
    rejects: ['presence_penalty', 'frequency_penalty'],
    accepts: isDefault,
  },
];

const checkedNames: readonly string[] = [...new Set(rules.flatMap(({ rejects }) => rejects)), 'stop_sequences'];
const nothing: Adjustment = { changes: {}, ignored: [] };

/** Parameters of a request that its model rejects. Fields have OpenAI's or Anthropic's names. */
export function rejectedParameters(model: string, body: JsonObject): Adjustment {
  if (!checkedNames.some((name) => body[name] != null)) return nothing;
  const changes: Record<string, unknown> = /claude/.test(model) ? withoutBlankStops(body) : {};
  for (const rule of rules) {
    if (rule.models(model)) Object.assign(changes, rejectedBy(rule, { ...body, ...changes }));
  }
  return { changes, ignored: Object.keys(changes).filter((name) => !hasNoEffect(name, body[name])) };
}

function rejectedBy({ when, rejects, accepts }: Rule, body: JsonObject): JsonObject {
  if (when && !when(body)) return {};
  const names = rejects.filter((name) => body[name] != null && !accepts?.(name, body[name]));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** True if a parameter has no effect: a `top_p` of 1. */
export const hasNoEffect = (name: string, value: unknown): boolean => name === 'top_p' && value === 1;

/** Claude rejects stop sequences that are only whitespace. */
function withoutBlankStops(body: JsonObject): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const name of ['stop', 'stop_sequences']) {
    const stops = typeof body[name] === 'string' ? [body[name]] : listAt(body, name);
    const usableStops = stops.filter((stop) => typeof stop !== 'string' || stop.trim() !== '');
    if (usableStops.length < stops.length) changes[name] = usableStops.length > 0 ? usableStops : undefined;
  }
  return changes;
}
