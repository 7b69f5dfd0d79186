import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The tables that PostgreSQL keeps in a part for each month of UTC, with the column that says when. */
export const monthTables = { logs: 'created_at', usage_hours: 'hour', usage_days: 'day' } as const;

export type MonthTable = keyof typeof monthTables;

export const monthTableNames = Object.keys(monthTables) as MonthTable[];

/** A stretch of time of which each of the tables has a part of its own. */
export interface Month {
  /** What stands behind the table's name in that of its part. */
  readonly suffix: string;
  /** Its first second; −∞ for what is past. */
  readonly start: number;
  /** The first second after it. */
  readonly end: number;
}

/** The month of a time, or one that is some months from it. */
export function monthOf(time: number, monthsAhead = 0): Month {
  const at = new Date(time * 1000);
  const startOf = (ahead: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead) / 1000;
  const start = startOf(monthsAhead);
  const [year, month] = new Date(start * 1000).toISOString().split('-');
  return { suffix: `y${year}m${month}`, start, end: startOf(monthsAhead + 1) };
}

/** The name of a table's part, which is made of nothing but such names and months. */
export const partOf = (table: MonthTable, { suffix }: Pick<Month, 'suffix'>): string => `${table}_${suffix}`;

/** Whether somebody else has locked what a statement needs, for longer than it waited. */
export const isLockedElsewhere = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

/** What all the tables have a part of, oldest first; not what is left over, for times that no month was made for. */
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
