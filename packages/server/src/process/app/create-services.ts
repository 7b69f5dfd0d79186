import { isPriced } from '@headgate/relay';
import { type Accounts, createAccountsModule } from '../../accounts/create-accounts-module.ts';
import { createBudgetNotifications } from '../../accounts/create-budget-notifications.ts';
import { createPayments } from '../../accounts/create-payments.ts';
import type { WithReservedPoints } from '../../accounts/organizations/organization-service.ts';
import type { ChannelFailureDetails } from '../../catalog/channels/channel-health-service.ts';
import { createCatalog } from '../../catalog/create-catalog.ts';
import { createChannelMonitoring } from '../../catalog/create-channel-monitoring.ts';
import { createPrices } from '../../catalog/create-prices.ts';
import { type Config, programVersion } from '../../config.ts';
import { createObservability, type Observability } from '../../observability/create-observability.ts';
import { joinNodes } from '../../observability/nodes/join-nodes.ts';
import type { NodeService } from '../../observability/nodes/node-service.ts';
import { createPlatform, type Platform } from '../../platform/create-platform.ts';
import type { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import { createRecords, type Records } from '../../records/create-records.ts';
import { rejectionReasonOf } from '../../relay/callers/rejection-reason.ts';
import { createRelay, type RelayArea } from '../../relay/create-relay.ts';
import { createUpstreams } from '../../relay/create-upstreams.ts';
import { createPayloadCleaner, createUserData } from '../../relay/create-user-data.ts';
import { ChannelTable } from '../../relay/upstreams/channel-table.ts';
import { failureReasonOf } from '../../relay/upstreams/failure-reason.ts';
import { serveApplies } from '../../settings/apply-socket.ts';
import { gatewaySecrets } from '../../settings/config-file-commands.ts';
import { createSettings } from '../../settings/create-settings.ts';
import type { AppDependencies } from './app-dependencies.ts';

const seconds = (ms: number): string => String(ms / 1000);
const megabytes = (bytes: number): string => String(bytes / (1024 * 1024));

/** Environment settings that need a restart to change, by variable name; without secrets. */
const restartSettings = (config: Config): Readonly<Record<string, string>> => ({
  API_RATE_LIMIT: String(config.rateLimits.api.most),
  BODY_BUDGET_MB: megabytes(config.bodies.budget),
  CRITICAL_RATE_LIMIT: String(config.rateLimits.critical.most),
  ...(config.databaseUrl !== undefined && {
    DATABASE_IDLE_SECONDS: seconds(config.databaseLimits.idleMs),
    DATABASE_LOCK_SECONDS: seconds(config.databaseLimits.lockMs),
    DATABASE_STATEMENT_SECONDS: seconds(config.databaseLimits.statementMs),
    DATABASE_WAIT_SECONDS: seconds(config.databaseWaitMs),
  }),
  LOGIN_RATE_LIMIT: String(config.rateLimits.loginAccount.most),
  LOG_LEVEL: config.logLevel,
  MAX_BODY_MB: megabytes(config.bodies.maxBytes),
  PUBLIC_URL: config.publicUrl ?? '',
  SHUTDOWN_DRAIN_SECONDS: seconds(config.shutdownDrainMs),
  SHUTDOWN_GRACE_SECONDS: seconds(config.shutdownGraceMs),
  TRUSTED_PROXIES: config.trustedProxies.join(','),
});

const listExportThread = new URL('./list-export-thread.ts', import.meta.url);

interface AppContext extends AppDependencies {
  readonly lifecycle: Lifecycle;
}

export type AppServices = Awaited<ReturnType<typeof createServices>>;

/**
 * Creates the areas in the order of their dependencies; they stop in reverse. Callbacks may refer to areas created
 * later, because they are not called before the app is ready.
 */
export async function createServices(app: AppContext) {
  const { nodes, ...base } = await createBase(app);
  const { platform, records, settings, prices } = base;
  const upstreams = createUpstreams({ ...app, platform, find: (id) => channelTable.find(id) });
  const catalog = await createCatalog({
    ...base,
    ...upstreams,
    ...settings,
    pausedOn: (id) => channelTable.pausedOn(id),
    usedOf: (rules) => relaying.limits.usedOf(rules),
  });
  const userData = createUserData(platform.database, { ...platform, ...records });
  const withReservedPoints: WithReservedPoints = (...transfer) => relaying.accountHolds.withReservedPoints(...transfer);
  const accounts = await createAccountsModule({ ...app, ...base, ...catalog, userData, withReservedPoints });
  const observability = await createObservability({
    ...app,
    ...base,
    accounts,
    reasonOf: (error, status) => (status === 0 ? rejectionReasonOf(error) : failureReasonOf({ status, error })),
    cooldownOf: upstreams.cooldownOf,
    isServed: (model) => channelTable.serves(model),
    typeOf: (channel) => channelTable.find(channel)?.type,
    isPriced: (model, channel) => isPriced(model, prices.priceBook.ratios, channelTable.find(channel)?.type),
  });
  const channelTable = new ChannelTable(catalog.relayChannels, () => catalog.pauseRows.active(), platform.tagRules);
  await channelTable.load();
  const monitoring = createChannelMonitoring({
    ...app,
    ...base,
    ...upstreams,
    catalog,
    isPaused: (channel, model) => channelTable.isPaused(channel, model),
    onStep: observability.events.channelStep,
  });
  const payments = createPayments({ ...app, ...base, accounts, events: observability.events });
  const relaying = await createRelay({
    ...app,
    ...base,
    catalog,
    users: accounts.users,
    memberships: accounts.memberships,
    nodeName: platform.databaseUrl === undefined ? '' : nodes.name,
    hasOthers: () => nodes.hasOthers(),
    upstreams,
    channelTable,
    ...reporting({ ...base, accounts, observability, monitoring }),
  });
  platform.feed.listen((change) => catalog.channelHealth.onChange(change));
  await platform.feed.start();
  shareNode(platform, nodes, relaying);
  return {
    ...platform,
    ...records,
    ...settings,
    ...prices,
    ...accounts,
    ...catalog,
    ...monitoring,
    ...observability,
    ...upstreams,
    ...relaying,
    payments,
    nodes,
    bodyKeepings: userData.keepings,
    gatheredMetrics: app.gatheredMetrics,
  };
}

async function createBase(app: AppContext) {
  const { config, identity } = app;
  const platform = await createPlatform(app);
  const nodes = await joinNodes({ platform, identity, nodeName: config.nodeName, settings: restartSettings(config) });
  await platform.options.load();
  const cleanBodies = createPayloadCleaner(platform.database);
  const records = createRecords({ ...app, platform, listExportThread, cleanBodies });
  const prices = await createPrices({ platform, records });
  serveApplies({ platform, version: programVersion(), ownSecrets: gatewaySecrets(config, platform.secretKey) });
  return { platform, nodes, records, prices, settings: createSettings({ platform, records, prices }) };
}

interface ReportingDependencies {
  readonly platform: Platform;
  readonly records: Records;
  readonly accounts: Accounts;
  readonly observability: Observability;
  readonly monitoring: ReturnType<typeof createChannelMonitoring>;
}

/** Reports request outcomes to metrics, alerts, channel health and budget notifications. */
function reporting({ platform, records, accounts, observability, monitoring }: ReportingDependencies) {
  const { events, metrics } = observability;
  const { health, watch } = monitoring;
  const { users, memberships } = accounts;
  const budgets = createBudgetNotifications({
    platform,
    ...records,
    users,
    memberships,
    onReached: events.budgetReached,
  });
  return {
    metrics: { add: events.requestSettled, rejected: metrics.rejected.bind(metrics) },
    health: {
      ...health,
      failed: (channel: number, failure: ChannelFailureDetails) => {
        health.failed(channel, failure);
        events.channelFailed(channel);
      },
    },
    onUselessKey: watch.keyFailed.bind(watch),
    onFinished: events.requestFinished,
    onSpent: events.spent,
    onBudgets: (periods: readonly number[]) => budgets.charged(periods),
  };
}

/** Shares this node's metrics with the other nodes until shutdown. */
function shareNode({ feed, lifecycle }: Platform, nodes: NodeService, { running, writer, leases }: RelayArea): void {
  nodes.reportFigures(() => ({ running: running.count, lagMs: writer.oldestUnstoredMs, leaseNumber: leases?.node }));
  // Added after all listeners, so that it stops before them: otherwise a change could lease returned quota again.
  lifecycle.add({
    name: 'change feed',
    stop: async () => {
      await nodes.close();
      await feed.close();
    },
  });
}
