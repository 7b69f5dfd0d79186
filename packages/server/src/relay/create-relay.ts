import type { Outcome } from '@headgate/relay';
import type { MembershipService } from '../accounts/organizations/membership-service.ts';
import type { UserService } from '../accounts/users/user-service.ts';
import type { Catalog } from '../catalog/create-catalog.ts';
import type { Prices } from '../catalog/create-prices.ts';
import type { Platform } from '../platform/create-platform.ts';
import { createStorageHealth } from '../platform/create-storage-health.ts';
import { NodeLock } from '../platform/db/node-lock.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { Records } from '../records/create-records.ts';
import type { LogService } from '../records/logs/log-service.ts';
import type { Balance } from '../records/totals/rollup-batch.ts';
import { AccountReservations } from './callers/account-reservations.ts';
import { BudgetPeriodRepository } from './callers/budget-period-repository.ts';
import { BudgetTable } from './callers/budget-table.ts';
import { CallerCache } from './callers/caller-cache.ts';
import { CallerRepository } from './callers/caller-repository.ts';
import { type Shares, singleNodeShares } from './callers/point-holder.ts';
import { RejectedRequests } from './callers/rejected-requests.ts';
import { createRemoteInFlight } from './callers/remote-in-flight.ts';
import type { ChargeWriter } from './charges/charge-writer.ts';
import { QuotaReminder } from './charges/quota-reminder.ts';
import { RunningRequests } from './clients/running-requests.ts';
import { createCharges } from './create-charges.ts';
import { createJwtVerifier } from './create-jwt-verifier.ts';
import { createLimitCounters } from './create-limit-counters.ts';
import { createPayloadLogging } from './create-payload-logging.ts';
import type { Upstreams } from './create-upstreams.ts';
import { IdleCallers, type IdleTimeouts } from './leases/idle-callers.ts';
import { LeaseExchange, withDatabaseTimeout } from './leases/lease-exchange.ts';
import { LeaseRepository } from './leases/lease-repository.ts';
import { LeaseService } from './leases/lease-service.ts';
import { leaseExpiryMs, leaseTrustMs } from './leases/lease-times.ts';
import { TrafficMirror } from './mirror/traffic-mirror.ts';
import { StorageQuota } from './payload-logging/storage-quota.ts';
import { explainRouting } from './routing/explain-routing.ts';
import { RoutingTable } from './routing/routing-table.ts';
import { buildRelay, type RelayDependencies } from './run/relay.ts';
import { StoredResponseRepository } from './stored-responses/stored-response-repository.ts';
import { StoredResponseService } from './stored-responses/stored-response-service.ts';
import { UserStorageQuota } from './stored-responses/user-storage-quota.ts';
import { UpstreamResponseRepository } from './upstream-responses/upstream-response-repository.ts';
import { UpstreamResponseService } from './upstream-responses/upstream-response-service.ts';
import type { ChannelTable } from './upstreams/channel-table.ts';

const bytesPerMegabyte = 1_000_000;

interface ResponseDependencies {
  readonly platform: Platform;
  readonly channels: ChannelTable;
  /** Waits until the charges of finished requests are stored. */
  readonly catchUp: () => Promise<void>;
}

/** Responses that clients can continue, stored by the upstream or by the gateway. */
function createResponses({ platform, channels, catchUp }: ResponseDependencies) {
  const responses = new UpstreamResponseRepository(platform.relayDatabase);
  return {
    keptResponses: new UpstreamResponseService({ responses, channels, catchUp, inTime: withDatabaseTimeout }),
    storedResponses: createStoredResponses(platform),
  };
}

function createStoredResponses({ relayDatabase, box, options, logger }: Platform): StoredResponseService {
  const responses = new StoredResponseRepository(relayDatabase);
  const room = new UserStorageQuota({
    most: () => options.values.StoredResponseMegabytes * bytesPerMegabyte,
    count: (userId) => responses.storedBytes(userId),
    trim: (userId, max) => responses.trim(userId, max),
    clock: () => performance.now(),
  });
  const total = new StorageQuota({
    most: () => options.values.StoredResponseTotalMegabytes * bytesPerMegabyte,
    count: () => responses.storedBytes(),
  });
  return new StoredResponseService({
    ...{ responses, box, room, total, options, inTime: withDatabaseTimeout, clock: nowInSeconds },
    onFailure: (error) => logger.warn({ err: error }, 'a response could not be stored or opened'),
  });
}

interface RelayAreaDependencies extends Pick<RelayDependencies, 'health' | 'metrics' | 'onUselessKey'> {
  readonly platform: Platform;
  readonly records: Records;
  readonly catalog: Catalog;
  readonly prices: Pick<Prices, 'priceBook'>;
  readonly users: UserService;
  readonly memberships: MembershipService;
  /** Name of this node in the log; empty on SQLite. */
  readonly nodeName: string;
  /** True while there are other live nodes. */
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
  readonly keptBodies?: { readonly sweepEveryMs?: number; readonly maxBytes?: number } | undefined;
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
  const rejectedRequests = createRejectedRequests(dependencies);
  const limits = await createLimitCounters({ platform, readRules: () => catalog.limitRuleRows.enabled(), hasOthers });
  const relay = buildRelay({
    ...dependencies,
    ...callers,
    ...responses,
    options,
    priceBook: dependencies.prices.priceBook,
    node: dependencies.nodeName,
    budgets: callers.budgetTable,
    jwts: createJwtVerifier(platform),
    writer,
    channels,
    routing,
    rejectedRequests,
    storage,
    inFlightElsewhere: leases && createRemoteInFlight(feed.broadcasts),
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
    rejectedRequests,
    ...responses,
    running,
    storage,
    callers: callers.callers,
    accountHolds: new AccountReservations(callers),
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
  const rejectedRequests = new RejectedRequests({
    node: nodeName,
    write: (rows) => inTransaction((transaction) => logs.recordRequests(transaction, rows)),
    onFailure: (error) => logger.error({ err: error }, 'rejected requests could not be logged'),
  });
  lifecycle.add({ name: 'rejected requests', stop: () => rejectedRequests.close() });
  return rejectedRequests;
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

function createQuotaReminder({
  platform,
  records: { logs },
  users,
  memberships,
}: RelayAreaDependencies): QuotaReminder {
  const { options, mail, homeAddress: home, logger } = platform;
  return new QuotaReminder({
    options,
    users,
    memberships,
    logs,
    mail,
    home,
    onFailure: (error) => logger.warn({ err: error }, 'a quota reminder could not be sent'),
  });
}

interface CallerDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  readonly writer: ChargeWriter;
  /** Undefined on SQLite, where one process owns all quota. */
  readonly leases: LeaseService | undefined;
}

/** Cached tokens, their users and budgets, and this node's share of each. */
function createCallers({ platform, logs, writer, leases }: CallerDependencies) {
  const { relayDatabase, feed, box } = platform;
  const shares: Shares = leases ? (owner, _, left) => leases.take(owner, left) : singleNodeShares;
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

/** Quota leases of this node; undefined on SQLite, where one process owns all quota. */
async function createNodeLeases({
  databaseUrl,
  relayDatabase,
  inRelayTransaction,
  logger,
  lifecycle,
}: Platform): Promise<LeaseService | undefined> {
  if (databaseUrl === undefined) return undefined;
  const lock = await NodeLock.open(databaseUrl, leaseTrustMs, (error) =>
    logger.warn({ err: error }, 'lost contact with the other nodes; trying again'),
  );
  const leases = new LeaseService({
    leases: new LeaseRepository(relayDatabase),
    inTransaction: inRelayTransaction,
    touch: lock,
  });
  // The first call finds unresponsive nodes. The second drops the leases of nodes that are still unresponsive.
  await leases.dropLeasesOfGoneNodes();
  const timer = setTimeout(() => leases.dropLeasesOfGoneNodes().catch(() => undefined), leaseExpiryMs).unref();
  lifecycle.add({
    name: 'quota leases',
    stop: async () => {
      clearTimeout(timer);
      // If this fails, the leases expire with the lock.
      await leases.close().catch(() => undefined);
      await lock.close();
    },
  });
  return leases;
}
