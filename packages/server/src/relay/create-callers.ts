import type { Platform } from '../platform/create-platform.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BudgetPeriodRepository } from './callers/budget-period-repository.ts';
import { BudgetTable } from './callers/budget-table.ts';
import { CallerCache } from './callers/caller-cache.ts';
import { CallerRepository } from './callers/caller-repository.ts';
import { type Shares, undividedShares } from './callers/point-holder.ts';
import type { ChargeWriter } from './charges/charge-writer.ts';
import { LeaseExchange } from './leases/lease-exchange.ts';
import type { LeaseService } from './leases/lease-service.ts';

interface CallerDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  readonly writer: ChargeWriter;
  /** Undefined on SQLite, where one process owns all quota. */
  readonly leases: LeaseService | undefined;
}

/** Cached tokens, their users and budgets, and this node's share of each. */
export function createCallers({ platform, logs, writer, leases }: CallerDependencies) {
  const { relayDatabase, feed, box } = platform;
  const shares: Shares = leases ? (owner, _, left) => leases.take(owner, left) : undividedShares;
  const budgetTable = new BudgetTable({
    rows: new BudgetPeriodRepository(relayDatabase),
    writer,
    shares,
    giveBack: async (owner) => leases?.reduceTo(owner, 0),
    amount: (points) => logs.amount(points),
  });
  const callers = new CallerCache(new CallerRepository(relayDatabase, box), writer, {
    shares,
    budgets: budgetTable,
    broadcasts: feed.broadcasts,
  });
  const exchange = leases && new LeaseExchange({ leases, callers, writer });
  return { budgetTable, callers, exchange };
}
