import type { ManagedKind } from '@headgate/contract';
import { sql } from 'kysely';
import { isPostgres } from '../db/backend.ts';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { ManagedMark, ManagedMarks } from './managed-mark.ts';

/** Key of the advisory lock; must be unique in the database. */
const applyLock = 0x68_67_79_61;

const maxConcurrent = 500;

/** Objects managed by a configuration file. */
export class ManagedRepository implements ManagedMarks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ManagedRepository {
    return new ManagedRepository(transaction.database);
  }

  /** Blocks other applies on all nodes until the transaction ends. SQLite runs one transaction at a time. */
  async lock(): Promise<void> {
    if (!isPostgres(this.#database)) return;
    await sql`select pg_advisory_xact_lock(${sql.lit(applyLock)})`.execute(this.#database);
  }

  async lockOut(): Promise<void> {
    if (!isPostgres(this.#database)) return;
    await sql`select pg_advisory_xact_lock_shared(${sql.lit(applyLock)})`.execute(this.#database);
  }

  /**
   * Like the lock above, but without waiting, because the caller may hold locks that an apply waits for. False while a
   * file is being applied, because its managed objects are not known yet.
   */
  async tryLockOut(): Promise<boolean> {
    if (!isPostgres(this.#database)) return true;
    const requested = sql<{
      is_locked: boolean;
    }>`select pg_try_advisory_xact_lock_shared(${sql.lit(applyLock)}) as is_locked`;
    return (await requested.execute(this.#database)).rows[0]?.is_locked === true;
  }

  async marks(): Promise<ManagedMark[]> {
    const rows = await this.#database
      .selectFrom('managed_things')
      .selectAll()
      .orderBy('kind')
      .orderBy('name')
      .execute();
    return rows.map(({ kind, name, row_id, in_file }) => ({ kind, name, id: row_id, isInFile: in_file === 1 }));
  }

  /** Ids of a kind that are in the file. */
  async ids(kind: ManagedKind): Promise<ReadonlySet<number>> {
    const rows = await this.#ofKind(kind).where('row_id', '<>', 0).execute();
    return new Set(rows.map(({ row_id }) => row_id));
  }

  /** Name of the object with this id, if it is in the file. */
  async findById(kind: ManagedKind, id: number): Promise<string | undefined> {
    return (await this.#ofKind(kind).where('row_id', '=', id).executeTakeFirst())?.name;
  }

  /** Names of a kind that are in the file. */
  async names(kind: ManagedKind): Promise<ReadonlySet<string>> {
    return new Set((await this.#ofKind(kind).execute()).map(({ name }) => name));
  }

  async replaceAll(marks: readonly ManagedMark[]): Promise<void> {
    await this.#database.deleteFrom('managed_things').execute();
    const rows = marks.map(({ kind, name, id, isInFile }) => ({ kind, name, row_id: id, in_file: isInFile ? 1 : 0 }));
    for (let start = 0; start < rows.length; start += maxConcurrent) {
      await this.#database
        .insertInto('managed_things')
        .values(rows.slice(start, start + maxConcurrent))
        .execute();
    }
  }

  #ofKind(kind: ManagedKind) {
    return this.#database
      .selectFrom('managed_things')
      .select(['name', 'row_id'])
      .where('kind', '=', kind)
      .where('in_file', '=', 1);
  }
}
