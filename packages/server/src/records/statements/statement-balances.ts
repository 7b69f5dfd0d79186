import type { StatementCredit } from '@headgate/contract';
import type { BalanceSnapshot } from './balance-repository.ts';

/** Balances at the start and the end of a statement. Null if they cannot be computed. */
export interface StatementBalances {
  readonly opening: number | null;
  readonly closing: number | null;
  /** Usage paid for by plans. */
  readonly planned: number;
}

interface BalanceFacts {
  readonly snapshot: BalanceSnapshot;
  /** Credits since the start of the statement until now. */
  readonly credits: readonly StatementCredit[];
  /** Last second of the statement. */
  readonly to: number;
}

/**
 * Past balances are not stored. They are computed from the current balance, by reverting the charges and credits since
 * then. This is impossible if their logs were deleted or have no amount.
 */
export function statementBalances({ snapshot, credits, to }: BalanceFacts): StatementBalances {
  const { quota, unlogged, hasEarlier, ...charges } = snapshot;
  const planned = charges.plannedSinceStart - charges.plannedSinceEnd;
  const hasAllLogs = unlogged === 0 || hasEarlier;
  if (!hasAllLogs || credits.some(({ amount }) => amount === null)) return { opening: null, closing: null, planned };
  const creditedSince = (time: number) =>
    credits.reduce((sum, credit) => (credit.time >= time ? sum + (credit.amount ?? 0) : sum), 0);
  return {
    opening: quota + charges.chargedSinceStart - charges.plannedSinceStart - creditedSince(0),
    closing: quota + charges.chargedSinceEnd - charges.plannedSinceEnd - creditedSince(to + 1),
    planned,
  };
}
