import { sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import { type Database, openInMemory } from '../../platform/db/database.ts';
import { isKnownMigration, type Migrations, migrate } from '../../platform/db/migrate.ts';
import type { Column, ColumnKind } from './archive-contents.ts';
import { archivedTables } from './archived-tables.ts';

/** Type names of both databases. */
const kinds: Readonly<Record<string, ColumnKind>> = {
  integer: 'integer',
  bigint: 'integer',
  'double precision': 'real',
  text: 'text',
  blob: 'bytes',
  bytea: 'bytes',
};

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_required: number;
}

/** Columns of the archived tables that exist in the database. */
export async function readArchiveSchema(database: Database): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await (isPostgres(database) ? postgresColumns : sqliteColumns).execute(database);
  const schema = new Map<string, Column[]>();
  for (const { table, name, type, is_required } of rows) {
    const kind = kinds[type.toLowerCase()];
    if (!(archivedTables as readonly string[]).includes(table)) continue;
    if (kind === undefined) throw new Error(`Unknown type of column ${name} of ${table}: ${type}`);
    schema.set(table, [...(schema.get(table) ?? []), { name, kind, isNullable: is_required === 0 }]);
  }
  return schema;
}

const sqliteColumns = sql<ColumnRow>`select tables.name as "table", columns.name, columns.type,
    (columns."notnull" or columns.pk > 0) as is_required
  from sqlite_schema as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table' order by tables.name, columns.cid`;

const postgresColumns = sql<ColumnRow>`select table_name as "table", column_name as name, data_type as type,
    case is_nullable when 'NO' then 1 else 0 end as is_required
  from information_schema.columns where table_schema = current_schema() order by table_name, ordinal_position`;

/** Columns after a migration, read from an in-memory database; undefined for an unknown migration. */
export async function schemaAt(
  migration: string,
  known?: Migrations,
): Promise<ReadonlyMap<string, readonly Column[]> | undefined> {
  if (!isKnownMigration(migration, known)) return undefined;
  const database = openInMemory();
  try {
    await migrate(database, { upTo: migration, known });
    return await readArchiveSchema(database);
  } finally {
    await database.destroy();
  }
}
