import { defaultOptions, options, type PriceSource, priceParts, priceUnits } from '@headgate/contract';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { isOneOf } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { PriceEntry } from './price-entries.ts';

export type PriceRow = Selectable<Schema['prices']>;
export type PriceChangeRow = Selectable<Schema['price_changes']>;

export interface StoredPrices {
  readonly rows: readonly PriceRow[];
  /** Points per dollar at the time of reading. */
  readonly quotaPerUnit: number;
}

/** Author and source of a price change. */
export interface PriceAuthor {
  readonly username: string;
  readonly source: PriceSource;
}

/** Limited by the number of values per statement. */
const rowsAtOnce = 500;

/** Row of `meta` with the time of the last update from a price list. */
const updateKey = 'prices_updated';
/** Larger than the difference between the clocks of nodes, in seconds. */
const clockTolerance = 3600;

/** Saved prices, their history, and the number of channels per model. */
export class PriceRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): PriceRepository {
    return new PriceRepository(transaction.database);
  }

  /** One statement, so that prices and the quota per dollar are consistent. Unreadable rows are skipped. */
  async stored(): Promise<StoredPrices> {
    const { rows } = await sql<(PriceRow | { id: null }) & { rate: string | null }>`
      select rate.value as rate, prices.*
      from (select (select value from options where key = 'QuotaPerUnit') as value) as rate
      left join prices on 1 = 1
      order by prices.id`.execute(this.#database);
    const rate = options.QuotaPerUnit.schema.safeParse(rows[0]?.rate ?? '');
    return {
      rows: rows.flatMap(({ rate: _, ...row }) => (isReadable(row) ? [row as PriceRow] : [])),
      quotaPerUnit: rate.success ? rate.data : defaultOptions.QuotaPerUnit,
    };
  }

  /** Stores the differences with their history; returns the names of the models. */
  async replace(before: readonly PriceRow[], after: readonly PriceEntry[], author: PriceAuthor): Promise<Set<string>> {
    const old = new Map(before.map((row) => [keyOf(row), row]));
    const kept = new Set(after.map(keyOf));
    const changed = after.filter((entry) => !isSame(old.get(keyOf(entry)), entry));
    const removed = before.filter((row) => !kept.has(keyOf(row)));
    const time = nowInSeconds();
    await this.#remove(removed.map(({ id }) => id));
    await this.#store(changed, author, time);
    await this.#recordChanges(
      [
        ...removed.map((row) => ({ ...whatOf(row), ...oldOf(row), amount: null, currency: null })),
        ...changed.map((entry) => ({ ...whatOf(entry), ...oldOf(old.get(keyOf(entry))) })),
      ].map((change) => ({ ...change, source: author.source, changed_time: time, changed_by: author.username })),
    );
    return new Set([...removed, ...changed].map(({ model }) => model));
  }

  /** Price history of a model, oldest first. */
  changesOf(model: string): Promise<PriceChangeRow[]> {
    return this.#database.selectFrom('price_changes').selectAll().where('model', '=', model).orderBy('id').execute();
  }

  /** Number of enabled channels per model. */
  async channelsByModel(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database
      .selectFrom('abilities')
      .select(['model', sql<number | string>`count(distinct channel_id)`.as('channels')])
      .where('enabled', '=', 1)
      .groupBy('model')
      .execute();
    return new Map(rows.map(({ model, channels }) => [model, Number(channels)]));
  }

  /**
   * Records the time of an update and returns true if the last one was at least `interval` seconds ago, or was recorded
   * before the clock was set back.
   */
  async claimUpdate(now: number, interval: number): Promise<boolean> {
    const { rows } = await sql<{ key: string }>`
      insert into meta (key, value) values (${updateKey}, ${String(now)})
      on conflict (key) do update set value = excluded.value
      where cast(meta.value as bigint) <= ${now - interval} or cast(meta.value as bigint) > ${now + clockTolerance}
      returning key`.execute(this.#database);
    return rows.length > 0;
  }

  async #remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#database
      .deleteFrom('prices')
      .where(isOneOf(this.#database, 'id', ids))
      .execute();
  }

  async #store(entries: readonly PriceEntry[], { username, source }: PriceAuthor, time: number): Promise<void> {
    for (const part of inParts(entries)) {
      await this.#database
        .insertInto('prices')
        .values(part.map((entry) => ({ ...whatOf(entry), source, updated_time: time, updated_by: username })))
        .onConflict((conflict) =>
          conflict.columns(['model', 'part']).doUpdateSet((excluded) => ({
            unit: excluded.ref('excluded.unit'),
            amount: excluded.ref('excluded.amount'),
            currency: excluded.ref('excluded.currency'),
            source: excluded.ref('excluded.source'),
            updated_time: excluded.ref('excluded.updated_time'),
            updated_by: excluded.ref('excluded.updated_by'),
          })),
        )
        .execute();
    }
  }

  async #recordChanges(changes: readonly Omit<PriceChangeRow, 'id'>[]): Promise<void> {
    for (const part of inParts(changes)) await this.#database.insertInto('price_changes').values(part).execute();
  }
}

/** False for rows of a later version or with invalid values; like unreadable options, they are ignored. */
const isReadable = (row: object): boolean => readableRow.safeParse(row).success;

const readableRow = z.object({
  model: z.string(),
  part: z.enum(priceParts),
  unit: z.enum(Object.keys(priceUnits)),
  amount: z
    .string()
    .regex(/^\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?$/)
    .refine((text) => Number.isFinite(Number(text))),
  currency: z.enum(['USD', 'ratio']),
});

const keyOf = ({ model, part }: PriceEntry): string => `${part} ${model}`;

const whatOf = ({ model, part, unit, amount, currency }: PriceEntry): PriceEntry => ({
  model,
  part,
  unit,
  amount,
  currency,
});

const oldOf = (entry: PriceEntry | undefined) => ({
  old_amount: entry?.amount ?? null,
  old_currency: entry?.currency ?? null,
});

const isSame = (one: PriceEntry | undefined, other: PriceEntry): boolean =>
  one?.amount === other.amount && one.currency === other.currency && one.unit === other.unit;

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce);
}
