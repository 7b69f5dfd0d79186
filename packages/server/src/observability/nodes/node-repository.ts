import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { databaseNowMs, isNodeAlive, isNodeListening } from '../../platform/db/live-nodes.ts';
import { nodeLockClass } from '../../platform/db/node-lock.ts';

/** Metrics that a node reports with every heartbeat. */
export interface NodeStats {
  readonly running: number;
  readonly lagMs: number;
  /** Number for quota leases; undefined while the node is disconnected from the database. */
  readonly leaseNumber: number | undefined;
}

/** Properties of a node that do not change while it runs. */
export interface NodeInfo {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly startedTime: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** A node without a heartbeat for this long is no longer listed. */
const forgottenAfterMs = 600_000;

/** Processes that share this database. PostgreSQL only. */
export class NodeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a node and returns its name: the requested name, with a number appended if a live node already uses it. */
  async add(wanted: NodeInfo): Promise<string> {
    return this.#database.transaction().execute(async (connection) => {
      // Serialized, so that nodes that start together see each other.
      await sql`select pg_advisory_xact_lock(${nodeLockClass}::int, 0)`.execute(connection);
      const { rows } = await sql<{ name: string }>`select name from nodes
        where ${isNodeListening} and starts_with(name, ${wanted.name})`.execute(connection);
      const taken = new Set(rows.map(({ name }) => name));
      let { name } = wanted;
      for (let count = 2; taken.has(name); count += 1) name = `${wanted.name}-${count}`;
      await new NodeRepository(connection).heartbeat(
        { ...wanted, name },
        { running: 0, lagMs: 0, leaseNumber: undefined },
      );
      return name;
    });
  }

  /**
   * Writes a heartbeat and returns whether there are other nodes. Inserts the row again if the database lost it, for
   * example after a crash.
   */
  async heartbeat({ id, name, version, startedTime, settings }: NodeInfo, figures: NodeStats): Promise<boolean> {
    const { running, lagMs, leaseNumber = 0 } = figures;
    const { rows } = await sql<{
      has_others: boolean;
    }>`insert into nodes (id, name, version, started_time, settings, seen_ms, running, lag_ms, lease_number)
      values (${id}, ${name}, ${version}, ${startedTime}, ${JSON.stringify(settings)},
        ${databaseNowMs}, ${running}, ${lagMs}, ${leaseNumber})
      on conflict (id) do update set seen_ms = excluded.seen_ms, running = excluded.running,
        lag_ms = excluded.lag_ms, lease_number = excluded.lease_number
      returning exists (select 1 from (select * from nodes where nodes.id <> ${id}) as nodes where ${isNodeAlive})
        as has_others`.execute(this.#database);
    return rows[0]?.has_others ?? true;
  }

  async removeGone(): Promise<void> {
    await sql`delete from nodes where seen_ms not between ${databaseNowMs} - ${forgottenAfterMs}::bigint
      and ${databaseNowMs} + ${forgottenAfterMs}::bigint and not ${isNodeListening}`.execute(this.#database);
  }

  async remove(id: string): Promise<void> {
    await this.#database.deleteFrom('nodes').where('id', '=', id).execute();
  }

  /** Omits a crashed node if its successor has the same name. */
  async list() {
    const { rows } = await sql<NodeRow>`select id, name, version, started_time, settings, running, lag_ms,
        unconfirmed_time, greatest(0, ${databaseNowMs} - greatest(0, seen_ms)) as unseen_ms, not ${isNodeAlive} as is_silent,
        (select count(*) from leases where leases.node = nodes.lease_number) as leases
      from nodes
      where ${isNodeAlive} or ${isNodeListening} or nodes.name not in (select nodes.name from nodes where ${isNodeAlive})
      order by name, started_time`.execute(this.#database);
    return rows;
  }
}

export interface NodeRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly started_time: number;
  readonly settings: string;
  readonly running: number;
  readonly lag_ms: number;
  readonly unconfirmed_time: number;
  readonly unseen_ms: number;
  readonly is_silent: boolean;
  readonly leases: number;
}
