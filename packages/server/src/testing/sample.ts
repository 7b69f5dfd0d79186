/** True in `npm run test:exhaustive`, which runs every case of a matrix. */
export const isExhaustive = process.env['MODE'] === 'exhaustive';

/** At most `count` cases, spread evenly, the first and, of two or more, the last among them; all of them in an exhaustive run. */
export function sample<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isExhaustive || cases.length <= count) return cases;
  const step = (cases.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as Case);
}

/**
 * `count` cases from place `turn` on, starting over at the end; all of them in an exhaustive run. With another turn for each row
 * and check of a matrix, every case meets every row and every check, but not in all combinations.
 */
export function rotated<Case>(cases: readonly Case[], turn: number, count: number): readonly Case[] {
  if (isExhaustive || cases.length <= count) return cases;
  return Array.from({ length: count }, (_, index) => cases[(turn + index) % cases.length] as Case);
}
