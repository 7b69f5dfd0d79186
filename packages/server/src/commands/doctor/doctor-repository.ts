import { channelStatus } from '@headgate/contract';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { isPostgres } from '../../platform/db/backend.ts';
import { type Database, type DatabaseLocation, openForReading } from '../../platform/db/database.ts';
import { type SchemaState, schemaState } from '../../platform/db/migrate.ts';
import { startFailureMessage } from '../../platform/errors/start-failure.ts';
import { checkConfiguredKey } from '../../platform/secrets/secret-check-repository.ts';

/** Address of an enabled channel. */
export interface ChannelAddress {
  readonly id: number;
  readonly type: number;
  readonly base_url: string;
}

/** Read-only access to a database that a server may be using. */
export class DoctorRepository {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async open(location: DatabaseLocation): Promise<DoctorRepository> {
    return new DoctorRepository(await openForReading(location));
  }

  schemaState(): Promise<SchemaState> {
    return schemaState(this.#database);
  }

  /** Reason why a start would reject this gateway's secret key; undefined if it would not. */
  async secretKeyProblem(config: Config): Promise<string | undefined> {
    try {
      await checkConfiguredKey(this.#database, config);
      return undefined;
    } catch (error) {
      return startFailureMessage(error);
    }
  }

  /** Seconds that the database clock is ahead of ours; undefined for SQLite. */
  async secondsAhead(): Promise<number | undefined> {
    if (!isPostgres(this.#database)) return undefined;
    const requested = Date.now();
    const { rows } = await sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 as now`.execute(
      this.#database,
    );
    const ours = (requested + Date.now()) / 2;
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
