/**
 * A word end that is also a token end in every encoding used here. The apostrophe of a contraction belongs to its
 * word.
 */
const edge = /[\p{L}\p{N}](?=[^\p{L}\p{N}\p{M}'])/gu;
const lookBack = 256;

/**
 * Position at which to split a text, at most `limit` after `from`, so that both parts have as many tokens as the
 * whole. Without a word end nearby, splits inside a word, which may add one token.
 */
export function splitPosition(text: string, from: number, limit: number): number {
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

/** Whether a UTF-16 unit is a high surrogate. */
const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
