import type { JsonObject, PassThrough, Upstream } from '../provider.ts';

type LeavesOut = NonNullable<PassThrough['leavesOut']>;

/** The fields of a list that the request has. */
const among = (body: JsonObject, names: readonly string[]) => names.filter((name) => body[name] != null);

/** Always left out. */
export const leavingOut =
  (...names: readonly string[]): LeavesOut =>
  (body) =>
    among(body, names);

const hints = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'];
const usual: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
};

/** Models that refuse every hint but the usual one; later ones of the fifth generation take them when they do not think. */
const thinksOnly = /^(?:o\d|gpt-5(?!-chat|\.))/;

/** OpenAI's models that think refuse hints. */
export function openaiLeavesOut(body: JsonObject, { model }: Upstream): readonly string[] {
  return thinksOnly.test(model) ? among(body, hints).filter((name) => body[name] !== usual[name]) : [];
}

/** xAI's models that think refuse these. */
export const xaiLeavesOut: LeavesOut = (body, { model }) =>
  /^grok-(?:[4-9]|3-mini|code)/.test(model) ? among(body, ['presence_penalty', 'frequency_penalty', 'stop']) : [];
