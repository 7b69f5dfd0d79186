import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isFoldMine, withFoldLock } from '../../platform/db/fold-lock.ts';
import { type OwnerTable, ownerMoves, sumsOfTaken, takenColumns } from '../../platform/db/owner-tables.ts';
import type { Balance, Folded } from './folded.ts';

/** Owners are locked until the statement ends, and each change may be of another one: two thousand took a tenth of a second. */
const mostAtOnce = 500;

const tables = Object.keys(ownerMoves) as OwnerTable[];

/** Rows that somebody is changing are left for the next time: this waits for nobody. */
const freeOwners = tables.map(
  (table) => `free_${table} as materialized (select id from ${table}
    where id in (select owner_id from picked where kind = '${ownerMoves[table].kind}')
    order by id for no key update skip locked)`,
);

/** What was added to owners that are gone goes too. */
const isFree = tables.map(
  (table) => `when '${ownerMoves[table].kind}' then owner_id in (select id from free_${table})
    or not exists (select from ${table} where id = owner_id)`,
);

const movedOwners = tables.map(
  (table) => `moved_${table} as (update ${table} set ${ownerMoves[table].moves} from sums
    where sums.kind = '${ownerMoves[table].kind}' and ${table}.id = sums.owner_id
    returning ${table}.id, ${table === 'users' ? 'users.quota' : '0'} as points_left, sums.quota as spent)`,
);

/** One statement, so that a node that falls silent meanwhile holds nothing. */
const statement = `${withFoldLock},
  picked as materialized (
    select ctid as place, kind, owner_id from balance_changes where ${isFoldMine} limit ${mostAtOnce}),
  ${freeOwners.join(', ')},
  taken as (delete from balance_changes where ctid = any(array(select place from picked))
    and case kind ${isFree.join(' ')} else true end returning ${takenColumns}),
  sums as (${sumsOfTaken}),
  ${movedOwners.join(', ')}
  select null::bigint as id, (select count(*) from picked) as points_left, (select count(*) from taken) as spent, is_mine
  from mine union all select id, points_left, spent, true from moved_users`;

interface StatementRow {
  /** Null in the row that says how many changes were looked at, and how many of them were brought in. */
  readonly id: number | null;
  readonly points_left: number;
  readonly spent: number;
  readonly is_mine: boolean;
}

/** Brings what was spent into the rows of its owners; PostgreSQL only. */
export class BalanceFoldRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Some thousand changes, unless another node is at it; and what users have left after them. */
  async fold(): Promise<Folded & { readonly balances: readonly Balance[] }> {
    const { rows } = await this.#database.executeQuery<StatementRow>(CompiledQuery.raw(statement, []));
    const summary = rows.find(({ id }) => id === null);
    const changes = summary?.spent ?? 0;
    return {
      isMine: summary?.is_mine === true,
      changes,
      isMore: changes > 0 && (summary?.points_left ?? 0) >= mostAtOnce,
      balances: rows.flatMap(({ id, points_left, spent }) =>
        id === null ? [] : { userId: id, before: points_left + spent, left: points_left },
      ),
    };
  }

  /** What was deleted makes place again, before the server comes to it by itself. */
  async cleanUp(): Promise<void> {
    await sql`vacuum (truncate false, skip_locked) balance_changes, budget_changes, charge_groups`.execute(
      this.#database,
    );
  }
}
