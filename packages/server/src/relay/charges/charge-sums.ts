import { logType } from '@headgate/contract';
import type { Charge } from './charge-writer.ts';

/** Amounts that one owner spent in a batch. */
export interface OwnerSpend {
  readonly id: number;
  readonly quota: number;
  /** Part that counts against a token limit. */
  readonly limited: number;
  /** Part that plans pay instead of the balance. */
  readonly planned: number;
  /** Part that is not logged. */
  readonly unlogged: number;
  /** Part charged to budgets; counted in full for each budget. */
  readonly budgeted: number;
  readonly requests: number;
}

/** Sums by id, sorted by id so that two nodes never deadlock on each other's rows. */
export function sumBy(charges: readonly Charge[], idOf: (charge: Charge) => number): readonly OwnerSpend[] {
  const sums = new Map<
    number,
    {
      id: number;
      quota: number;
      limited: number;
      planned: number;
      unlogged: number;
      budgeted: number;
      requests: number;
    }
  >();
  for (const charge of charges) {
    const id = idOf(charge);
    let sum = sums.get(id);
    if (!sum) {
      sum = { id, quota: 0, limited: 0, planned: 0, unlogged: 0, budgeted: 0, requests: 0 };
      sums.set(id, sum);
    }
    sum.quota += charge.quota;
    if (charge.isTokenLimited) sum.limited += charge.quota;
    if (charge.isPaidByPlan) sum.planned += charge.quota;
    sum.unlogged += charge.quota - loggedQuota(charge);
    sum.budgeted += charge.quota * (charge.budgets?.length ?? 0);
    sum.requests += 1;
  }
  return [...sums.values()].sort((one, other) => one.id - other.id);
}

/** Sums per budget period, sorted by id. */
export function sumByPeriod(charges: readonly Charge[]): readonly { readonly id: number; readonly quota: number }[] {
  const sums = new Map<number, number>();
  for (const { quota, budgets = [] } of charges)
    if (quota > 0) for (const id of budgets) sums.set(id, (sums.get(id) ?? 0) + quota);
  return [...sums].map(([id, quota]) => ({ id, quota })).sort((one, other) => one.id - other.id);
}

/** Quota of the log row. */
const loggedQuota = ({ record }: Charge): number => (record?.type === logType.consumption ? record.quota : 0);
