import { logType, planTag } from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import { currentTable, currentTableSql } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';

interface BalancePeriod {
  readonly userId: number;
  /** First second, the start of an hour. */
  readonly from: number;
  /** Last second, the end of an hour. */
  readonly to: number;
}

/** Current balance, with charges since the start and since the end of a period. */
export interface BalanceSnapshot {
  readonly quota: number;
  readonly credited: number;
  /** Charges of deleted logs. */
  readonly unlogged: number;
  /** True if the user has logged requests before the period. */
  readonly hasEarlier: boolean;
  readonly chargedSinceStart: number;
  readonly chargedSinceEnd: number;
  /** Usage paid for by plans. */
  readonly plannedSinceStart: number;
  readonly plannedSinceEnd: number;
}

const consumption = sql`type = ${sql.lit(logType.consumption)}`;

/** Balances of users together with their logged charges. */
export class BalanceRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A single SQL query, so the balance and charges come from the same snapshot. */
  snapshot({ userId, from, to }: BalancePeriod): Promise<BalanceSnapshot | undefined> {
    const database = this.#database;
    const hours = currentTableSql(database, 'usage_hours');
    const charged = (since: number) => sumOf(hours, sql`user_id = ${userId} and hour >= ${since}`);
    const planned = (since: number) => {
      const chosen = sql`tag = ${planTag} and user_id = ${userId} and hour >= ${since}`;
      return sql<number>`(${sumOf(sql.table('tag_hours'), chosen)} + ${sumOf(sql.table('new_tagged_logs'), chosen)})`;
    };
    return database
      .selectFrom(currentTable(database, 'users'))
      .select(['quota', 'credited', 'unlogged_quota as unlogged'])
      .select([
        charged(from).as('chargedSinceStart'),
        charged(to + 1).as('chargedSinceEnd'),
        planned(from).as('plannedSinceStart'),
        planned(to + 1).as('plannedSinceEnd'),
        sql<number>`(select count(*) from (select 1 from ${hours} where user_id = ${userId} and hour < ${from} limit 1)
          as earlier)`.as('earlier'),
      ])
      .where('id', '=', userId)
      .executeTakeFirst()
      .then((row) => {
        if (!row) return undefined;
        const { earlier, ...rest } = row;
        return { ...rest, hasEarlier: earlier > 0 };
      });
  }
}

const sumOf = (table: RawBuilder<unknown>, chosen: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select coalesce(sum(quota), 0) from ${table} where ${chosen} and ${consumption})`;
