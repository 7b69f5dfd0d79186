import type { RoutingReason } from '@headgate/contract';
import type { Route } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { expectedCost } from '../quota/cost.ts';
import { type ChannelStates, channelContextWindow, channelsWithinContext } from './channel-choice.ts';
import { keyCooldownMs, topPriorityChannels } from './choose-key.ts';
import { type ChannelMetrics, sharesByStrategy, stickyCandidates } from './strategies.ts';

interface SupposedRequest {
  readonly model: string;
  readonly promptTokens: number;
  /** Completion tokens. */
  readonly typicalCompletion: number;
  readonly pointsPerDollar: number;
  readonly now: number;
}

interface ExplainedChoice {
  readonly channel: RelayChannel;
  readonly reason: RoutingReason;
  /** Probability of being tried first; undefined: not tried first. */
  readonly share: number | undefined;
  readonly contextWindow: number | undefined;
  readonly inFlight: number;
  readonly firstByteMs: number | undefined;
  /** Dollars per million tokens. */
  readonly inputPrice: number | undefined;
  readonly outputPrice: number | undefined;
}

const noChannels: ReadonlySet<number> = new Set();
const thousand = 1000;

/** Channels of a route in the order in which they would be tried, with reasons. Has no side effects. */
export function explainChoice(
  { channels, rule }: Route,
  states: ChannelStates,
  request: SupposedRequest,
): readonly ExplainedChoice[] {
  const { model, promptTokens } = request;
  const fitting = rule?.fitsWindow ? channelsWithinContext(channels, model, promptTokens) : channels;
  const reasonOf = (channel: RelayChannel): RoutingReason | undefined => {
    if (!fitting.includes(channel)) return 'window_too_small';
    if (states.cooldowns.isCooling(channel.id, request.now)) return 'cooling_down';
    return channel.keys && keyCooldownMs(channel.keys, states.keyCooldowns, request.now) > 0
      ? 'keys_cooling_down'
      : undefined;
  };
  const free = channels.filter((channel) => reasonOf(channel) === undefined);
  // A channel that is cooling down is tried if no other is left.
  const step = topPriorityChannels(free.length > 0 ? free : fitting, noChannels);
  const shares = sharesOf(step, rule, factsOf(states, request));
  const explained = channels.map((channel) => {
    const share = shares.get(channel.id);
    const reason = share === undefined ? (reasonOf(channel) ?? 'lower_priority') : share > 0 ? 'chosen' : 'next';
    return { channel, reason, share, ...measured(channel, states, request) };
  });
  return explained.toSorted(byOrder);
}

function sharesOf(
  step: readonly RelayChannel[],
  rule: Route['rule'],
  facts: ChannelMetrics<RelayChannel>,
): ReadonlyMap<number, number> {
  const strategy = rule?.strategy ?? 'priority_weight';
  const isSticky = rule !== undefined && rule.affinity !== 'off';
  const among = isSticky ? stickyCandidates(strategy, step, facts) : step;
  const shares = sharesByStrategy(isSticky ? 'priority_weight' : strategy, among, facts);
  const byId = new Map(among.map(({ id }, index) => [id, shares[index] ?? 0]));
  return new Map(step.map(({ id }) => [id, byId.get(id) ?? 0]));
}

function factsOf({ loads }: ChannelStates, { model, promptTokens, ...request }: SupposedRequest) {
  const expected = { prompt: promptTokens || thousand, completion: request.typicalCompletion };
  const { pointsPerDollar } = request;
  return {
    inFlight: ({ id }: RelayChannel) => loads.inFlight(id),
    firstByteMs: ({ id }: RelayChannel) => paceOf(loads, id, model),
    cost: (channel: RelayChannel) =>
      expectedCost(expected, channel, { models: [channel.modelMapping.get(model), model], pointsPerDollar }),
  };
}

const paceOf = (loads: ChannelStates['loads'], id: number, model: string): number | undefined =>
  loads.firstByteMs(id, model, 'stream') ?? loads.firstByteMs(id, model, 'whole');

function measured(channel: RelayChannel, { loads }: ChannelStates, { model, pointsPerDollar }: SupposedRequest) {
  const bought = { models: [channel.modelMapping.get(model), model], pointsPerDollar };
  const dollars = (tokens: { prompt: number; completion: number }) => {
    const points = expectedCost(tokens, channel, bought);
    return points === undefined ? undefined : (points / pointsPerDollar) * thousand;
  };
  return {
    contextWindow: channelContextWindow(channel, model),
    inFlight: loads.inFlight(channel.id),
    firstByteMs: paceOf(loads, channel.id, model),
    inputPrice: dollars({ prompt: thousand, completion: 0 }),
    outputPrice: dollars({ prompt: 0, completion: thousand }),
  };
}

const order: Readonly<Record<RoutingReason, number>> = {
  chosen: 0,
  next: 1,
  lower_priority: 2,
  keys_cooling_down: 3,
  cooling_down: 3,
  paused: 4,
  window_too_small: 5,
};

const byOrder = (one: ExplainedChoice, other: ExplainedChoice): number =>
  order[one.reason] - order[other.reason] ||
  other.channel.priority - one.channel.priority ||
  (other.share ?? 0) - (one.share ?? 0) ||
  one.channel.id - other.channel.id;
