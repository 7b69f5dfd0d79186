/** A word's end that is a token's end too, in every encoding used here. A contraction's apostrophe belongs to its word. */
const edge = /[\p{L}\p{N}](?=[^\p{L}\p{N}\p{M}'])/gu;
const lookBack = 256;

/**
 * Where to cut what begins at `from`, at most `limit` further: the two parts then have as many tokens as the whole. A text
 * that has no word's end near there is cut inside a word, which may make it one token longer.
 */
export function cutAt(text: string, from: number, limit: number): number {
  const most = from + limit;
  if (most >= text.length) return text.length;
  const start = Math.max(from, most - lookBack);
  let cut = 0;
  for (const match of text.slice(start, most + 2).matchAll(edge)) {
    const end = start + match.index + match[0].length;
    if (end <= most) cut = end;
  }
  if (cut > from) return cut;
  return isFirstHalf(text.charCodeAt(most - 1)) && limit > 1 ? most - 1 : most;
}

/** Whether it is the first half of a character that takes two places. */
const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
