import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Database } from '../../platform/db/database.ts';

const sqliteSchema = sql<object>`select type, name, tbl_name, sql from sqlite_master order by type, name`;

const postgresSchema = sql<object>`
  select 'column' as kind, table_name as place, column_name as name,
    concat_ws(' ', data_type, is_nullable, column_default, is_identity, identity_generation) as text
  from information_schema.columns where table_schema = 'public'
  union all select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  order by 1, 2, 3`;

/** Every table, column, index and constraint, and the applied migrations; equal for equal schemas. */
export async function readDatabaseSchema(database: Database): Promise<object> {
  const { rows } = await (inject('database') === 'sqlite' ? sqliteSchema : postgresSchema).execute(database);
  const migrations = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database);
  return { parts: rows.map((row) => ({ ...row })), migrations: migrations.rows.map(({ name }) => name) };
}
