import type { ChannelFields, TagRules } from '@headgate/contract';
import {
  type Cooldowns,
  listModels,
  previewRequest,
  probeChannel,
  RelayError,
  readBalance,
  type Timeouts,
  type UpstreamServices,
} from '@headgate/relay';
import * as z from 'zod/mini';
import type { ChannelProbe } from '../../catalog/channels/channel-probe.ts';
import type { ChannelUpstream, UpstreamFailureReason } from '../../catalog/channels/channel-upstream-service.ts';
import { BatchedBroadcast, countSchema } from '../../platform/broadcasts/batched-broadcast.ts';
import type { Broadcasts } from '../../platform/broadcasts/broadcasts.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { isRelayable, toRelayChannel } from './channel-table.ts';
import { failureReasonOf } from './failure-reason.ts';
import { isKeyRejection } from './key-rejection.ts';

/** Options that apply to the rules of every channel. */
interface RuleSources {
  readonly unpricedFieldsAllowed: () => readonly string[];
  readonly tagRules: () => TagRules;
}

/** Queries providers over the relay's own connections. */
export const channelUpstream = (
  upstreamServices: UpstreamServices,
  { unpricedFieldsAllowed, tagRules }: RuleSources,
): ChannelUpstream => {
  const asRelayed = (channel: ChannelFields) => toRelayChannel({ id: 0, ...channel }, tagRules());
  return {
    balance: (channel) => orFailure(readBalance(upstreamServices, asRelayed(channel))),
    preview: (channel, sample) =>
      failureOf(previewRequest(asRelayed(channel), { ...sample, unpricedFieldsAllowed: unpricedFieldsAllowed() })),
    models: (channel) => orFailure(listModels(upstreamServices, asRelayed(channel))),
  };
};

const orFailure = <T>(requested: Promise<T> | undefined): Promise<T | UpstreamFailureReason> | undefined =>
  requested && failureOf(requested);

function failureOf<T>(requested: Promise<T>): Promise<T | UpstreamFailureReason> {
  return requested.catch((error: unknown) => {
    if (error instanceof RelayError) return { failure: error.message };
    throw error;
  });
}

const connectMs = 10_000;

/** Reads the options on every access, so that a change applies to the next request. */
export const upstreamTimeouts = (options: OptionService): Timeouts => ({
  connectMs,
  get firstByteMs() {
    return options.values.UpstreamFirstByteSeconds * 1000;
  },
  get idleMs() {
    return options.values.UpstreamIdleSeconds * 1000;
  },
});

const probeTimeoutMs = 30_000;

/** Tests a channel over the relay's own connections. */
export const channelProbe = (
  upstreamServices: UpstreamServices,
  { unpricedFieldsAllowed, tagRules }: RuleSources,
): ChannelProbe => ({
  canTest: (channel) => isRelayable(channel),
  send: async (channel, model) => {
    const relayed = toRelayChannel(channel, tagRules());
    const response = await probeChannel(upstreamServices, relayed, model, {
      signal: AbortSignal.timeout(probeTimeoutMs),
      unpricedFieldsAllowed: unpricedFieldsAllowed(),
    });
    if (typeof response === 'string') return response;
    const { status, error } = response;
    return { status, message: error.message, reason: failureReasonOf(response), isRejection: isKeyRejection(error) };
  },
});

/**
 * An update: whether the channel or key has succeeded, how many failures followed, and the cooldown requested by the
 * upstream.
 */
type FailureNotice = readonly [hasAnswered: 0 | 1, failures: number, waitMs: number];
const newsSchema = z.tuple([z.literal([0, 1]), countSchema, z.number().check(z.nonnegative())]);

/**
 * Shares failures of channels or keys between nodes, so that they cool down after as many failures as with a single
 * process.
 */
export function shareCooldowns(
  cooldowns: Cooldowns,
  broadcasts: Broadcasts,
  topic: 'cooldowns' | 'key-cooldowns',
): void {
  const broadcast = new BatchedBroadcast<number, FailureNotice>(
    broadcasts,
    { topic, value: newsSchema },
    (channel, [hasResponded, failures, waitMs]) => {
      const now = performance.now();
      cooldowns.receive(channel, { hasResponded: hasResponded === 1, failures, waitMs }, now);
    },
  );
  cooldowns.onMessage = (channel, waitMs) => {
    const [hasResponded, failures, longest] = broadcast.get(channel) ?? ([0, 0, 0] as const);
    const message: FailureNotice =
      waitMs === undefined ? [1, 0, 0] : [hasResponded, failures + 1, Math.max(longest, waitMs)];
    broadcast.put(channel, message);
  };
}
