import { maxRecurringDays, type Parsed, type Plan, type planApi } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { adminEvent, type LogService } from '../../records/logs/log-service.ts';
import { requireKnownTimeZone } from '../budgets/budget-values.ts';
import type { PlanRepository, PlanRow } from './plan-repository.ts';
import { type PlanTerms, presentPlan, termsOf } from './plan-values.ts';

type Creation = Parsed<typeof planApi.create>['body'];
type Update = Parsed<typeof planApi.update>['body'];

interface PlanServiceDependencies {
  readonly plans: PlanRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  readonly now: () => number;
}

interface SoldPlan {
  readonly plan: Plan;
  readonly terms: PlanTerms;
}

/** Plans for sale. Changes do not affect plans that users already have. */
export class PlanService {
  readonly #dependencies: PlanServiceDependencies;

  constructor(dependencies: PlanServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(): Promise<Plan[]> {
    return (await this.#dependencies.plans.all()).map(presentPlan);
  }

  /** Plans for sale, with the terms that an order keeps. */
  async forSale(): Promise<SoldPlan[]> {
    const rows = await this.#dependencies.plans.all();
    return rows.flatMap((row) => {
      const plan = presentPlan(row);
      const isForSale = plan.enabled && plan.price > 0 && plan.windows.length > 0;
      return isForSale ? [{ plan, terms: termsOf(row) }] : [];
    });
  }

  async get(id: number): Promise<Plan> {
    return presentPlan(found(await this.#dependencies.plans.find(id)));
  }

  create(admin: UserRow, { windows, enabled, recurring, ...creation }: Creation): Promise<Plan> {
    const { plans, inTransaction, now } = this.#dependencies;
    requireKnownTimeZone(creation.time_zone);
    requirePeriod(recurring, creation.days);
    return inTransaction(async (transaction) => {
      const row = await plans.within(transaction).insert({
        ...creation,
        windows: JSON.stringify(windows),
        enabled: Number(enabled),
        recurring: Number(recurring),
        created_time: now(),
      });
      if (!row) throw new ApiError('planExists');
      await this.#record(transaction, admin, 'plan.created', { plan: row.name });
      return presentPlan(row);
    });
  }

  update(admin: UserRow, { id, windows, enabled, recurring, ...update }: Update): Promise<Plan> {
    if (update.time_zone !== undefined) requireKnownTimeZone(update.time_zone);
    return this.#dependencies.inTransaction(async (transaction) => {
      const plans = this.#dependencies.plans.within(transaction);
      const before = found(await plans.findLocked(id));
      await this.#dependencies.managed.rejectRow(transaction, 'plan', id);
      requirePeriod(recurring ?? before.recurring === 1, update.days ?? before.days);
      const wanted = {
        ...update,
        ...(windows !== undefined && { windows: JSON.stringify(windows) }),
        ...(enabled !== undefined && { enabled: Number(enabled) }),
        ...(recurring !== undefined && { recurring: Number(recurring) }),
      };
      const entries = Object.entries(wanted).filter(
        ([name, value]) => value !== undefined && value !== before[name as keyof PlanRow],
      );
      if (entries.length === 0) return presentPlan(before);
      const after = await plans.update(id, Object.fromEntries(entries));
      if (!after) throw new ApiError('planExists');
      const fields = entries.map(([name, value]) => `${name} ${before[name as keyof PlanRow]} → ${value}`).join(', ');
      await this.#record(transaction, admin, 'plan.updated', { plan: after.name, fields });
      return presentPlan(after);
    });
  }

  remove(admin: UserRow, id: number): Promise<void> {
    return this.#dependencies.inTransaction(async (transaction) => {
      const plans = this.#dependencies.plans.within(transaction);
      const { name } = found(await plans.findLocked(id));
      await this.#dependencies.managed.rejectRow(transaction, 'plan', id);
      await plans.remove(id);
      await this.#record(transaction, admin, 'plan.deleted', { plan: name });
    });
  }

  #record(
    transaction: Transaction,
    admin: UserRow,
    event: 'plan.created' | 'plan.updated' | 'plan.deleted',
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    return this.#dependencies.logs.record(transaction, adminEvent(admin, event, values));
  }
}

function requirePeriod(isRecurring: boolean, days: number): void {
  if (isRecurring && days > maxRecurringDays) throw new ApiError('badInput', { detail: 'days' });
}

function found(row: PlanRow | undefined): PlanRow {
  if (!row) throw new ApiError('notFound');
  return row;
}
