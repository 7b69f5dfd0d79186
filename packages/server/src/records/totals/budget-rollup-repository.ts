import { CompiledQuery } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { holdsTotalsLock, withTotalsLock } from '../../platform/db/locks.ts';
import type { RollupBatch } from './rollup-batch.ts';

const maxConcurrent = 2000;

/** A single statement that skips locked rows, like the one for balances. */
const statement = `${withTotalsLock},
  picked as materialized (
    select ctid as place, period_id from budget_changes where ${holdsTotalsLock} limit ${maxConcurrent}),
  free_periods as materialized (select id from budget_periods where id in (select period_id from picked)
    order by id for no key update skip locked),
  taken as (delete from budget_changes where ctid = any(array(select place from picked))
    and period_id in (select id from free_periods) returning period_id, quota),
  sums as (select period_id, sum(quota)::bigint as quota from taken group by period_id),
  moved as (update budget_periods set used = used + sums.quota from sums where id = sums.period_id returning id)
  select null::bigint as id, (select count(*) from picked) as picked, (select count(*) from taken) as taken, is_mine
  from mine union all select id, 0, 0, true from moved`;

interface StatementRow {
  /** Null in the summary row, which contains the numbers of selected and applied changes. */
  readonly id: number | null;
  readonly picked: number;
  readonly taken: number;
  readonly is_mine: boolean;
}

/** Applies pending changes to budget periods. PostgreSQL only. */
export class BudgetRollupRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Applies a batch of changes, unless another node is doing so. Returns the changed periods. */
  async applyBatch(): Promise<RollupBatch & { readonly periods: readonly number[] }> {
    const { rows } = await this.#database.executeQuery<StatementRow>(CompiledQuery.raw(statement, []));
    const summary = rows.find(({ id }) => id === null);
    const changes = summary?.taken ?? 0;
    return {
      isMine: summary?.is_mine === true,
      changes,
      isMore: changes > 0 && (summary?.picked ?? 0) >= maxConcurrent,
      periods: rows.flatMap(({ id }) => id ?? []),
    };
  }
}
