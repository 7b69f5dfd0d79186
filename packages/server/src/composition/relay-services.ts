import type { UpstreamServices } from '@headgate/relay';
import type { UserService } from '../accounts/users/user-service.ts';
import { ChannelUpstreamService } from '../catalog/channels/channel-upstream-service.ts';
import type { ChannelStep } from '../catalog/pauses/channel-step.ts';
import { PauseRepository } from '../catalog/pauses/pause-repository.ts';
import { RelayMetrics } from '../observability/metrics/relay-metrics.ts';
import type { Balance } from '../records/totals/folded.ts';
import { RefusedRequests } from '../relay/callers/refused-requests.ts';
import { elsewhereOf } from '../relay/callers/under-way-elsewhere.ts';
import { QuotaReminder } from '../relay/charges/quota-reminder.ts';
import { RunningCalls } from '../relay/clients/running-calls.ts';
import { KeptResponseRepository } from '../relay/kept/kept-response-repository.ts';
import { KeptResponseService } from '../relay/kept/kept-response-service.ts';
import { withDatabaseTimeout } from '../relay/leases/database-timeout.ts';
import { IdleCallers } from '../relay/leases/idle-callers.ts';
import { createRelay } from '../relay/run/create-relay.ts';
import { ChannelTable } from '../relay/upstreams/channel-table.ts';
import { channelUpstream } from '../relay/upstreams/channel-upstream.ts';
import type { AlertServices } from './alert-services.ts';
import { makeBalanceAlerts, witnessed } from './alert-witness.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { makeBudgetNotices } from './budget-services.ts';
import { makeCallerServices } from './caller-services.ts';
import { type ChannelServices, makeChannelTests } from './channel-services.ts';
import { makeChargeServices } from './charge-services.ts';
import type { CoreServices } from './core-services.ts';
import type { NodeLeases } from './node-leases.ts';
import { makePauseServices } from './pause-services.ts';
import { makeRequestLimits } from './request-limits.ts';
import { makeRoutingServices } from './routing-services.ts';
import type { SignInServices } from './sign-in-services.ts';
import { makeStatusServices } from './status-services.ts';
import { stepEvent } from './step-event.ts';
import { watchStorage } from './storage.ts';
import { makeStoredResponses } from './stored-response-services.ts';

/** What the relay needs of the other services. */
interface RelayNeighbours {
  readonly caring: ChannelServices;
  readonly upstreamServices: UpstreamServices;
  readonly users: UserService;
  readonly signIn: SignInServices;
  readonly alerting: AlertServices;
  /** Undefined where one process has all quota to itself. */
  readonly nodeLeases: NodeLeases | undefined;
}

/** From a client's token to the upstream, and what a request costs. */
export async function makeRelayServices(app: AppDependencies, core: CoreServices, neighbours: RelayNeighbours) {
  const { caring, upstreamServices, alerting, nodeLeases } = neighbours;
  const { channels, keyUse } = caring;
  const storage = watchStorage(app, core, () => writer.oldestUnstoredMs);
  const running = new RunningCalls();
  const budgetNotices = makeBudgetNotices(app, core, neighbours);
  const { writer, ...charges } = await makeChargeServices(app, core, {
    running: () => running.count,
    onSpent: spendingHeard(app, core, neighbours),
    onBudgets: (periods) => budgetNotices.charged(periods),
    onFailure: (error) => {
      if (!storage.failed(error)) app.logger.error({ err: error }, 'charges could not be stored; trying again');
    },
  });
  const pauseRows = new PauseRepository(app.database);
  const channelTable = new ChannelTable(channels, () => pauseRows.active());
  await channelTable.load();
  const routed = await makeRoutingServices(app, core, { channels: channelTable, upstreamServices });
  const responses = makeResponses(app, core, channelTable, () => writer.catchUp());
  const { budgetTable, callers, exchange } = makeCallerServices(core, writer, nodeLeases);
  const idleCallers = makeIdleCallers(app, core, { callers, leases: nodeLeases?.leases, writer });
  const metrics = new RelayMetrics((model) => channelTable.serves(model));
  const care = makeChannelCare(app, core, neighbours, { channelTable, rows: pauseRows });
  const statuses = makeStatusServices(app, core, (model) => channelTable.serves(model));
  const refusedRequests = makeRefusedRequests(app, core);
  const limiting = await makeRequestLimits(app, core);
  const relay = createRelay({
    ...{ options: core.options, priceBook: core.priceBook, node: core.nodeName },
    callers,
    budgets: budgetTable,
    writer,
    ...witnessed(core, alerting, { metrics, health: care.health, channelTable }),
    exchange,
    ...responses,
    channels: channelTable,
    routing: routed.routingTable,
    refusedRequests,
    storage,
    underWayElsewhere: nodeLeases && elsewhereOf(core.feed.broadcasts),
    keyUse,
    limits: limiting.limits,
    onUselessKey: (channel, cause, key) => care.watch.keyFailed(channel, cause, key),
    onFinished: (outcome) => statuses.modelTimes.add(outcome),
  });
  const channelUpstreams = new ChannelUpstreamService(channels, channelUpstream(upstreamServices));
  return {
    relay,
    refusedRequests,
    ...responses,
    running,
    storage,
    callers,
    idleCallers,
    writer,
    charges,
    budgetNotices,
    metrics,
    channelTable,
    ...routed,
    channelUpstreams,
    ...care,
    ...limiting,
    ...statuses,
  };
}

function makeIdleCallers(
  { logger, idleTimes }: AppDependencies,
  { feed }: CoreServices,
  holders: Pick<ConstructorParameters<typeof IdleCallers>[0], 'callers' | 'leases' | 'writer'>,
): IdleCallers {
  return new IdleCallers({
    ...holders,
    hasOthers: () => feed.broadcasts.isHeard,
    times: idleTimes,
    onFailure: (error) => logger.warn({ err: error }, 'what nobody uses was not given back; trying again'),
  });
}

/** What finds out whether channels answer, and takes out of use what does not. */
function makeChannelCare(
  app: AppDependencies,
  core: CoreServices,
  { caring, upstreamServices, alerting }: RelayNeighbours,
  { channelTable, rows }: { readonly channelTable: ChannelTable; readonly rows: PauseRepository },
) {
  const onStep = (step: ChannelStep) => alerting.alerts.raise(stepEvent(step));
  const tests = makeChannelTests(app, core, caring, { upstreamServices, onStep });
  const { channelTests } = tests;
  const pausing = makePauseServices(app, core, caring, { rows, channelTable, upstreamServices, channelTests, onStep });
  return { ...tests, ...pausing };
}

/** Responses that clients can continue: at the upstream that has them, or stored here. */
function makeResponses(app: AppDependencies, core: CoreServices, channels: ChannelTable, catchUp: () => Promise<void>) {
  const responses = new KeptResponseRepository(core.relayDatabase);
  return {
    keptResponses: new KeptResponseService({ responses, channels, catchUp, inTime: withDatabaseTimeout }),
    storedResponses: makeStoredResponses(app, core),
  };
}

function makeRefusedRequests({ logger }: AppDependencies, core: CoreServices): RefusedRequests {
  return new RefusedRequests({
    node: core.nodeName,
    write: (rows) => core.inTransaction((transaction) => core.logs.recordRequests(transaction, rows)),
    onFailure: (error) => logger.error({ err: error }, 'refused requests were not written down'),
  });
}

function makeQuotaReminder(
  { logger }: AppDependencies,
  { options, logs }: CoreServices,
  { users, signIn }: RelayNeighbours,
): QuotaReminder {
  return new QuotaReminder({
    options,
    users,
    logs,
    mail: signIn.mail,
    home: signIn.home,
    onFailure: (error) => logger.warn({ err: error }, 'a user was not reminded of the quota'),
  });
}

/** Who runs low is reminded, and rules of alerts may want to tell others. */
function spendingHeard(app: AppDependencies, core: CoreServices, neighbours: RelayNeighbours) {
  const reminder = makeQuotaReminder(app, core, neighbours);
  const balanceAlerts = makeBalanceAlerts(app, core, neighbours);
  return (balance: Balance): void => {
    reminder.spent(balance);
    balanceAlerts.spent(balance);
  };
}
