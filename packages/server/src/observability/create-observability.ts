import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Outcome } from '@headgate/relay';
import type { BudgetThresholdReached } from '../accounts/budgets/budget-notifications.ts';
import type { Accounts } from '../accounts/create-accounts-module.ts';
import type { PaymentNotice } from '../accounts/payments/payment-notifications.ts';
import type { EndingPlan } from '../accounts/plans/plan-notices.ts';
import type { ChannelEvent } from '../catalog/circuit-breaker/channel-event.ts';
import type { Platform } from '../platform/create-platform.ts';
import { BatchPoster } from '../platform/outgoing/batch-poster.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { Records } from '../records/create-records.ts';
import { LogRepository } from '../records/logs/log-repository.ts';
import { RollupRepository } from '../records/logs/rollup-repository.ts';
import { budgetEvent, paymentEvent, planEndingEvent } from './alerts/account-events.ts';
import type { AlertEvent } from './alerts/alert-event.ts';
import type { AlertTiming } from './alerts/alert-timing.ts';
import { BalanceAlerts } from './alerts/balance-alerts.ts';
import { channelAlertEvent } from './alerts/channel-events.ts';
import { RelayObserver } from './alerts/relay-observer.ts';
import { type Alerts, createAlerts } from './create-alerts.ts';
import { HomeRepository } from './home/home-repository.ts';
import { HomeService } from './home/home-service.ts';
import { IncidentRepository } from './incidents/incident-repository.ts';
import { IncidentService } from './incidents/incident-service.ts';
import { exportDestinations } from './log-export/export-destinations.ts';
import { LogDestinationRepository } from './log-export/log-destination-repository.ts';
import { LogDestinationService } from './log-export/log-destination-service.ts';
import { LogExporter } from './log-export/log-exporter.ts';
import { RelayMetrics } from './metrics/relay-metrics.ts';
import { ModelLatencies } from './public-status/model-latencies.ts';
import { ModelLatencyRepository } from './public-status/model-latency-repository.ts';
import { PublicStatusRepository } from './public-status/public-status-repository.ts';
import { PublicStatusService } from './public-status/public-status-service.ts';
import type { ServerIdentity } from './status/server-identity.ts';
import { SpanExporter } from './traces/span-exporter.ts';
import type { TraceSettings } from './traces/trace-settings.ts';
import { Tracer } from './traces/tracer.ts';

interface ObservabilityDependencies {
  readonly platform: Platform;
  readonly records: Records;
  readonly accounts: Accounts;
  /** Traces are undefined when the environment names no collector. */
  readonly config: { readonly traces: TraceSettings | undefined; readonly dataDir: string };
  readonly identity: ServerIdentity;
  /** Failure reason for traces. */
  readonly reasonOf: ConstructorParameters<typeof Tracer>[1]['reasonOf'];
  /** Remaining cooldown of a channel, in milliseconds. */
  readonly cooldownOf: (channel: number) => number;
  /** True for a model that a channel serves. */
  readonly isServed: (model: string) => boolean;
  readonly isPriced: (model: string, channel: number) => boolean;
  /** Type of a channel; undefined if it is unknown. */
  readonly typeOf: (channel: number) => number | undefined;
  readonly alertPace?: AlertTiming | undefined;
}

export type Observability = Awaited<ReturnType<typeof createObservability>>;

/** Metrics, traces, alerts, the status page and the home page. */
export async function createObservability(dependencies: ObservabilityDependencies) {
  const { platform, records, isServed, cooldownOf } = dependencies;
  const { database, inTransaction, lifecycle } = platform;
  const alerting = await createAlerts(dependencies);
  const { dataDir } = dependencies.config;
  const raise = alerting.alerts.raise.bind(alerting.alerts);
  const metrics = new RelayMetrics(isServed);
  const incidents = new IncidentService({
    incidents: new IncidentRepository(database),
    logs: records.logs,
    inTransaction,
  });
  const { modelTimes, publicStatus } = createStatusPage(platform, isServed, incidents);
  lifecycle.add({ name: 'model latencies', stop: () => modelTimes.catchUp() });
  return {
    ...alerting,
    ...createLogExport({
      platform,
      records,
      dataDir,
      typeOf: dependencies.typeOf,
      pace: dependencies.alertPace,
      raise,
    }),
    metrics,
    publicStatus,
    incidents,
    home: new HomeService({
      home: new HomeRepository(database),
      sums: records.usageSums,
      ledger: records.ledger,
      cooldownOf,
    }),
    traces: createTraces(dependencies),
    events: relayEvents(dependencies, alerting, { metrics, modelTimes }),
  };
}

interface Recorders {
  readonly metrics: RelayMetrics;
  readonly modelTimes: ModelLatencies;
}

/** Forwards events from other areas to metrics and alerts. */
function relayEvents(
  { platform, records: { logs }, accounts: { users, memberships }, isPriced }: ObservabilityDependencies,
  { alerts, alerting }: Alerts,
  { metrics, modelTimes }: Recorders,
) {
  const raise = alerts.raise.bind(alerts);
  const amount = (points: number) => logs.amount(points);
  const witness = new RelayObserver({ ...alerting, isPriced, raise });
  const balanceAlerts = new BalanceAlerts({
    book: alerting.book,
    users,
    memberships,
    amount,
    raise,
    onFailure: (error) => platform.logger.warn({ err: error }, 'failed to check the balance of a user'),
  });
  return {
    requestSettled: (outcome: Outcome) => {
      metrics.add(outcome);
      witness.finished(outcome);
    },
    requestFinished: (outcome: Parameters<ModelLatencies['add']>[0]) => modelTimes.add(outcome),
    channelFailed: (channel: number) => witness.failed(channel),
    channelStep: (step: ChannelEvent) => raise(channelAlertEvent(step)),
    spent: (balance: Parameters<BalanceAlerts['spent']>[0]) => balanceAlerts.spent(balance),
    paymentNoticed: (notice: PaymentNotice) => raise(paymentEvent(notice)),
    planEnding: (plan: EndingPlan) => raise(planEndingEvent(plan)),
    budgetReached: ({ budget: { id, amount: limit }, owner, percent, used }: BudgetThresholdReached) =>
      raise(budgetEvent({ id, owner, percent, spent: amount(used), budget: amount(limit) })),
  };
}

function createStatusPage(
  { database, logger, options, feed }: Platform,
  isServed: (model: string) => boolean,
  incidents: IncidentService,
) {
  const latencies = new ModelLatencyRepository(database);
  const modelTimes = new ModelLatencies({
    latencies,
    isServed,
    isOn: () => options.values.StatusPageEnabled,
    onFailure: (error) => logger.warn({ err: error }, 'failed to store model latencies'),
  });
  const counts = new PublicStatusRepository(database);
  const publicStatus = new PublicStatusService({ options, counts, latencies, times: modelTimes, incidents });
  feed.listen((change) => publicStatus.onChange(change));
  return { modelTimes, publicStatus };
}

/** How long the shutdown waits for the last spans to be sent. */
const spanGraceMs = 3000;

function createTraces({ platform, config, identity, reasonOf }: ObservabilityDependencies) {
  const { logger, lifecycle } = platform;
  const settings = config.traces;
  if (!settings) return undefined;
  const exporter = new SpanExporter({
    settings,
    version: identity.version,
    resource: { 'service.version': identity.version, 'service.instance.id': randomUUID(), ...settings.resource },
    poster: new BatchPoster(),
    onFailure: (words) => logger.warn({ words }, 'failed to send spans'),
  });
  lifecycle.add({ name: 'span exporter', stop: () => exporter.close(spanGraceMs) });
  return { exporter, tracer: new Tracer(settings, { reasonOf, onSpan: (span) => exporter.add(span) }) };
}

interface LogExportDependencies {
  readonly platform: Platform;
  readonly records: Records;
  readonly dataDir: string;
  readonly typeOf: (channel: number) => number | undefined;
  readonly pace?: AlertTiming | undefined;
  readonly raise: (event: AlertEvent) => void;
}

/** Continuous export of logs to storage, HTTP endpoints and folders. */
function createLogExport({ platform, records, dataDir, typeOf, pace, raise }: LogExportDependencies) {
  const { database, box, inTransaction, managed, logger, lifecycle } = platform;
  const exports = new LogDestinationRepository(database);
  const newest = new LogRepository(database);
  const rollups = new RollupRepository(database);
  const logDestinations: LogDestinationService = new LogDestinationService({
    exports,
    logs: records.logs,
    lastLogId: () => newest.lastId(),
    lagOf: (row) => logExporter.lagOf(row),
    box,
    inTransaction,
    managed,
    typeOf,
    exportsDir: join(dataDir, 'exports'),
  });
  const logExporter = new LogExporter({
    exports,
    lastCompleteId: () => rollups.lastCompleteId(),
    maxRows: ({ kind }) => exportDestinations[kind].maxRows,
    send: (row, batch) => logDestinations.send(row, batch),
    describe: (row, error) => logDestinations.describe(row, error),
    raise,
    now: pace?.now ?? nowInSeconds,
    everyMs: pace?.exportMs,
    onFailure: (error) => logger.error({ err: error }, 'failed to export logs'),
  });
  lifecycle.add({ name: 'log exporter', start: () => logExporter.start(), stop: () => logExporter.close() });
  return { logDestinations, logExporter };
}
