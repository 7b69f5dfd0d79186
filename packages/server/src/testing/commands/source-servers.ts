import type { OneApiSourceKind } from '@headgate/importer';
import { type MariadbServer, MysqlSourceDatabase } from './mysql-source-database.ts';
import { PostgresSourceDatabase } from './postgres-source-database.ts';
import type { SourceRow } from './source-tables.ts';

/** Server database with the tables of another gateway. */
export interface ServerSourceDatabase extends AsyncDisposable {
  readonly path: string;
  add(table: string, ...rows: readonly SourceRow[]): Promise<unknown>;
  run(sql: string): Promise<unknown>;
}

/** SQL that differs between servers. */
export interface SourceServer {
  create(kind: OneApiSourceKind): Promise<ServerSourceDatabase>;
  /** A table of the numbers from 1, with one column `i`. */
  numbers(many: number): string;
  /** Statements that make logs after this id unreadable. */
  readonly neverAfter: (id: number) => readonly string[];
  /** Ends the sessions of a killed import and restores the table. */
  restore(source: ServerSourceDatabase): Promise<void>;
}

const giveBack = ['drop view logs', 'alter table true_logs rename to logs'];
const columns = 'id, user_id, created_at, type, username, model_name, prompt_tokens';

export const postgresSourceServer: SourceServer = {
  create: (kind) => PostgresSourceDatabase.create(kind),
  numbers: (many) => `generate_series(1, ${many}) as numbers (i)`,
  neverAfter: (id) => [
    `create function kept(number bigint) returns bigint language plpgsql stable as
      $$ begin perform pg_sleep(50); return number; end $$`,
    'alter table logs rename to true_logs',
    `create view logs as select ${columns}, case when id > ${id} then kept(quota) else quota end as quota from true_logs`,
  ],
  restore: async (source) => {
    await source.run(`select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where datname = current_database() and application_name = 'headgate import'`);
    for (const statement of giveBack) await source.run(statement);
  },
};

export const mysqlSourceServer = (server: () => MariadbServer): SourceServer => ({
  create: (kind) => MysqlSourceDatabase.create(server(), kind),
  numbers: (many) => `(select seq as i from seq_1_to_${many}) as numbers`,
  neverAfter: (id) => [
    'alter table logs rename to true_logs',
    `create view logs as select ${columns}, case when id > ${id} then quota + sleep(50) else quota end as quota from true_logs`,
  ],
  restore: async (source) => {
    const others = (await source.run(`select id from information_schema.processlist
      where db = database() and id <> connection_id()`)) as { id: number }[];
    // A session that has ended in the meantime cannot be killed.
    for (const { id } of others) await source.run(`kill ${id}`).catch(() => undefined);
    for (const statement of giveBack) await source.run(statement);
  },
});
