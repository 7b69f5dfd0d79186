import type { JsonObject, PassThrough } from '../provider.ts';

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
export const moonshotDrops: LeavesOut = (body, { model }) =>
  /^kimi-k(?:2\.[5-9]|[3-9])/.test(model)
    ? among(body, ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'])
    : [];
