import { logType } from '@headgate/contract';
import type { Charge } from './charge.ts';

/** What one owner spent in a batch. */
export interface Spending {
  readonly id: number;
  readonly quota: number;
  /** What of it counts against the limit of a token. */
  readonly limited: number;
  /** What of it no log tells. */
  readonly unlogged: number;
  /** What of it was charged to budgets, to each in full. */
  readonly budgeted: number;
  readonly requests: number;
}

/** Sums by id, in the order of the ids, so that two nodes never wait for each other's rows. */
export function sumBy(charges: readonly Charge[], idOf: (charge: Charge) => number): readonly Spending[] {
  const sums = new Map<
    number,
    { id: number; quota: number; limited: number; unlogged: number; budgeted: number; requests: number }
  >();
  for (const charge of charges) {
    const id = idOf(charge);
    let sum = sums.get(id);
    if (!sum) {
      sum = { id, quota: 0, limited: 0, unlogged: 0, budgeted: 0, requests: 0 };
      sums.set(id, sum);
    }
    sum.quota += charge.quota;
    if (charge.isTokenLimited) sum.limited += charge.quota;
    sum.unlogged += charge.quota - loggedQuota(charge);
    sum.budgeted += charge.quota * (charge.budgets?.length ?? 0);
    sum.requests += 1;
  }
  return [...sums.values()].sort((one, other) => one.id - other.id);
}

/** What was charged to periods of budgets, in the order of their ids. */
export function sumByPeriod(charges: readonly Charge[]): readonly { readonly id: number; readonly quota: number }[] {
  const sums = new Map<number, number>();
  for (const { quota, budgets = [] } of charges)
    if (quota > 0) for (const id of budgets) sums.set(id, (sums.get(id) ?? 0) + quota);
  return [...sums].map(([id, quota]) => ({ id, quota })).sort((one, other) => one.id - other.id);
}

/** What the log will say of it. */
const loggedQuota = ({ record }: Charge): number => (record?.type === logType.consumption ? record.quota : 0);
