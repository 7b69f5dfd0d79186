import type { Change } from '../../platform/db/transaction.ts';
import { RouteFinder } from '../routing/route-finder.ts';
import { Admission, type AdmissionDependencies } from './admission.ts';
import { CallerInfo, type CallerInfoDependencies } from './caller-info.ts';
import { ProxyAccounting } from './proxy-accounting.ts';
import { applyRelayChange, type RelayChangesDependencies } from './relay-changes.ts';
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
