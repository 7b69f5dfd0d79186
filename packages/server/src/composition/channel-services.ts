import { type RelayChannel, restOfKeys, type UpstreamServices } from '@headgate/relay';
import { AbilityRepository } from '../catalog/channels/ability-repository.ts';
import { ChannelHealthRepository } from '../catalog/channels/channel-health-repository.ts';
import { ChannelHealthService } from '../catalog/channels/channel-health-service.ts';
import { ChannelKeyRepository } from '../catalog/channels/channel-key-repository.ts';
import { ChannelKeyService } from '../catalog/channels/channel-key-service.ts';
import { ChannelKeyTestService } from '../catalog/channels/channel-key-test-service.ts';
import type { MonitorChange } from '../catalog/channels/channel-probe.ts';
import { ChannelRepository } from '../catalog/channels/channel-repository.ts';
import { ChannelService } from '../catalog/channels/channel-service.ts';
import { ChannelTestService } from '../catalog/channels/channel-test-service.ts';
import { KeyUseService } from '../catalog/channels/key-use-service.ts';
import type { ChannelStep } from '../catalog/pauses/channel-step.ts';
import { channelProbe } from '../relay/upstreams/channel-probe.ts';
import { shareRests } from '../relay/upstreams/shared-rests.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

interface Neighbours {
  readonly upstreamServices: UpstreamServices;
  /** A channel as the relay knows it. Asked for only when the relay is there. */
  readonly find: (id: number) => RelayChannel | undefined;
  readonly pausedOn: (id: number) => readonly string[];
}

export type ChannelServices = Awaited<ReturnType<typeof makeChannelServices>>;

/** Channels, their keys, and what is known of how they do. */
export async function makeChannelServices(app: AppContext, core: CoreServices, neighbours: Neighbours) {
  const { logs, box, inTransaction, managed } = core;
  const { upstreamServices, pausedOn } = neighbours;
  shareRests(upstreamServices.cooldowns, core.feed.broadcasts, 'rests');
  shareRests(upstreamServices.keyRests, core.feed.broadcasts, 'key-rests');
  const restOf = (id: number) => restOfChannel(neighbours, id);
  const keyRows = new ChannelKeyRepository(app.database);
  const rows = new ChannelRepository(app.database);
  const abilities = new AbilityRepository(app.database);
  const channels = new ChannelService({
    channels: rows,
    abilities,
    keys: keyRows,
    logs,
    box,
    inTransaction,
    managed,
    restOf,
    pausedOn,
  });
  const channelKeys = new ChannelKeyService({
    channels: rows,
    keys: keyRows,
    logs,
    box,
    inTransaction,
    managed,
    states: channels,
    restOf: (key) => upstreamServices.keyRests.restOf(key, performance.now()),
  });
  const keyUse = new KeyUseService({
    keys: keyRows,
    inTransaction,
    onFailure: (error) => app.logger.error({ err: error }, 'the use of keys was not written down'),
  });
  const channelHealth = new ChannelHealthService({
    channels: new ChannelHealthRepository(app.database),
    inTransaction,
    onFailure: (error) => app.logger.error({ err: error }, 'failures of channels were not written down'),
  });
  app.lifecycle.add({ name: 'key use', stop: () => keyUse.catchUp() });
  app.lifecycle.add({ name: 'channel health', stop: () => channelHealth.catchUp() });
  await channelHealth.load();
  return { channels, channelKeys, keyRows, keyUse, channelHealth, restOf };
}

/** A channel rests too while all of its keys do. */
function restOfChannel({ upstreamServices: { cooldowns, keyRests }, find }: Neighbours, id: number): number {
  const now = performance.now();
  const keys = find(id)?.keys;
  return Math.max(cooldowns.restOf(id, now), keys ? restOfKeys(keys, keyRests, now) : 0);
}

interface Testing {
  readonly upstreamServices: UpstreamServices;
  readonly onStep: (step: ChannelStep) => void;
}

/** What finds out whether channels and their keys answer. */
export function makeChannelTests(
  { logger }: AppContext,
  { options }: CoreServices,
  { channels, channelKeys, keyRows, channelHealth }: ChannelServices,
  { upstreamServices, onStep }: Testing,
) {
  const testing = {
    channels,
    options,
    probe: channelProbe(upstreamServices),
    onVerdict: ({ isEnabled, ...change }: MonitorChange) => {
      const what = change.key === undefined ? 'channel' : 'key';
      onStep({ ...change, kind: `${what}_${isEnabled ? 'enabled' : 'disabled'}`, model: '' });
    },
    onFailure: (error: unknown) => logger.error({ err: error }, 'the channel test broke off'),
  };
  const channelKeyTests = new ChannelKeyTestService({ ...testing, keys: channelKeys, rows: keyRows });
  const channelTests = new ChannelTestService({ ...testing, health: channelHealth, keyTests: channelKeyTests });
  return { channelTests, channelKeyTests };
}
