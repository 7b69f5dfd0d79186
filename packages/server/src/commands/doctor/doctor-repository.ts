import { channelStatus } from '@headgate/contract';
import { sql } from 'kysely';
import { type Database, type DatabaseLocation, openForReading } from '../../platform/db/database.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import { type SchemaState, schemaState } from '../../platform/db/migrate.ts';

/** Address of an enabled channel. */
export interface ChannelAddress {
  readonly id: number;
  readonly type: number;
  readonly base_url: string;
}

/** Checks whether a key decrypts the secrets of a database. */
export type CanDecrypt = (database: Database, key: string) => Promise<boolean>;

/** Read-only access to a database that a server may be using. */
export class DoctorRepository {
  readonly #database: Database;
  readonly #opens: CanDecrypt;

  private constructor(database: Database, opens: CanDecrypt) {
    this.#database = database;
    this.#opens = opens;
  }

  static async open(location: DatabaseLocation, opens: CanDecrypt): Promise<DoctorRepository> {
    return new DoctorRepository(await openForReading(location), opens);
  }

  schemaState(): Promise<SchemaState> {
    return schemaState(this.#database);
  }

  opensWith(key: string): Promise<boolean> {
    return this.#opens(this.#database, key);
  }

  /** Seconds that the database clock is ahead of ours; undefined for SQLite. */
  async secondsAhead(): Promise<number | undefined> {
    if (!isPostgres(this.#database)) return undefined;
    const asked = Date.now();
    const { rows } = await sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 as now`.execute(
      this.#database,
    );
    const ours = (asked + Date.now()) / 2;
    return (rows[0]?.now ?? 0) - ours / 1000;
  }

  enabledChannels(): Promise<readonly ChannelAddress[]> {
    return this.#database
      .selectFrom('channels')
      .select(['id', 'type', 'base_url'])
      .where('status', '=', channelStatus.enabled)
      .orderBy('id')
      .execute();
  }

  close(): Promise<void> {
    return this.#database.destroy();
  }
}
