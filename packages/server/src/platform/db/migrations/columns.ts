import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely';

export const isPostgres = (database: Pick<Kysely<unknown>, 'getExecutor'>) =>
  database.getExecutor().adapter.constructor.name.startsWith('Postgres');

/** The one column the two databases spell differently: a number that counts up by itself. */
export function withId<T extends string>(database: Kysely<unknown>, table: CreateTableBuilder<T>) {
  return isPostgres(database)
    ? table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
    : table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement());
}

export const emptyText = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('');

export const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);

export const notNull = (column: ColumnDefinitionBuilder) => column.notNull();
