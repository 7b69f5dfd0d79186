import { keyCooldownMs, type RelayChannel, type Timeouts, UpstreamServices } from '@headgate/relay';
import type { Platform } from '../platform/create-platform.ts';
import { channelProbe, channelUpstream, shareCooldowns, upstreamTimeouts } from './upstreams/channel-upstream.ts';

interface UpstreamsDependencies {
  readonly platform: Platform;
  /** Upstream timeouts; from the options by default. */
  readonly upstreamTimeouts?: Timeouts | undefined;
  /** How long tokens may be counted before they are estimated; two seconds by default. */
  readonly countingPatienceMs?: number;
  /** Addresses from which images may be fetched; the public internet by default. */
  readonly isOpenAddress?: (address: string) => boolean;
  /** Finds a channel of the relay by id. */
  readonly find: (channel: number) => RelayChannel | undefined;
}

export type Upstreams = ReturnType<typeof createUpstreams>;

/** Connections to upstreams, and cooldowns of channels and keys, shared between nodes. */
export function createUpstreams({ platform, upstreamTimeouts: timeouts, find, ...counting }: UpstreamsDependencies) {
  const { options, feed, lifecycle } = platform;
  const upstreamServices = new UpstreamServices(timeouts ?? upstreamTimeouts(options), counting);
  lifecycle.add({ name: 'upstreams', stop: () => upstreamServices.close() });
  const { cooldowns, keyCooldowns } = upstreamServices;
  shareCooldowns(cooldowns, feed.broadcasts, 'cooldowns');
  shareCooldowns(keyCooldowns, feed.broadcasts, 'key-cooldowns');
  const sources = { unpricedFieldsAllowed: () => options.values.UnpricedFieldsAllowed, tagRules: platform.tagRules };
  return {
    upstreamServices,
    probe: channelProbe(upstreamServices, sources),
    upstream: channelUpstream(upstreamServices, sources),
    /** A channel is also in cooldown while all of its keys are. */
    cooldownOf: (channel: number): number => {
      const now = performance.now();
      const keys = find(channel)?.keys;
      return Math.max(cooldowns.cooldownOf(channel, now), keys ? keyCooldownMs(keys, keyCooldowns, now) : 0);
    },
    keyCooldownOf: (key: number): number => keyCooldowns.cooldownOf(key, performance.now()),
    endRest: (channel: number): void => cooldowns.succeeded(channel),
  };
}
