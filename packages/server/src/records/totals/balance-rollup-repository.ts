import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { holdsTotalsLock, withTotalsLock } from '../../platform/db/locks.ts';
import {
  deletedChangeColumns,
  type OwnerTable,
  ownerUpdates,
  sumDeletedChanges,
} from '../../platform/db/owner-tables.ts';
import type { Balance, RollupBatch } from './rollup-batch.ts';

/** Owners are locked until the statement ends, and each change may have a different owner: 2,000 changes took 0.1 s. */
const maxConcurrent = 500;

const tables = Object.keys(ownerUpdates) as OwnerTable[];

/** Skips locked rows instead of waiting; their changes are applied in a later batch. */
const freeOwners = tables.map(
  (table) => `free_${table} as materialized (select id from ${table}
    where id in (select owner_id from picked where kind = '${ownerUpdates[table].kind}')
    order by id for no key update skip locked)`,
);

/** Changes of deleted owners are removed as well. */
const isFree = tables.map(
  (table) => `when '${ownerUpdates[table].kind}' then owner_id in (select id from free_${table})
    or not exists (select from ${table} where id = owner_id)`,
);

const movedOwners = tables.map(
  (table) => `moved_${table} as (update ${table} set ${ownerUpdates[table].moves} from sums
    where sums.kind = '${ownerUpdates[table].kind}' and ${table}.id = sums.owner_id
    returning ${table}.id, ${table === 'users' ? 'users.quota' : '0'} as points_left, sums.quota - sums.planned as spent)`,
);

/** A single statement, so that an unresponsive node holds no locks. */
const statement = `${withTotalsLock},
  picked as materialized (
    select ctid as place, kind, owner_id from balance_changes where ${holdsTotalsLock} limit ${maxConcurrent}),
  ${freeOwners.join(', ')},
  taken as (delete from balance_changes where ctid = any(array(select place from picked))
    and case kind ${isFree.join(' ')} else true end returning ${deletedChangeColumns}),
  sums as (${sumDeletedChanges}),
  ${movedOwners.join(', ')}
  select null::bigint as id, (select count(*) from picked) as points_left, (select count(*) from taken) as spent, is_mine
  from mine union all select id, points_left, spent, true from moved_users`;

interface StatementRow {
  /** Null in the summary row, which contains the numbers of selected and applied changes. */
  readonly id: number | null;
  readonly points_left: number;
  readonly spent: number;
  readonly is_mine: boolean;
}

/** Applies pending changes to users, tokens and channels. PostgreSQL only. */
export class BalanceRollupRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Applies a batch of changes, unless another node is doing so. Returns the new balances of users. */
  async applyBatch(): Promise<RollupBatch & { readonly balances: readonly Balance[] }> {
    const { rows } = await this.#database.executeQuery<StatementRow>(CompiledQuery.raw(statement, []));
    const summary = rows.find(({ id }) => id === null);
    const changes = summary?.spent ?? 0;
    return {
      isMine: summary?.is_mine === true,
      changes,
      isMore: changes > 0 && (summary?.points_left ?? 0) >= maxConcurrent,
      balances: rows.flatMap(({ id, points_left, spent }) =>
        id === null ? [] : { userId: id, before: points_left + spent, left: points_left },
      ),
    };
  }

  /** Vacuums deleted rows earlier than autovacuum would. */
  async cleanUp(): Promise<void> {
    await sql`vacuum (truncate false, skip_locked) balance_changes, budget_changes, charge_groups`.execute(
      this.#database,
    );
  }
}
