import { BudgetPeriodRepository } from '../relay/callers/budget-period-repository.ts';
import { BudgetTable } from '../relay/callers/budget-table.ts';
import { CallerCache } from '../relay/callers/caller-cache.ts';
import { CallerRepository } from '../relay/callers/caller-repository.ts';
import { type Shares, undivided } from '../relay/callers/share.ts';
import type { ChargeWriter } from '../relay/charges/charge-writer.ts';
import { LeaseExchange } from '../relay/leases/lease-exchange.ts';
import type { CoreServices } from './core-services.ts';
import type { NodeLeases } from './node-leases.ts';

/** Tokens, their owners and their budgets in memory, and what this node may spend of each. */
export function makeCallerServices(core: CoreServices, writer: ChargeWriter, nodeLeases: NodeLeases | undefined) {
  const leases = nodeLeases?.leases;
  const shares: Shares = leases ? (owner, _, left) => leases.take(owner, left) : undivided;
  const budgetTable = new BudgetTable({
    rows: new BudgetPeriodRepository(core.relayDatabase),
    writer,
    shares,
    giveBack: async (owner) => leases?.keep(owner, 0),
    amount: (points) => core.logs.amount(points),
  });
  const callers = new CallerCache(new CallerRepository(core.relayDatabase), writer, {
    shares,
    budgets: budgetTable,
    broadcasts: core.feed.broadcasts,
  });
  const exchange = leases && new LeaseExchange({ leases, callers, writer });
  return { budgetTable, callers, exchange };
}
