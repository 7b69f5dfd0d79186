import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, type StringReference, sql } from 'kysely';
import type { Schema } from './schema.ts';

export interface PageRequest {
  readonly p: number;
  readonly size: number;
}

/** One page of a query's rows and how many it has in all. */
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

/** Whether a column contains the keyword, whatever its case; nothing in the keyword is a wildcard. */
export function contains<Table extends keyof Schema>(
  where: ExpressionBuilder<Schema, Table>,
  column: StringReference<Schema, Table>,
  keyword: string,
) {
  const pattern = `%${keyword.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  // What the database has built in does for plain letters and is several times faster.
  const fold = sql.raw(/^[\x20-\x7e]*$/.test(keyword) ? 'lower' : 'fold_case');
  // Both sides by the database: what it makes of a letter must not differ from what JavaScript makes of it.
  return sql<SqlBool>`${fold}(${where.ref(column)}) like ${fold}(${pattern}) escape '\\'`;
}

/** Whether a column, which holds names separated by commas, holds this one. */
export function listed<Table extends keyof Schema>(
  where: ExpressionBuilder<Schema, Table>,
  column: StringReference<Schema, Table>,
  name: string,
) {
  const list = sql`',' || ${where.ref(column)} || ','`;
  return sql<SqlBool>`replace(${list}, ${`,${name},`}, '') <> ${list}`;
}

/** The keyword as an id, when it is one. */
export const asId = (keyword: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(keyword) ? Number(keyword) : undefined;
