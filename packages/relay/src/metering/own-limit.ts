/** What a tokenizer of ours may count where the model's own counts the limit: others cut other languages better. */
export const mostCountOf = (limit: number): number => 1.5 * limit + 4;

/** What the length of a text may be taken for where it has as many tokens as the limit. */
export const mostEstimateOf = (limit: number): number => 2 * limit + 64;

/** No more than the request allows, as long as it may be that its upstream keeps to it. */
export const withinLimit = (tokens: number, limit: number | undefined, most: (limit: number) => number): number =>
  limit === undefined || tokens > most(limit) ? tokens : Math.min(tokens, limit);
