import type { SourceKind } from '@headgate/importer';
import type { AncestorRow } from './ancestor-tables.ts';
import { MysqlAncestor, type OwnMariadb } from './mysql-ancestor.ts';
import { PostgresAncestor } from './postgres-ancestor.ts';

/** The database of another gateway on a server. */
export interface ServerAncestor extends AsyncDisposable {
  /** Its address. */
  readonly path: string;
  add(table: string, ...rows: readonly AncestorRow[]): Promise<unknown>;
  run(sql: string): Promise<unknown>;
}

/** What tests say differently to each server. */
export interface ServerOfTests {
  create(kind: SourceKind): Promise<ServerAncestor>;
  /** A table of the numbers from 1, with one column `i`. */
  numbers(many: number): string;
  /** Statements by which logs after this one are never answered. */
  readonly neverAfter: (id: number) => readonly string[];
  /** Ends what an import has left behind that was killed, and gives the table back. */
  restore(source: ServerAncestor): Promise<void>;
}

const giveBack = ['drop view logs', 'alter table true_logs rename to logs'];
const columns = 'id, user_id, created_at, type, username, model_name, prompt_tokens';

export const postgresOfTests: ServerOfTests = {
  create: (kind) => PostgresAncestor.create(kind),
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

export const mysqlOfTests = (server: () => OwnMariadb): ServerOfTests => ({
  create: (kind) => MysqlAncestor.create(server(), kind),
  numbers: (many) => `(select seq as i from seq_1_to_${many}) as numbers`,
  neverAfter: (id) => [
    'alter table logs rename to true_logs',
    `create view logs as select ${columns}, case when id > ${id} then quota + sleep(50) else quota end as quota from true_logs`,
  ],
  restore: async (source) => {
    const others = (await source.run(`select id from information_schema.processlist
      where db = database() and id <> connection_id()`)) as { id: number }[];
    // One that has ended meanwhile is no thread any more.
    for (const { id } of others) await source.run(`kill ${id}`).catch(() => undefined);
    for (const statement of giveBack) await source.run(statement);
  },
});
