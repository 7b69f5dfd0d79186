import type { Outcome } from '@headgate/relay';
import type { UserService } from '../accounts/users/user-service.ts';
import type { Catalog } from '../catalog/create-catalog.ts';
import type { Prices } from '../catalog/create-prices.ts';
import type { Platform } from '../platform/create-platform.ts';
import { createStorageHealth } from '../platform/create-storage-health.ts';
import type { Records } from '../records/create-records.ts';
import type { Balance } from '../records/totals/rollup-batch.ts';
import { RejectedRequests } from './callers/rejected-requests.ts';
import { createRemoteInFlight } from './callers/remote-in-flight.ts';
import { QuotaReminder } from './charges/quota-reminder.ts';
import { RunningRequests } from './clients/running-requests.ts';
import { createCallers } from './create-callers.ts';
import { createCharges } from './create-charges.ts';
import { createLimitCounters } from './create-limit-counters.ts';
import { createNodeLeases } from './create-node-leases.ts';
import { createPayloadLogging } from './create-payload-logging.ts';
import { createResponses } from './create-responses.ts';
import type { Upstreams } from './create-upstreams.ts';
import { IdleCallers, type IdleTimeouts } from './leases/idle-callers.ts';
import { TrafficMirror } from './mirror/traffic-mirror.ts';
import { explainRouting } from './routing/explain-routing.ts';
import { RoutingTable } from './routing/routing-table.ts';
import { buildRelay, type RelayDependencies } from './run/relay.ts';
import type { ChannelTable } from './upstreams/channel-table.ts';

interface RelayAreaDependencies extends Pick<RelayDependencies, 'health' | 'metrics' | 'onUselessKey'> {
  readonly platform: Platform;
  readonly records: Records;
  readonly catalog: Catalog;
  readonly prices: Pick<Prices, 'priceBook'>;
  readonly users: UserService;
  /** Name of this node in the log; empty on SQLite. */
  readonly nodeName: string;
  /** True while other nodes serve too. */
  readonly hasOthers: () => Promise<boolean>;
  readonly upstreams: Upstreams;
  readonly channelTable: ChannelTable;
  readonly onFinished: (outcome: Outcome) => void;
  /** Called with a user's balance after a charge. */
  readonly onSpent: (balance: Balance) => void;
  /** Called after charges to these budget periods are stored. */
  readonly onBudgets: (periods: readonly number[]) => void;
  readonly idleTimes?: IdleTimeouts | undefined;
  readonly freeBytes?: (() => Promise<number>) | undefined;
  readonly keptBodies?: { readonly sweepEveryMs?: number; readonly mostBytes?: number } | undefined;
}

export type RelayArea = Awaited<ReturnType<typeof createRelay>>;

/** Serves requests: from the client's token through the upstream to the charge. */
export async function createRelay(dependencies: RelayAreaDependencies) {
  const { platform, records, catalog, upstreams, channelTable: channels, hasOthers, keptBodies } = dependencies;
  const { options, feed } = platform;
  const { logs } = records;
  const running = new RunningRequests();
  const leases = await createNodeLeases(platform);
  const { writer, storage } = await createChargeStorage(dependencies, running);
  const routing = new RoutingTable(catalog.routing);
  await routing.load();
  const responses = createResponses({ platform, channels, catchUp: () => writer.catchUp() });
  const callers = createCallers({ platform, logs, writer, leases });
  returnIdleQuota(dependencies, { callers: callers.callers, leases, writer });
  const refusedRequests = createRejectedRequests(dependencies);
  const limits = await createLimitCounters({ platform, readRules: () => catalog.limitRuleRows.enabled(), hasOthers });
  const relay = buildRelay({
    ...dependencies,
    ...callers,
    ...responses,
    options,
    priceBook: dependencies.prices.priceBook,
    node: dependencies.nodeName,
    budgets: callers.budgetTable,
    writer,
    channels,
    routing,
    refusedRequests,
    storage,
    underWayElsewhere: leases && createRemoteInFlight(feed.broadcasts),
    keyUse: catalog.keyUse,
    limits,
  });
  feed.listen((change) => relay.onChange(change));
  const { upstreamServices } = upstreams;
  const mirror = createMirror(dependencies, relay);
  const explaining = { channels, routing, upstreamServices, options };
  return {
    relay,
    mirror,
    refusedRequests,
    ...responses,
    running,
    storage,
    callers: callers.callers,
    leases,
    writer,
    limits,
    explainRouting: (request: Parameters<typeof explainRouting>[1]) => explainRouting(explaining, request),
    ...(await createPayloadLogging({ platform, logs, storedResponses: responses.storedResponses, keptBodies })),
  };
}

/** Stores charges and monitors whether they can be stored. */
async function createChargeStorage(dependencies: RelayAreaDependencies, running: RunningRequests) {
  const { platform, freeBytes, onBudgets } = dependencies;
  const storage = createStorageHealth({ platform, freeBytes, oldestUnstoredMs: () => writer.oldestUnstoredMs });
  const reminder = createQuotaReminder(dependencies);
  const writer = await createCharges({
    platform,
    logs: dependencies.records.logs,
    running: () => running.count,
    onSpent: (balance) => {
      reminder.spent(balance);
      dependencies.onSpent(balance);
    },
    onBudgets,
    onFailure: (error) => {
      if (!storage.failed(error)) platform.logger.error({ err: error }, 'charges could not be stored; trying again');
    },
  });
  return { writer, storage };
}

function returnIdleQuota(
  { platform, idleTimes }: RelayAreaDependencies,
  holders: Pick<ConstructorParameters<typeof IdleCallers>[0], 'callers' | 'leases' | 'writer'>,
): void {
  const { feed, logger, lifecycle } = platform;
  const idleCallers = new IdleCallers({
    ...holders,
    hasOthers: () => feed.broadcasts.hasOthers,
    times: idleTimes,
    onFailure: (error) => logger.warn({ err: error }, 'idle quota leases could not be returned; trying again'),
  });
  lifecycle.add({ name: 'idle callers', start: () => idleCallers.start(), stop: () => idleCallers.close() });
}

function createRejectedRequests({ platform, records: { logs }, nodeName }: RelayAreaDependencies): RejectedRequests {
  const { inTransaction, logger, lifecycle } = platform;
  const refusedRequests = new RejectedRequests({
    node: nodeName,
    write: (rows) => inTransaction((transaction) => logs.recordRequests(transaction, rows)),
    onFailure: (error) => logger.error({ err: error }, 'rejected requests could not be logged'),
  });
  lifecycle.add({ name: 'rejected requests', stop: () => refusedRequests.close() });
  return refusedRequests;
}

function createMirror(
  { platform, records: { logs }, nodeName, upstreams, channelTable }: RelayAreaDependencies,
  { ports }: Pick<ReturnType<typeof buildRelay>, 'ports'>,
): TrafficMirror {
  const { inTransaction, options, logger, lifecycle } = platform;
  const mirror = new TrafficMirror({
    ports,
    channels: channelTable,
    upstreamServices: upstreams.upstreamServices,
    options,
    node: nodeName,
    write: (rows) => inTransaction((transaction) => logs.recordRequests(transaction, rows)),
    onFailure: (error) => logger.warn({ err: error }, 'a mirrored request failed'),
  });
  lifecycle.add({ name: 'traffic mirror', drain: () => mirror.close() });
  return mirror;
}

function createQuotaReminder({ platform, records: { logs }, users }: RelayAreaDependencies): QuotaReminder {
  const { options, mail, homeAddress: home, logger } = platform;
  return new QuotaReminder({
    options,
    users,
    logs,
    mail,
    home,
    onFailure: (error) => logger.warn({ err: error }, 'a quota reminder could not be sent'),
  });
}
