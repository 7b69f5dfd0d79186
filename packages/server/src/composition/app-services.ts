import { UpstreamServices } from '@headgate/relay';
import { SubjectRepository } from '../accounts/subjects/subject-repository.ts';
import { UserCareService } from '../accounts/users/user-care-service.ts';
import { PriceRepository } from '../catalog/prices/price-repository.ts';
import { PriceService } from '../catalog/prices/price-service.ts';
import { HomeRepository } from '../observability/home/home-repository.ts';
import { HomeService } from '../observability/home/home-service.ts';
import { EditService } from '../platform/edits/edit-service.ts';
import { EditedRowRepository } from '../platform/edits/edited-row-repository.ts';
import { UsageRepository } from '../records/usage/usage-repository.ts';
import { upstreamTimeouts } from '../relay/upstreams/upstream-timeouts.ts';
import { makeAccountServices } from './account-services.ts';
import { makeAlertServices } from './alert-services.ts';
import type { AppContext } from './app-dependencies.ts';
import { makeBulkServices } from './bulk-services.ts';
import { type ChannelServices, makeChannelServices } from './channel-services.ts';
import { type CoreServices, makeCoreServices } from './core-services.ts';
import { makeKeptBodyServices } from './kept-body-services.ts';
import { type NodeLeases, openNodeLeases } from './node-leases.ts';
import { makeRelayServices, type RelayServices } from './relay-services.ts';
import { makeSignInServices } from './sign-in-services.ts';
import { makeTraceServices } from './trace-services.ts';

export type AppServices = Awaited<ReturnType<typeof makeAppServices>>;

/** Every service of the app, each made once and given what it needs. */
export async function makeAppServices(app: AppContext) {
  const core = await makeCoreServices(app);
  const { logs, inTransaction } = core;
  const upstreamServices = new UpstreamServices(app.upstreamTimeouts ?? upstreamTimeouts(core.options), app);
  app.lifecycle.add({ name: 'upstreams', stop: () => upstreamServices.close() });
  const caring = await makeChannelServices(app, core, {
    upstreamServices,
    find: (id) => relaying.channelTable.find(id),
    pausedOn: (id) => relaying.channelTable.pausedOn(id),
  });
  const { channels, restOf } = caring;
  const home = new HomeService({
    home: new HomeRepository(app.database),
    sums: new UsageRepository(app.database),
    ledger: core.ledger,
    restOf,
  });
  const accounts = await makeAccountServices(app.database, core, app.config.passwordKib);
  const signIn = makeSignInServices(app, core, accounts);
  const alerting = await makeAlertServices(app, core, accounts, signIn);
  const traces = makeTraceServices(app);
  const nodeLeases = await openNodeLeases(app, core);
  const relaying = await makeRelayServices(app, core, {
    caring,
    upstreamServices,
    users: accounts.users,
    signIn,
    alerting,
    nodeLeases,
  });
  const { limitRules } = relaying;
  const userCare = new UserCareService({ ...accounts, channels, limitRules, logs, inTransaction });
  const prices = new PriceService({
    options: core.options,
    changes: core.optionChanges,
    offered: new PriceRepository(app.database),
    availableModels: (groups) => channels.availableModels(groups),
  });
  const keptBodies = await makeKeptBodyServices(app, core, relaying.storedResponses);
  connectNodes(app, core, { ...caring, ...relaying, nodeLeases });
  return {
    ...core,
    ...accounts,
    ...relaying,
    ...caring,
    ...alerting,
    ...keptBodies,
    prices,
    ...makeBulkServices(app.database, core, channels),
    userCare,
    subjects: new SubjectRepository(app.database),
    edits: new EditService(new EditedRowRepository(app.database)),
    home,
    upstreamServices,
    traces,
    signIn,
    nodeLeases,
    gatheredMetrics: app.gatheredMetrics,
  };
}

interface Connected {
  readonly channelHealth: ChannelServices['channelHealth'];
  readonly relay: RelayServices['relay'];
  readonly running: RelayServices['running'];
  readonly writer: RelayServices['writer'];
  readonly nodeLeases: NodeLeases | undefined;
}

/** Delivers changes of other nodes to the services, and this node's figures to the other nodes. */
function connectNodes(
  { lifecycle }: AppContext,
  { feed, nodes }: CoreServices,
  { channelHealth, relay, running, writer, nodeLeases }: Connected,
): void {
  nodes.telling(() => ({
    running: running.count,
    lagMs: writer.oldestUnstoredMs,
    leaseNumber: nodeLeases?.leases.node,
  }));
  feed.listen((change) => relay.onChange(change));
  feed.listen((change) => channelHealth.onChange(change));
  // Added after all listeners, so that it stops before they do: a change must not lease quota again that was returned.
  lifecycle.add({
    name: 'change feed',
    stop: async () => {
      await nodes.close();
      await feed.close();
    },
  });
}
