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
import type { AppDependencies } from './app-dependencies.ts';
import { makeBulkServices } from './bulk-services.ts';
import { makeChannelServices } from './channel-services.ts';
import { makeCoreServices } from './core-services.ts';
import { makeKeptBodyServices } from './kept-body-services.ts';
import { openNodeLeases } from './node-leases.ts';
import { makeRelayServices } from './relay-services.ts';
import { makeSignInServices } from './sign-in-services.ts';
import { makeTraceServices } from './trace-services.ts';

export type AppServices = Awaited<ReturnType<typeof makeAppServices>>;

/** Every service of the app, each made once and given what it needs. */
export async function makeAppServices(app: AppDependencies) {
  const core = await makeCoreServices(app);
  const { logs, inTransaction } = core;
  const upstreamServices = new UpstreamServices(app.upstreamTimeouts ?? upstreamTimeouts(core.options), app);
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
    book: core.priceBook,
    prices: new PriceRepository(app.database),
    availableModels: (groups) => channels.availableModels(groups),
  });
  core.nodes.telling(() => ({
    running: relaying.running.count,
    lagMs: relaying.writer.oldestUnstoredMs,
    leaseNumber: nodeLeases?.leases.node,
  }));
  core.feed.listen((change) => relaying.relay.onChange(change));
  core.feed.listen((change) => caring.channelHealth.onChange(change));
  return {
    ...core,
    ...accounts,
    ...relaying,
    ...caring,
    ...alerting,
    ...(await makeKeptBodyServices(app, core, relaying.storedResponses)),
    prices,
    ...makeBulkServices(app.database, core, channels),
    userCare,
    subjects: new SubjectRepository(app.database),
    edits: new EditService(new EditedRowRepository(app.database)),
    home,
    upstreamServices,
    traces: makeTraceServices(app),
    signIn,
    nodeLeases,
    gatheredMetrics: app.gatheredMetrics,
  };
}
