import type { TableReport } from './import-tally.ts';

/** What is said of a plan: each table in numbers, and below it every row that changes or stays behind. */
export function reportLines(reports: readonly TableReport[]): readonly string[] {
  return reports.flatMap(({ name, read, coming, made, here, staying, lines }) => [
    `${name}: ${read} read, ${coming} come${made === coming ? '' : ` as ${made}`}, ${here} here already, ${staying} stay behind`,
    ...lines.map((line) => `  ${line}`),
  ]);
}
