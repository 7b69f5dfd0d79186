import {
  type Budget,
  type BudgetKind,
  type BudgetPeriod,
  type budgetApi,
  logType,
  maxTagBudgets,
  type ownBudgetApi,
  type Parsed,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import {
  type OfOrganization,
  organizationBudgetPermission,
  ownTokensOf,
  type Permission,
  permissionOf,
} from './budget-permissions.ts';
import type { BudgetListing, BudgetOwner, BudgetRepository, BudgetRow } from './budget-repository.ts';
import { budgetTopic, changedBudgetColumns, ownerLabel, presentBudget, requireKnownTimeZone } from './budget-values.ts';

type Creation = Parsed<typeof budgetApi.create>['body'];
type AnyCreation = Omit<Creation, 'kind'> & { readonly kind: BudgetKind };
/** The owner of a `member` budget is the id of the membership. */
type OrganizationCreation = Omit<AnyCreation, 'group' | 'tag'>;
type OwnCreation = Parsed<typeof ownBudgetApi.create>['body'];
type Update = Parsed<typeof budgetApi.update>['body'];

interface BudgetServiceDependencies {
  readonly budgets: BudgetRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

/**
 * Admins manage budgets of groups, tags and of users and tokens with a lower role; other users manage the budgets of
 * their tokens.
 */
export class BudgetService {
  readonly #dependencies: BudgetServiceDependencies;

  constructor(dependencies: BudgetServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** The same service within a transaction. */
  within(transaction: Transaction): BudgetService {
    const budgets = this.#dependencies.budgets.within(transaction);
    return new BudgetService({ ...this.#dependencies, budgets, inTransaction: (work) => work(transaction) });
  }

  async page(listing: BudgetListing): Promise<{ rows: Budget[]; total: number }> {
    const { rows, total } = await this.#dependencies.budgets.page(listing);
    return { rows: rows.map(presentBudget), total };
  }

  async get(id: number): Promise<Budget> {
    return presentBudget(found(await this.#dependencies.budgets.find(id)));
  }

  async findById(id: number): Promise<Budget | undefined> {
    const row = await this.#dependencies.budgets.find(id);
    return row && presentBudget(row);
  }

  /** An owner has at most one budget per period. */
  idOwnedBy(owner: BudgetOwner, period: BudgetPeriod): Promise<number | undefined> {
    return this.#dependencies.budgets.idOwnedBy(owner, period);
  }

  idsNoted(note: string): Promise<number[]> {
    return this.#dependencies.budgets.idsNoted(note);
  }

  async getOwn(userId: number, id: number): Promise<Budget> {
    const own = await this.#dependencies.budgets.ofUser(userId);
    return presentBudget(found(own.find((row) => row.id === id)));
  }

  async own(userId: number): Promise<Budget[]> {
    return (await this.#dependencies.budgets.ofUser(userId)).map(presentBudget);
  }

  /** All budgets that apply to a user's requests: of the account, the tokens and the groups. */
  async applyingTo(userId: number, groups: readonly string[]): Promise<Budget[]> {
    return (await this.#dependencies.budgets.ofUser(userId, groups)).map(presentBudget);
  }

  /** Budgets of an organization, its members, projects and API tokens. */
  async ofOrganization(id: number): Promise<Budget[]> {
    return (await this.#dependencies.budgets.ofOrganization(id)).map(presentBudget);
  }

  createInOrganization(actor: UserRow, organization: OfOrganization, creation: OrganizationCreation): Promise<Budget> {
    return this.#create(actor, { ...creation, group: '', tag: '' }, organizationBudgetPermission(organization));
  }

  updateInOrganization(actor: UserRow, organization: OfOrganization, update: Update): Promise<Budget> {
    return this.#update(actor, update, organizationBudgetPermission(organization));
  }

  removeInOrganization(actor: UserRow, organization: OfOrganization, budget: number): Promise<void> {
    return this.#remove(actor, budget, organizationBudgetPermission(organization));
  }

  create(actor: UserRow, creation: Creation): Promise<Budget> {
    return this.#create(actor, creation, permissionOf(actor));
  }

  createOwn(actor: UserRow, creation: OwnCreation): Promise<Budget> {
    return this.#create(actor, { ...creation, kind: 'token', group: '', tag: '' }, ownTokensOf(actor));
  }

  update(actor: UserRow, update: Update): Promise<Budget> {
    return this.#update(actor, update, permissionOf(actor));
  }

  updateOwn(actor: UserRow, update: Update): Promise<Budget> {
    return this.#update(actor, update, ownTokensOf(actor));
  }

  remove(actor: UserRow, id: number): Promise<void> {
    return this.#remove(actor, id, permissionOf(actor));
  }

  removeOwn(actor: UserRow, id: number): Promise<void> {
    return this.#remove(actor, id, ownTokensOf(actor));
  }

  reset(actor: UserRow, id: number): Promise<Budget> {
    return this.#reset(actor, id, permissionOf(actor));
  }

  resetOwn(actor: UserRow, id: number): Promise<Budget> {
    return this.#reset(actor, id, ownTokensOf(actor));
  }

  #create(
    actor: UserRow,
    { kind, owner_id, group, tag, enabled, ...terms }: AnyCreation,
    permit: Permission,
  ): Promise<Budget> {
    requireKnownTimeZone(terms.time_zone);
    const names = { group, tag };
    const isNamed = kind === 'group' || kind === 'tag';
    const given = Object.entries(names).filter(([, name]) => name !== '');
    if (isNamed ? owner_id !== 0 || given.length !== 1 || names[kind] === '' : owner_id === 0 || given.length > 0)
      throw new ApiError('budgetOwnerUnknown');
    return this.#dependencies.inTransaction(async (transaction) => {
      const budgets = this.#dependencies.budgets.within(transaction);
      const now = nowInSeconds();
      const row = {
        ...terms,
        owner_kind: kind,
        owner_id,
        owner_group: isNamed ? names[kind] : '',
        enabled: Number(enabled),
        is_admin_set: Number(permit.isAdmin),
        created_time: now,
      };
      if (kind === 'tag' && (await budgets.countOfTags()) >= maxTagBudgets)
        throw new ApiError('tooManyTagBudgets', { max: String(maxTagBudgets) });
      const id = await budgets.insert(row);
      if (id === undefined) throw new ApiError('budgetExists');
      await budgets.beginPeriod(id, now);
      const created = await budgets.find(id);
      // Rolls back the insert when the owner does not exist.
      if (!created) throw new ApiError('budgetOwnerUnknown');
      permit.check(created);
      await this.#changed(transaction, actor, created, { event: 'budget.created', after: this.#words(created) });
      return presentBudget(created);
    });
  }

  #update(actor: UserRow, { id, ...update }: Update, permit: Permission): Promise<Budget> {
    if (update.time_zone !== undefined) requireKnownTimeZone(update.time_zone);
    return this.#change(id, permit, async (transaction, budgets, before) => {
      await this.#dependencies.managed.rejectRow(transaction, 'budget', id);
      const changed = changedBudgetColumns(before, update);
      const isTaken = permit.isAdmin && before.is_admin_set === 0 && Object.keys(changed).length > 0;
      const change = { ...changed, ...(isTaken && { is_admin_set: 1 }) };
      if (!(await budgets.update(id, change))) throw new ApiError('budgetExists');
      if (change.period !== undefined || change.time_zone !== undefined) await budgets.beginPeriod(id, nowInSeconds());
      const after = found(await budgets.find(id));
      const words = { before: this.#words(before), after: this.#words(after) };
      if (Object.keys(change).length > 0)
        await this.#changed(transaction, actor, after, { event: 'budget.updated', ...words });
      return presentBudget(after);
    });
  }

  #remove(actor: UserRow, id: number, permit: Permission): Promise<void> {
    return this.#change(id, permit, async (transaction, budgets, before) => {
      await this.#dependencies.managed.rejectRow(transaction, 'budget', id);
      await budgets.remove(id);
      await this.#changed(transaction, actor, before, { event: 'budget.deleted', before: this.#words(before) });
    });
  }

  #reset(actor: UserRow, id: number, permit: Permission): Promise<Budget> {
    return this.#change(id, permit, async (transaction, budgets, before) => {
      await budgets.beginPeriod(id, nowInSeconds());
      const used = this.#dependencies.logs.amount(presentBudget(before).used);
      await this.#changed(transaction, actor, before, { event: 'budget.reset', before: used });
      return presentBudget(found(await budgets.find(id)));
    });
  }

  #change<T>(
    id: number,
    permit: Permission,
    work: (transaction: Transaction, budgets: BudgetRepository, before: BudgetRow) => Promise<T>,
  ): Promise<T> {
    return this.#dependencies.inTransaction(async (transaction) => {
      const budgets = this.#dependencies.budgets.within(transaction);
      const before = found(await budgets.findLocked(id));
      permit.check(before);
      return work(transaction, budgets, before);
    });
  }

  /** Invalidates the budget on all nodes and writes the log entry. */
  async #changed(
    transaction: Transaction,
    actor: UserRow,
    row: BudgetRow,
    { event, ...values }: { event: 'budget.created' | 'budget.updated' | 'budget.deleted' | 'budget.reset' } & Values,
  ): Promise<void> {
    transaction.changed(budgetTopic(row));
    const { user_id, username } = row;
    const user = user_id !== null && username !== null ? { id: user_id, username } : actor;
    await this.#dependencies.logs.record(transaction, {
      type: logType.management,
      event,
      user,
      values: { user: actor.username, owner: ownerLabel(row), ...values },
    });
  }

  #words({ amount, period, time_zone, enabled, note }: BudgetRow): string {
    const parts = [this.#dependencies.logs.amount(amount), period, time_zone, enabled === 1 ? 'on' : 'off', note];
    return parts.filter((part) => part !== '').join(', ');
  }
}

interface Values {
  readonly before?: string;
  readonly after?: string;
}

function found(row: BudgetRow | undefined): BudgetRow {
  if (!row) throw new ApiError('notFound');
  return row;
}
