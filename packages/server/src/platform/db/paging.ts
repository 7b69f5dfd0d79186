import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, type StringReference, sql } from 'kysely';
import type { Schema } from './schema.ts';

export interface PageRequest {
  readonly p: number;
  readonly size: number;
}

/** One page of a query's rows and the total count. */
export async function readPage<Table extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  { p, size }: PageRequest,
): Promise<{ rows: Row[]; total: number }> {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const offset = p * size;
  const rows = offset >= total ? [] : await query.limit(size).offset(offset).execute();
  return { rows, total };
}

/** Case-insensitive search without wildcards. */
export function containsText<Table extends keyof Schema>(
  where: ExpressionBuilder<Schema, Table>,
  column: StringReference<Schema, Table>,
  keyword: string,
) {
  const pattern = `%${keyword.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  // The built-in function is sufficient for ASCII and several times faster.
  const foldCase = sql.raw(/^[\x20-\x7e]*$/.test(keyword) ? 'lower' : 'fold_case');
  // Both sides are case-folded by the database, because JavaScript may fold letters differently.
  return sql<SqlBool>`${foldCase}(${where.ref(column)}) like ${foldCase}(${pattern}) escape '\\'`;
}

/** True if a comma-separated column contains this name. */
export function isInList<Table extends keyof Schema>(
  where: ExpressionBuilder<Schema, Table>,
  column: StringReference<Schema, Table>,
  name: string,
) {
  const list = sql`',' || ${where.ref(column)} || ','`;
  return sql<SqlBool>`replace(${list}, ${`,${name},`}, '') <> ${list}`;
}

/** The keyword as an id, if it is a number. */
export const parseId = (keyword: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(keyword) ? Number(keyword) : undefined;
