const monthPattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** A month such as `2026-11` in local time. */
export interface Month {
  readonly name: string;
  /** First and last second. */
  readonly from: number;
  readonly to: number;
}

const nameOf = (date: Date): string => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;

/** Month with this name; the current month if the name is invalid. */
export function monthOf(name: string | undefined, now: Date): Month {
  const [, year, month] = monthPattern.exec(name ?? '') ?? monthPattern.exec(nameOf(now)) ?? [];
  const start = new Date(Number(year), Number(month) - 1, 1);
  const end = new Date(Number(year), Number(month), 1);
  return { name: nameOf(start), from: start.getTime() / 1000, to: end.getTime() / 1000 - 1 };
}

/** Names of the latest months, the current one first. */
export const latestMonths = (now: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => nameOf(new Date(now.getFullYear(), now.getMonth() - index, 1)));
