import { type BudgetKind, type BudgetPeriod, budgetKinds, budgetPeriods, userStatus } from '@headgate/contract';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { containsText, type PageRequest, parseId } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export interface BudgetListing extends PageRequest {
  readonly kind?: BudgetKind | undefined;
  readonly owner_id?: number | undefined;
  readonly keyword: string;
  readonly sort?: 'id' | 'amount' | 'used' | 'period' | 'created_time' | undefined;
  readonly direction: 'asc' | 'desc';
}

interface NewBudget {
  readonly owner_kind: BudgetKind;
  readonly owner_id: number;
  readonly owner_group: string;
  readonly amount: number;
  readonly period: BudgetPeriod;
  readonly time_zone: string;
  readonly enabled: number;
  readonly note: string;
  readonly is_admin_set: number;
  readonly created_time: number;
}

/** A token or user by id, or a group or tag by name. */
export type BudgetOwner = Pick<NewBudget, 'owner_kind' | 'owner_id' | 'owner_group'>;

export type BudgetChange = Partial<
  Pick<NewBudget, 'amount' | 'period' | 'time_zone' | 'enabled' | 'note' | 'is_admin_set'>
>;

const columns = {
  id: 'budgets.id',
  amount: 'amount',
  used: 'budget_periods.used',
  period: 'period',
  created_time: 'budgets.created_time',
} as const satisfies Record<NonNullable<BudgetListing['sort']>, string>;

type StoredBudget = Selectable<Schema['budgets']>;
type OrNull<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/**
 * A budget with the names of its owner and the usage of its latest period. Written out, because the linter infers it
 * slowly from the query.
 */
export type BudgetRow = Pick<
  StoredBudget,
  'id' | 'owner_id' | 'owner_group' | 'amount' | 'time_zone' | 'enabled' | 'note' | 'is_admin_set' | 'created_time'
> &
  OrNull<Pick<Selectable<Schema['users']>, 'username' | 'role'>> &
  OrNull<Pick<Selectable<Schema['budget_periods']>, 'start_time' | 'used'>> & {
    readonly owner_kind: BudgetKind;
    readonly period: BudgetPeriod;
    readonly token_name: string | null;
    readonly project_name: string | null;
    readonly member_name: string | null;
    readonly user_id: number | null;
  };

type BudgetQuery = SelectQueryBuilder<Schema, 'budgets' | 'tokens' | 'users' | 'projects', BudgetRow>;

/** Budgets with their owners' names and the usage of their latest periods. */
export class BudgetRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): BudgetRepository {
    return new BudgetRepository(transaction.database);
  }

  async page({ p, size, ...listing }: BudgetListing): Promise<{ rows: BudgetRow[]; total: number }> {
    const chosen = this.#filtered(listing);
    const { total } = await chosen
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const { sort = 'id', direction } = listing;
    const rows = await chosen
      .orderBy(sql.ref(columns[sort]), listing.sort ? direction : 'desc')
      .orderBy('budgets.id', 'desc')
      .limit(size)
      .offset(p * size)
      .execute();
    return { rows, total };
  }

  /** Budgets of the user's account, tokens and groups. */
  ofUser(userId: number, groups: readonly string[] = []): Promise<BudgetRow[]> {
    return this.#all()
      .where((where) =>
        where.or([
          where.and([where('owner_kind', '=', 'user'), where('owner_id', '=', userId)]),
          where('tokens.user_id', '=', userId),
          ...(groups.length > 0
            ? [where.and([where('owner_kind', '=', 'group'), where('owner_group', 'in', groups)])]
            : []),
        ]),
      )
      .orderBy('budgets.id', 'desc')
      .execute();
  }

  /** Budgets of an organization, its members, projects and API tokens. */
  ofOrganization(id: number): Promise<BudgetRow[]> {
    return this.#all().where('users.id', '=', id).orderBy('budgets.id', 'desc').execute();
  }

  find(id: number): Promise<BudgetRow | undefined> {
    return this.#all().where('budgets.id', '=', id).executeTakeFirst();
  }

  async idOwnedBy(
    { owner_kind, owner_id, owner_group }: BudgetOwner,
    period: BudgetPeriod,
  ): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('budgets')
      .select('id')
      .where('owner_kind', '=', owner_kind)
      .where('owner_id', '=', owner_id)
      .where('owner_group', '=', owner_group)
      .where('period', '=', period)
      .executeTakeFirst();
    return row?.id;
  }

  async idsNoted(note: string): Promise<number[]> {
    const rows = await this.#database
      .selectFrom('budgets')
      .select('id')
      .where('note', '=', note)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async countOfTags(): Promise<number> {
    const { count } = await this.#database
      .selectFrom('budgets')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_kind', '=', 'tag')
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Locks the budget until the transaction ends. */
  async findLocked(id: number): Promise<BudgetRow | undefined> {
    await this.#database.selectFrom('budgets').select('id').where('id', '=', id).forUpdate().execute();
    return this.find(id);
  }

  /** Undefined when the owner already has a budget for this period. */
  async insert(row: NewBudget): Promise<number | undefined> {
    const inserted = await this.#database
      .insertInto('budgets')
      .values(row)
      .onConflict((conflict) => conflict.columns(['owner_kind', 'owner_id', 'owner_group', 'period']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return inserted?.id;
  }

  /** False when the owner has another budget for this period; the transaction must then be rolled back. */
  async update(id: number, change: BudgetChange): Promise<boolean> {
    if (Object.keys(change).length === 0) return true;
    try {
      await this.#database.updateTable('budgets').set(change).where('id', '=', id).execute();
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Period rows are kept, because the ledger refers to them. */
  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('budgets').where('id', '=', id).execute();
  }

  /** Starts a period at this second, or at the first later second at which no other period starts. */
  async beginPeriod(id: number, now: number): Promise<void> {
    const last = await this.#database
      .selectFrom('budget_periods')
      .select('start_time')
      .where('budget_id', '=', id)
      .orderBy('start_time', 'desc')
      .limit(1)
      .executeTakeFirst();
    const start_time = Math.max(now, (last?.start_time ?? 0) + 1);
    await this.#database.insertInto('budget_periods').values({ budget_id: id, start_time }).execute();
  }

  #filtered({ kind, owner_id, keyword }: Pick<BudgetListing, 'kind' | 'owner_id' | 'keyword'>) {
    let query = this.#all();
    if (kind) query = query.where('owner_kind', '=', kind);
    if (owner_id !== undefined) query = query.where('owner_id', '=', owner_id);
    if (keyword === '') return query;
    return query.where((where) =>
      where.or([
        where('budgets.id', '=', parseId(keyword) ?? -1),
        containsText(where, 'budgets.note', keyword),
        containsText(where, 'budgets.owner_group', keyword),
        containsText(where, 'tokens.name', keyword),
        containsText(where, 'projects.name', keyword),
        containsText(where, 'users.username', keyword),
      ]),
    );
  }

  /** Skips budgets of deleted owners, and budget kinds added by a later version. */
  #all(): BudgetQuery {
    return this.#database
      .selectFrom('budgets')
      .leftJoin('tokens', (join) =>
        join.onRef('tokens.id', '=', 'budgets.owner_id').on('budgets.owner_kind', '=', 'token'),
      )
      .leftJoin('organization_members', (join) =>
        join.onRef('organization_members.id', '=', 'budgets.owner_id').on('budgets.owner_kind', '=', 'member'),
      )
      .leftJoin('projects', (join) =>
        join.onRef('projects.id', '=', 'budgets.owner_id').on('budgets.owner_kind', '=', 'project'),
      )
      .leftJoin('users', (join) =>
        join.on(
          sql<boolean>`users.id = case when owner_kind = 'user' then owner_id
              else coalesce(tokens.user_id, organization_members.organization_id, projects.organization_id) end
            and users.status <> ${sql.lit(userStatus.deleted)}`,
        ),
      )
      .leftJoin(currentTable(this.#database, 'budget_periods'), (join) =>
        join.on(
          'budget_periods.id',
          '=',
          sql<number>`(select latest.id from budget_periods as latest where latest.budget_id = budgets.id
            order by latest.start_time desc limit 1)`,
        ),
      )
      .where((where) => where.or([where('owner_kind', 'in', ['group', 'tag']), where('users.id', 'is not', null)]))
      .where('owner_kind', 'in', budgetKinds)
      .where('period', 'in', budgetPeriods)
      .select([
        ...(['budgets.id', 'owner_kind', 'owner_id', 'owner_group', 'amount', 'period', 'time_zone'] as const),
        ...([
          'enabled',
          'budgets.note',
          'is_admin_set',
          'budgets.created_time',
          'tokens.name as token_name',
          'users.username',
        ] as const),
        'projects.name as project_name',
        ...(['users.id as user_id', 'users.role', 'start_time', 'budget_periods.used'] as const),
      ])
      .select((select) =>
        select
          .selectFrom('users as person')
          .select('person.username')
          .whereRef('person.id', '=', 'organization_members.user_id')
          .as('member_name'),
      )
      .$narrowType<{ owner_kind: BudgetKind; period: BudgetPeriod }>();
  }
}
