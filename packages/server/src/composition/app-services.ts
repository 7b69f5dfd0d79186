import { UpstreamServices } from '@headgate/relay';
import { AbilityRepository } from '../channels/ability-repository.ts';
import { ChannelHealthRepository } from '../channels/channel-health-repository.ts';
import { ChannelHealthService } from '../channels/channel-health-service.ts';
import { ChannelRepository } from '../channels/channel-repository.ts';
import { ChannelService } from '../channels/channel-service.ts';
import { HomeRepository } from '../home/home-repository.ts';
import { HomeService } from '../home/home-service.ts';
import { PriceRepository } from '../prices/price-repository.ts';
import { PriceService } from '../prices/price-service.ts';
import { shareRests } from '../relay/channels/shared-rests.ts';
import { upstreamTimeouts } from '../relay/channels/upstream-timeouts.ts';
import { UsageRepository } from '../usage/usage-repository.ts';
import { UserCareService } from '../users/user-care-service.ts';
import { makeAccountServices } from './account-services.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { makeBulkServices } from './bulk-services.ts';
import { makeCoreServices } from './core-services.ts';
import { openNodeLeases } from './node-leases.ts';
import { makeRelayServices } from './relay-services.ts';
import { makeSignInServices } from './sign-in-services.ts';

export type AppServices = Awaited<ReturnType<typeof makeAppServices>>;

/** Every service of the app, each made once and given what it needs. */
export async function makeAppServices(app: AppDependencies) {
  const core = await makeCoreServices(app);
  const { logs, box, inTransaction } = core;
  const upstreamServices = new UpstreamServices(app.upstreamTimeouts ?? upstreamTimeouts(core.options), app);
  shareRests(upstreamServices.cooldowns, core.feed.broadcasts);
  const restOf = (id: number) => upstreamServices.cooldowns.restOf(id, performance.now());
  const channels = new ChannelService({
    channels: new ChannelRepository(app.database),
    abilities: new AbilityRepository(app.database),
    logs,
    box,
    inTransaction,
    restOf,
  });
  const home = new HomeService({
    home: new HomeRepository(app.database),
    sums: new UsageRepository(app.database),
    ledger: core.ledger,
    restOf,
  });
  const channelHealth = new ChannelHealthService({
    channels: new ChannelHealthRepository(app.database),
    inTransaction,
    onFailure: (error) => app.logger.error({ err: error }, 'failures of channels were not written down'),
  });
  await channelHealth.load();
  const accounts = await makeAccountServices(app.database, core);
  const userCare = new UserCareService({ ...accounts, channels, logs, inTransaction });
  const signIn = makeSignInServices(app, core, accounts);
  const nodeLeases = await openNodeLeases(app, core);
  const relaying = await makeRelayServices(app, core, {
    channels,
    channelHealth,
    upstreamServices,
    users: accounts.users,
    signIn,
    nodeLeases,
  });
  const prices = new PriceService({
    options: core.options,
    changes: core.optionChanges,
    offered: new PriceRepository(app.database),
    availableModels: (groups) => channels.availableModels(groups),
  });
  core.nodes.telling(() => ({
    running: relaying.running.count,
    lagMs: relaying.writer.oldestUnstoredMs,
    leaseNumber: nodeLeases?.leases.node,
  }));
  core.feed.listen((change) => relaying.relay.onChange(change));
  core.feed.listen((change) => channelHealth.onChange(change));
  return {
    ...core,
    ...accounts,
    ...relaying,
    channels,
    prices,
    ...makeBulkServices(app.database, core, channels),
    userCare,
    channelHealth,
    home,
    upstreamServices,
    signIn,
    nodeLeases,
  };
}
