/** True in `npm run test:exhaustive`, which runs every case of a matrix. */
export const isExhaustive = process.env['MODE'] === 'exhaustive';

/** At most `count` cases, spread evenly, the first and, of two or more, the last among them; all of them in an exhaustive run. */
export function sample<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isExhaustive || cases.length <= count) return cases;
  const step = (cases.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as Case);
}

/** `count` of the cases, others for each `turn`, so that many turns take all of them; every case in an exhaustive run. */
export function rotated<Case>(cases: readonly Case[], turn: number, count: number): readonly Case[] {
  if (isExhaustive || cases.length <= count) return cases;
  return Array.from({ length: count }, (_, index) => cases[(turn * count + index) % cases.length] as Case);
}
