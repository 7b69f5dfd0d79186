/**
 * Maximum that our tokenizer may count if the model's tokenizer counts exactly the limit: vocabularies differ by
 * language.
 */
export const maxCountForLimit = (limit: number): number => 1.5 * limit + 4;

/** Maximum estimate by length for a text with exactly as many tokens as the limit. */
export const maxEstimateForLimit = (limit: number): number => 2 * limit + 64;

/** Caps the tokens at the request's limit as long as it is plausible that the upstream respects it. */
export const capAtLimit = (tokens: number, limit: number | undefined, most: (limit: number) => number): number =>
  limit === undefined || tokens > most(limit) ? tokens : Math.min(tokens, limit);
