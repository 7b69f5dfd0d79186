import { setImmediate as turn } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { inParts } from '../../platform/db/built-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import type { NewUsagePack } from '../../platform/db/rows.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { sharedNameId, type TokenHourState, tokenHourStates } from '../../platform/db/token-hours.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';
import { mostOwners } from '../logs/log-filter.ts';
import type { Span } from '../logs/time-span.ts';
import { newVersion, replacePack } from './usage-pack-repository.ts';

export type TokenHourRow = Selectable<Schema['token_hours']>;

/** An hour that is to be added up, beside which pack of the site. */
export type StaleHour = Pick<TokenHourState, 'hour' | 'version'>;

/** More would be sums of everything once more: what is asked for by their name is then read as that of any other. */
const mostNames = 1000;

/** Names that are looked at by one query. */
const namesAtOnce = 500;

/** Hours whose sums are forgotten together. */
const hoursAtOnce = 200;

/** The sums of an hour by some token names. */
export interface TokenSums {
  readonly hour: number;
  /** How many logs of all types it had, those of other names included. */
  readonly logs: number;
  /** How many of the shared names are told apart, in the order of their numbers. */
  readonly names: number;
  readonly rows: readonly TokenHourRow[];
  readonly pack: NewUsagePack;
}

/** Writes sums by token name so that whoever is interrupted, or late, leaves nothing that counts. */
export class TokenPackRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The hours with logs of a time, oldest first. */
  states(span: Span): Promise<readonly TokenHourState[]> {
    return tokenHourStates(this.#database, span);
  }

  /** The number of a shared name; undefined of any other. */
  idOf(name: string): Promise<number | undefined> {
    return sharedNameId(this.#database, name);
  }

  /** Hours up to a time whose sums do not hold, or lack a name, but could be made; the oldest first. */
  async stale(to: number): Promise<readonly StaleHour[]> {
    const last = (await this.names()).length;
    const states = await this.states({ from: 0, to });
    await this.#forgetBefore(states[0]?.hour ?? to);
    return states.filter(({ version, names }) => version !== null && (names === null || names < last));
  }

  /** Begins to add an hour up: from here on nobody but the holder of the claim ends it. */
  async claim(hour: number, claim: number): Promise<void> {
    const claimed = { hour, rows: claim, version: 0, names: 0, made: 0 };
    await this.#database
      .insertInto('token_packs')
      .values(claimed)
      .onConflict((conflict) => conflict.column('hour').doUpdateSet(claimed))
      .execute();
  }

  /** Notes those of some names that so many users have that nothing narrows their logs down. */
  async noteShared(names: readonly string[]): Promise<void> {
    const known = new Set(await this.names());
    const unknown = known.size < mostNames ? names.filter((name) => !known.has(name)) : [];
    for (let start = 0; start < unknown.length; start += namesAtOnce) {
      const shared = await this.#database
        .selectFrom(upToDate(this.#database, 'log_owners'))
        .select('token_name')
        .where('token_name', 'in', unknown.slice(start, start + namesAtOnce))
        .groupBy('token_name')
        .having(({ fn }) => fn.count('user_id').distinct(), '>', mostOwners)
        .execute();
      for (const { token_name } of shared) await this.#note(token_name);
      // SQLite never waits, so that without this everybody else would: an hour may have a hundred thousand names.
      await turn();
    }
  }

  /** Ends the adding up of an hour, unless something was logged or deleted in it meanwhile; false when it did not. */
  async finish(claim: number, sums: TokenSums, version: number): Promise<boolean> {
    const { hour, logs, names, rows, pack } = sums;
    return this.#database.transaction().execute(async (connection) => {
      const held = await connection
        .selectFrom('token_packs')
        .select('rows')
        .where('hour', '=', hour)
        .forUpdate()
        .executeTakeFirst();
      const [state] = await tokenHourStates(connection, { from: hour, to: hour });
      if (held?.rows !== claim || state?.logs !== logs || state.version !== version) return false;
      const made = newVersion();
      await replaceSums(connection, hour, rows);
      if (names > 0) await replacePack(connection, { ...pack, version: made });
      const finished = { rows: logs, version, names, made };
      await connection.updateTable('token_packs').set(finished).where('hour', '=', hour).execute();
      return true;
    });
  }

  /** The shared names: the first has number 1, and so on. */
  async names(): Promise<readonly string[]> {
    const rows = await this.#database.selectFrom('shared_token_names').select('name').orderBy('id').execute();
    return rows.map(({ name }) => name);
  }

  /**
   * Forgets sums of times that have no logs any more, some hours at once. Only what a row of `token_packs` stands for,
   * and while nobody can claim it: another node may be adding up an hour that something was just brought into.
   */
  async #forgetBefore(hour: number): Promise<void> {
    let forgotten = 0;
    do {
      forgotten = await this.#database.transaction().execute(async (connection) => {
        const some = connection.selectFrom('token_packs').select('hour').where('hour', '<', hour);
        const gone = await connection
          .deleteFrom('token_packs')
          .where('hour', 'in', some.orderBy('hour').limit(hoursAtOnce))
          .returning('hour')
          .execute();
        const hours = gone.map((row) => row.hour);
        if (hours.length === 0) return 0;
        await connection.deleteFrom('usage_packs').where('kind', '=', 'tokens').where('start', 'in', hours).execute();
        await ofSharedNames(connection).where('hour', 'in', hours).execute();
        return hours.length;
      });
    } while (forgotten === hoursAtOnce);
  }

  /**
   * Numbers follow one another: who notes another name at the same time waits here and then writes nothing, so that nobody
   * ever sees a number before all that are less.
   */
  async #note(name: string): Promise<void> {
    await sql`insert into shared_token_names (id, name) select coalesce(max(id), 0) + 1, ${name}
      from shared_token_names having coalesce(max(id), 0) < ${sql.lit(mostNames)} on conflict do nothing`.execute(
      this.#database,
    );
  }
}

/** By their names: the sums of an hour lie far apart. */
const ofSharedNames = (database: Database) =>
  database
    .deleteFrom('token_hours')
    .where('token_name', 'in', database.selectFrom('shared_token_names').select('name'));

async function replaceSums(database: Database, hour: number, rows: readonly TokenHourRow[]): Promise<void> {
  await ofSharedNames(database).where('hour', '=', hour).execute();
  for (const part of inParts(rows)) await database.insertInto('token_hours').values(part).execute();
}
