export interface Figure {
  readonly name: string;
  readonly measured: string;
  /** Target for the metric; absent if it is shown for information only. */
  readonly bound?: { readonly text: string; readonly isKept: boolean };
}

export const formatMs = (milliseconds: number): string => `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`;

export const formatPercent = (part: number): string => `${(part * 100).toFixed(0)} %`;

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile95(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

/** The value that this share of the numbers does not exceed. */
export function quantile(numbers: readonly number[], part: number): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * part)] ?? Number.NaN;
}

/** Durations of several tasks, run alternately so that load on the machine affects all of them. */
export async function interleavedTimes<Name extends string>(
  things: Readonly<Record<Name, () => Promise<number>>>,
  turns: number,
): Promise<Record<Name, readonly number[]>> {
  const names = Object.keys(things) as Name[];
  const times = {} as Record<Name, number[]>;
  for (const name of names) times[name] = [];
  for (const name of names) await things[name]();
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of names) times[name].push(await things[name]());
  }
  return times;
}

/** Medians of `interleavedTimes`. */
export async function interleavedMedians<Name extends string>(
  things: Readonly<Record<Name, () => Promise<number>>>,
  turns: number,
): Promise<Record<Name, number>> {
  const times = Object.entries<readonly number[]>(await interleavedTimes(things, turns));
  return Object.fromEntries(times.map(([name, all]) => [name, median(all)])) as Record<Name, number>;
}

/** Markdown table, also readable in a terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const cells = figures.map(({ name, measured, bound }) => [
    name,
    measured,
    bound?.text ?? '',
    bound === undefined ? '' : bound.isKept ? 'ok' : 'MISSED',
  ]);
  const all = [['What', 'Measured', 'Bound', ''], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, index) => (row[index] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(all[0] ?? []), rule, ...cells.map(line)].join('\n');
}
