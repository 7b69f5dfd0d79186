import { randomInt } from 'node:crypto';
import { logType, usageMeasures } from '@headgate/contract';
import { type Selectable, sql } from 'kysely';
import { inParts, runBuilt } from '../../platform/db/built-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import type { NewUsagePack } from '../../platform/db/rows.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { upToDateTable } from '../../platform/db/up-to-date.ts';
import { counters, rollUp, rollUpKeys, type Summable, secondsPerDay } from '../logs/roll-up.ts';
import { joinPacks } from './make-pack.ts';
import { daysOf, type PackColumn, type PackKind, packKeys, UsagePack } from './usage-pack.ts';

type FinestRow = Selectable<Schema['usage_hours']>;

/** Only requests are usage; other logs are added up too. */
export const requestTypes = sql<boolean>`${sql.ref('type')} in (${sql.lit(logType.consumption)}, ${sql.lit(logType.failure)})`;

export const everyType = sql<boolean>`true`;

/** How many logs of requests an hour has, and how many of them are packed. */
export interface HourState {
  readonly hour: number;
  readonly logged: number;
  readonly packed: number | null;
  /** Of its packs. */
  readonly version: number | null;
}

/** A pack as far as nothing is read of its sums. */
export interface PackState {
  /** How many logs it adds up. */
  readonly rows: number;
  readonly version: number;
}

const hourKinds = ['site', 'users'] as const;

/** Few enough to keep no writer waiting for long: SQLite does nothing else meanwhile. */
const rowsAtOnce = 1000;

/** Writes packs so that whoever is interrupted, or late, leaves nothing that counts. */
export class UsagePackRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The hours with requests between two times, oldest first. */
  async hours(from: number, to: number): Promise<readonly HourState[]> {
    const { rows } =
      await sql<HourState>`select logged.hour, logged.requests as logged, usage_packs.${sql.ref('rows')} as packed,
        usage_packs.version
      from (select hour, sum(${sql.ref('rows')}) as requests from ${upToDateTable(this.#database, 'log_hours')}
        where hour >= ${from} and hour <= ${to} and ${requestTypes} group by hour) as logged
      left join usage_packs on usage_packs.kind = 'site' and usage_packs.start = logged.hour
      order by logged.hour`.execute(this.#database);
    return rows;
  }

  /** The packs of a kind by their first seconds. */
  async states(kind: PackKind, from: number, to: number): Promise<ReadonlyMap<number, PackState>> {
    const rows = await this.#between(kind, from, to).select(['start', 'rows', 'version']).execute();
    return new Map(rows.map(({ start, ...state }) => [start, state]));
  }

  async packs(kind: PackKind, from: number, to: number, columns: readonly PackColumn[]): Promise<UsagePack[]> {
    const rows = await this.#between(kind, from, to)
      .select(['start', 'version', 'names', ...columns])
      .where('rows', '>=', 0)
      .orderBy('start')
      .execute();
    return rows.map((row) => new UsagePack(row));
  }

  /** Begins to pack an hour: from here on its sums are read elsewhere, and nobody but the holder of the claim ends it. */
  async claim(hour: number, claim: number): Promise<void> {
    const claimed = { kind: 'site', start: hour, rows: claim, names: '' } as const;
    await this.#database
      .insertInto('usage_packs')
      .values(claimed)
      .onConflict((conflict) => conflict.columns(['kind', 'start']).doUpdateSet({ rows: claim }))
      .execute();
  }

  /** All sums of an hour, those of requests where nothing else is said, some at once. */
  async *finest(hour: number, which = requestTypes): AsyncGenerator<readonly Summable[]> {
    const key = sql.join(rollUpKeys.usage_hours.map((column) => sql.ref(column)));
    let last: FinestRow | undefined;
    do {
      const after = last
        ? sql`and (${key}) > (${sql.join(rollUpKeys.usage_hours.map((column) => last?.[column]))})`
        : sql``;
      const { rows } = await sql<FinestRow>`select * from usage_hours where hour = ${hour} and ${which} ${after}
        order by ${key} limit ${sql.lit(rowsAtOnce)}`.execute(this.#database);
      last = rows.length === rowsAtOnce ? rows.at(-1) : undefined;
      const day = hour - (hour % secondsPerDay);
      yield rows.map((row) => ({ ...row, day }));
    } while (last);
  }

  /** Puts sums of users in the place of those there were; false when the claim is gone. */
  async writeUsers(hour: number, claim: number, finest: readonly Summable[]): Promise<boolean> {
    const rows = rollUp('user_hours', finest) as Selectable<Schema['user_hours']>[];
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      const isHeld = await this.#whileClaimed(hour, claim, async (connection) => {
        for (const part of inParts(rows.slice(start, start + rowsAtOnce))) await replaceUsers(connection, part);
      });
      if (!isHeld) return false;
    }
    return true;
  }

  /** Ends the packing of an hour, unless something was logged in it meanwhile; false when it did not. */
  async finish(claim: number, site: NewUsagePack, users: NewUsagePack): Promise<boolean> {
    let isFinished = false;
    const version = newVersion();
    await this.#whileClaimed(site.start, claim, async (connection) => {
      const [state] = await new UsagePackRepository(connection).hours(site.start, site.start);
      if (state?.logged !== site.rows) return;
      for (const pack of [users, site]) await replacePack(connection, { ...pack, version });
      isFinished = true;
    });
    return isFinished;
  }

  /** Packs a day from the packs of its hours; nothing while one of them is missing. */
  async packDay(day: number): Promise<void> {
    const end = day + secondsPerDay - 1;
    await this.#database.transaction().execute(async (connection) => {
      const inside = new UsagePackRepository(connection);
      // Whoever empties packs of these hours waits, so that he empties this one too.
      await inside.#between('site', day, end).select('start').orderBy('start').forUpdate().execute();
      const hours = await inside.hours(day, end);
      if (hours.some(({ logged, packed }) => logged !== packed)) return;
      const isLogged = new Set(hours.map(({ hour }) => hour));
      for (const kind of hourKinds) {
        const packs = await inside.packs(kind, day, end, [...packKeys[kind], ...usageMeasures]);
        const ofHours = packs.filter(({ start }) => isLogged.has(start));
        await replacePack(connection, { ...joinPacks(daysOf[kind], day, ofHours), version: newVersion() });
      }
    });
  }

  /** Forgets packs of times that have no logs any more. */
  async forgetBefore(hour: number): Promise<void> {
    const day = hour - (hour % secondsPerDay);
    const forget = (kinds: readonly PackKind[], before: number) =>
      this.#database.deleteFrom('usage_packs').where('kind', 'in', kinds).where('start', '<', before).execute();
    await forget(hourKinds, hour);
    await forget(Object.values(daysOf), day);
  }

  /** Forgets all packs of the day of a time; what its hours were added up to by token names no longer holds. */
  async forgetDay(time: number): Promise<void> {
    const day = time - (time % secondsPerDay);
    await this.#database
      .updateTable('token_packs')
      .set({ rows: -1 })
      .where('hour', '>=', day)
      .where('hour', '<', day + secondsPerDay)
      .execute();
    await this.#database
      .deleteFrom('usage_packs')
      .where('start', '>=', day)
      .where('start', '<', day + secondsPerDay)
      .execute();
  }

  #between(kind: PackKind, from: number, to: number) {
    return this.#database
      .selectFrom('usage_packs')
      .where('kind', '=', kind)
      .where('start', '>=', from)
      .where('start', '<=', to);
  }

  /** Works in a transaction in which nobody else claims or empties the hour; false when somebody has. */
  async #whileClaimed(hour: number, claim: number, work: (connection: Database) => Promise<void>): Promise<boolean> {
    return this.#database.transaction().execute(async (connection) => {
      const held = await connection
        .selectFrom('usage_packs')
        .select('rows')
        .where('kind', '=', 'site')
        .where('start', '=', hour)
        .forUpdate()
        .executeTakeFirst();
      if (held?.rows !== claim) return false;
      await work(connection);
      return true;
    });
  }
}

/** Those of an upgrade have the first. */
export const newVersion = (): number => randomInt(2, 2 ** 47);

async function replaceUsers(database: Database, rows: readonly Selectable<Schema['user_hours']>[]): Promise<void> {
  const values = rows.flatMap((row) => Object.values(row));
  const replaced = Object.fromEntries(counters.map((counter) => [counter, sql.ref(`excluded.${counter}`)]));
  await runBuilt(database, `packed user_hours ${rows.length}`, values, () =>
    database
      .insertInto('user_hours')
      .values(rows)
      .onConflict((conflict) => conflict.columns([...rollUpKeys.user_hours]).doUpdateSet(replaced)),
  );
}

export async function replacePack(database: Database, pack: NewUsagePack): Promise<void> {
  await database
    .insertInto('usage_packs')
    .values(pack)
    .onConflict((conflict) => conflict.columns(['kind', 'start']).doUpdateSet(pack))
    .execute();
}
