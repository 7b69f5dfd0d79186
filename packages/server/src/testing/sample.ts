/** True in `npm run test:exhaustive`, which runs every case of a matrix. */
const isExhaustive = process.env['MODE'] === 'exhaustive';

/** At most `count` cases, spread evenly, the first and, of two or more, the last among them; all of them in an exhaustive run. */
export function sample<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isExhaustive || cases.length <= count) return cases;
  const step = (cases.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as Case);
}
