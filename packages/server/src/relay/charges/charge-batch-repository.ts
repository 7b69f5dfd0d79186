import { randomInt } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { logColumns } from '../../records/logs/log-values.ts';
import { upstreamResponseRetentionSeconds } from '../upstream-responses/upstream-response-repository.ts';
import { type OwnerSpend, sumBy, sumByPeriod } from './charge-sums.ts';
import { type Charge, isPermanentlyRejected } from './charge-writer.ts';

/** Longer than any process retries a commit with an unknown outcome. */
export const batchRetentionDays = 30;

/** Batch number that is never committed; real batches start at 1. */
const probeNumber = 0;

/**
 * Batches of charges on PostgreSQL, where the outcome of a commit may be unknown. The statement that stores a batch
 * also writes the batch's row, so either both exist or neither, even if a crashed server lost its last commits.
 * Transaction ids cannot prove this, because they are reused.
 */
export class ChargeBatchRepository {
  readonly #database: Database;
  /** Distinguishes this process's batches from those of other processes. */
  readonly writer: number;

  constructor(database: Database, writer = randomInt(2 ** 48 - 1)) {
    this.#database = database;
    this.writer = writer;
  }

  /** Does nothing if the batch is already stored. */
  async store(number: number, charges: readonly Charge[]): Promise<void> {
    const { text, values } = groupStatement(this.writer, number, charges);
    await this.#database.executeQuery(CompiledQuery.raw(text, values));
  }

  /** Returns false if the database rejects the content of a charge. Stores nothing. */
  async accepts(charge: Charge): Promise<boolean> {
    const transaction = await this.#database.startTransaction().execute();
    try {
      await new ChargeBatchRepository(transaction, this.writer).store(probeNumber, [charge]);
      return true;
    } catch (error) {
      if (!isPermanentlyRejected(error)) throw error;
      return false;
    } finally {
      await transaction.rollback().execute();
    }
  }

  /** Deletes earlier batches, which are no longer looked up. */
  async forgetBefore(number: number): Promise<void> {
    await sql`delete from charge_groups where writer = ${this.writer} and number < ${number}`.execute(this.#database);
  }

  /** Deletes batches of processes that did not shut down cleanly. */
  async forgetOld(): Promise<void> {
    await sql`delete from charge_groups
      where stored_time < extract(epoch from now() - make_interval(days => ${batchRetentionDays}))`.execute(
      this.#database,
    );
  }
}

/** Rows for one table as a single parameter, so that the number of parameters does not depend on the batch size. */
interface Part {
  readonly name: string;
  readonly rows: readonly object[];
}

interface Columns {
  readonly table: string;
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** SQL that follows the selected rows. */
  readonly end?: string;
}

const logTexts: readonly string[] = [
  ...(['content', 'username', 'token_name', 'model_name', 'request_id', 'detail', 'ended_by'] as const),
  ...(['group', 'reason', 'node'] as const),
] satisfies (typeof logColumns)[number][];

const tables: Readonly<Record<string, Columns>> = {
  logs: {
    table: 'logs',
    numbers: logColumns.filter((column) => !logTexts.includes(column)),
    texts: logTexts,
  },
  balances: {
    table: 'balance_changes',
    numbers: ['owner_id', 'quota', 'limited', 'planned', 'unlogged', 'budgeted', 'requests', 'used_time'],
    texts: ['kind'],
  },
  budgets: { table: 'budget_changes', numbers: ['period_id', 'quota'], texts: [] },
  // An id that another channel already issued to the same user stays with that channel.
  kept: {
    table: 'kept_responses',
    numbers: ['user_id', 'channel_id', 'key_id', 'tokens', 'attached_tokens', 'item_tokens', 'expires_time'],
    texts: ['response_id'],
    end: `on conflict (user_id, response_id) do update set channel_id = excluded.channel_id, key_id = excluded.key_id, tokens = excluded.tokens,
      attached_tokens = excluded.attached_tokens, item_tokens = excluded.item_tokens, expires_time = excluded.expires_time
      where kept_responses.channel_id = excluded.channel_id or kept_responses.expires_time <= extract(epoch from now())
      returning user_id, response_id`,
  },
  items: {
    table: 'kept_items',
    numbers: ['user_id', 'expires_time'],
    texts: ['item_id', 'response_id'],
    end: `and (user_id, response_id) in (select user_id, response_id from added_kept)
      on conflict (user_id, item_id) do update set response_id = excluded.response_id, expires_time = excluded.expires_time
      where kept_items.expires_time <= extract(epoch from now())`,
  },
};

const texts = new Map<string, string>();

/**
 * Statement that stores a batch of charges unless it is already stored. A single statement, and therefore a single
 * transaction.
 */
function groupStatement(writer: number, number: number, charges: readonly Charge[]) {
  const parts = partsOf(charges).filter(({ rows }) => rows.length > 0);
  const name = parts.map((part) => part.name).join(' ');
  const text = texts.get(name) ?? textOf(parts);
  texts.set(name, text);
  return { text, values: [writer, number, ...parts.map(({ rows }) => JSON.stringify(rows))] };
}

function partsOf(charges: readonly Charge[]): readonly Part[] {
  const records = charges.flatMap(({ record }) => record ?? []);
  const { kept, items } = storedResponseRows(charges);
  return [
    { name: 'logs', rows: records },
    { name: 'kept', rows: kept },
    { name: 'items', rows: items },
    { name: 'budgets', rows: sumByPeriod(charges).map(({ id, quota }) => ({ period_id: id, quota })) },
    // Must be the last part of the statement, because it is never empty: every charge has a payer.
    { name: 'balances', rows: balanceRows(charges) },
  ];
}

/**
 * The first insert waits for an earlier attempt that is still open, so at most one is committed. The last insert is
 * the main statement and returns no rows, which saves the driver from describing and parsing a result.
 */
function textOf(parts: readonly Part[]): string {
  const insertions = parts.map(({ name }, index) => ({ name, text: insertion(name, index + 3) }));
  const last = insertions.pop();
  return [
    `with stored as (insert into charge_groups (writer, number) values ($1, $2) on conflict do nothing returning number)`,
    ...insertions.map(({ name, text }) => `added_${name} as (${text})`),
  ]
    .join(',\n')
    .concat('\n', last?.text ?? '');
}

function insertion(name: string, value: number): string {
  const { table, numbers, texts: words, end = '' } = tables[name] ?? { table: name, numbers: [], texts: [] };
  const columns = [...numbers, ...words].map((column) => `"${column}"`);
  const typed = columns.map((column, index) => `${column} ${index < numbers.length ? 'bigint' : 'text'}`);
  return `insert into ${table} (${columns.join(', ')})
    select ${columns.join(', ')} from json_to_recordset($${value}::json) as given (${typed.join(', ')})
    where exists (select from stored) ${end}`;
}

function balanceRows(charges: readonly Charge[]): readonly object[] {
  const used_time = nowInSeconds();
  const rowOf =
    (kind: 'user' | 'token' | 'channel') =>
    ({ id, ...spending }: OwnerSpend) => ({ kind, owner_id: id, used_time, ...spending });
  const delivered = charges.filter(({ channel }) => channel !== 0);
  return [
    ...sumBy(charges, ({ user }) => user).map(rowOf('user')),
    ...sumBy(charges, ({ token }) => token).map(rowOf('token')),
    ...sumBy(delivered, ({ channel }) => channel).map(rowOf('channel')),
  ];
}

/**
 * Each response and item only once, because a statement cannot write a row twice: the last state of a response, the
 * first state of an item.
 */
function storedResponseRows(charges: readonly Charge[]) {
  const kept = new Map<string, { readonly channel_id: number }>();
  const items = new Map<string, object>();
  const expires_time = nowInSeconds() + upstreamResponseRetentionSeconds;
  for (const { kept: response } of charges) {
    if (!response) continue;
    const { user: user_id, id: response_id, channel: channel_id, key: key_id, tokens } = response;
    const name = `${user_id} ${response_id}`;
    if ((kept.get(name)?.channel_id ?? channel_id) !== channel_id) continue;
    const { attachedTokens: attached_tokens, itemTokens: item_tokens } = response;
    const row = { user_id, response_id, channel_id, key_id, tokens, attached_tokens, item_tokens, expires_time };
    kept.set(name, row);
    for (const item_id of response.items) {
      const item = { user_id, item_id, response_id, expires_time };
      if (!items.has(`${user_id} ${item_id}`)) items.set(`${user_id} ${item_id}`, item);
    }
  }
  return { kept: [...kept.values()], items: [...items.values()] };
}
