import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Tables that PostgreSQL partitions by month (UTC), with their time column. */
export const monthTables = { logs: 'created_at', usage_hours: 'hour', usage_days: 'day' } as const;

export type MonthTable = keyof typeof monthTables;

export const monthTableNames = Object.keys(monthTables) as MonthTable[];

/** Time range of a month partition. */
export interface Month {
  /** Suffix of the partition name, after the table name. */
  readonly suffix: string;
  /** First second; −∞ for the partition of the past. */
  readonly start: number;
  /** First second after the range. */
  readonly end: number;
}

/** Month of a time, shifted by a number of months. */
export function monthAt(time: number, monthsAhead = 0): Month {
  const at = new Date(time * 1000);
  const startOf = (ahead: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead) / 1000;
  const start = startOf(monthsAhead);
  const [year, month] = new Date(start * 1000).toISOString().split('-');
  return { suffix: `y${year}m${month}`, start, end: startOf(monthsAhead + 1) };
}

/** Name of a partition. Safe to use in SQL, because it consists only of a table name and a month. */
export const partitionName = (table: MonthTable, { suffix }: Pick<Month, 'suffix'>): string => `${table}_${suffix}`;

/** True if a statement failed because it waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

/** Months with a partition in every table, oldest first. Excludes the default partitions for times without a month. */
export async function storedMonths(database: Database): Promise<readonly Month[]> {
  const { rows } = await sql<{ suffix: string; bounds: string }>`
    select substr(part.relname, length(parent.relname) + 2) as suffix, pg_get_expr(part.relpartbound, part.oid) as bounds
    from pg_inherits join pg_class as part on part.oid = inhrelid join pg_class as parent on parent.oid = inhparent
    where parent.oid = any(array[${sql.join(monthTableNames)}]::regclass[])
      and starts_with(part.relname, parent.relname || '_')
    group by 1, 2 having count(*) = ${sql.lit(monthTableNames.length)}`.execute(database);
  const months = rows.flatMap(({ suffix, bounds }) => {
    const found = /FROM \((MINVALUE|'?-?\d+'?)\) TO \('?(-?\d+)'?\)/.exec(bounds);
    const [, start = '', end = ''] = found ?? [];
    const first = start === 'MINVALUE' ? Number.NEGATIVE_INFINITY : Number(start.replaceAll("'", ''));
    return found ? { suffix, start: first, end: Number(end) } : [];
  });
  return months.sort((one, other) => one.end - other.end);
}
