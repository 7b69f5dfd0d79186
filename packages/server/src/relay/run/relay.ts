import type { Change } from '../../platform/db/transaction.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { type BudgetTable, parseBudgetOwner } from '../callers/budget-table.ts';
import type { CallerCache } from '../callers/caller-cache.ts';
import type { LeaseExchange } from '../leases/lease-exchange.ts';
import { RouteFinder } from '../routing/route-finder.ts';
import type { RoutingTable } from '../routing/routing-table.ts';
import type { ChannelTable } from '../upstreams/channel-table.ts';
import { Admission, type AdmissionDependencies } from './admission.ts';
import { CallerInfo, type CallerInfoDependencies } from './caller-info.ts';
import { ProxyAccounting } from './proxy-accounting.ts';
import { createRelayPorts, type RelayPortsDependencies } from './relay-ports.ts';
import { Settlement, type SettlementDependencies } from './settlement.ts';

export type RelayDependencies = AdmissionDependencies &
  CallerInfoDependencies &
  RelayChangesDependencies &
  RelayPortsDependencies &
  SettlementDependencies;

export type Relay = ReturnType<typeof buildRelay>;

/** The parts of the relay used by its HTTP routes. */
export function buildRelay(dependencies: RelayDependencies) {
  const routes = new RouteFinder({
    channels: dependencies.channels,
    routing: dependencies.routing,
    hasSuffixes: () => dependencies.options.values.ReasoningSuffixesEnabled,
  });
  const admission = new Admission(dependencies);
  const settlement = new Settlement(dependencies);
  return {
    routes,
    admission,
    ports: createRelayPorts(dependencies, routes, settlement),
    info: new CallerInfo(dependencies, routes),
    proxies: new ProxyAccounting(admission, settlement),
    onChange: (change: Change) => applyRelayChange(dependencies, change),
  };
}

interface RelayChangesDependencies {
  readonly callers: CallerCache;
  readonly budgets: BudgetTable;
  readonly channels: ChannelTable;
  readonly routing: RoutingTable;
  readonly options: Pick<OptionService, 'load'>;
  /** Undefined if a single process owns all quota. */
  readonly exchange: LeaseExchange | undefined;
}

/** Reloads the cached state affected by a change. */
async function applyRelayChange(dependencies: RelayChangesDependencies, change: Change): Promise<void> {
  const { callers, budgets, channels, routing, exchange, options } = dependencies;
  const [kind, id] = change.split(':');
  if (kind === 'token' || kind === 'user') {
    await callers.refresh(kind, Number(id));
    exchange?.lookAgain({ kind, id: Number(id) });
  } else if (kind === 'budget') {
    const holders = await budgets.refresh(parseBudgetOwner(change.slice(kind.length + 1)));
    for (const holder of holders) exchange?.lookAgain({ kind, id: holder.id });
  } else if (kind === 'channel' || kind === 'channels') await channels.load();
  else if (kind === 'options') {
    // Listeners run in parallel, so the options may not be loaded yet.
    await options.load();
    await channels.loadWithTagRules();
  } else if (kind === 'routing') await routing.load();
  else if (kind === 'everything') {
    await options.load();
    await Promise.all([callers.refreshAll(), channels.load(), routing.load()]);
  } else await exchange?.onChange(change);
}
