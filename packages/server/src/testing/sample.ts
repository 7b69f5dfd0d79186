/** True in `npm run test:exhaustive`, which runs every case of a matrix. */
export const isExhaustiveRun = process.env['MODE'] === 'exhaustive';

/**
 * At most `count` evenly spread cases, including the first and, if `count` is at least two, the last. All cases in an
 * exhaustive run.
 */
export function sample<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isExhaustiveRun || cases.length <= count) return cases;
  const step = (cases.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as Case);
}

/**
 * `count` cases starting at `turn`, wrapping around; all cases in an exhaustive run. If each row and check of a
 * matrix uses a different turn, every case occurs with every row and every check, but not with every pair of them.
 */
export function rotatedSample<Case>(cases: readonly Case[], turn: number, count: number): readonly Case[] {
  if (isExhaustiveRun || cases.length <= count) return cases;
  return Array.from({ length: count }, (_, index) => cases[(turn + index) % cases.length] as Case);
}
