import type { RoutingStrategy } from '@headgate/contract';
import type { Candidate } from '../ports/relay-channel.ts';
import { effectiveWeight, pickByWeight } from './choose-key.ts';

/** Channel metrics for a strategy. */
export interface ChannelMetrics<C> {
  /** In-flight requests of this process on the channel. */
  inFlight(channel: C): number;
  /** Average milliseconds to the first byte; undefined: not measured yet. */
  firstByteMs(channel: C): number | undefined;
  /** Cost of the request on the channel, in any unit; undefined: unknown. */
  cost(channel: C): number | undefined;
}

/** Channels of one priority among which the next request is distributed by weight. */
interface Preference<C> {
  readonly preferred: readonly C[];
  /** Probability that the request goes to any channel of the same priority instead, by weight. */
  readonly exploring: number;
}

interface Strategy {
  /** True if the preference is stable between requests, so that sticky sessions use only the preferred channels. */
  readonly isSteady: boolean;
  prefer<C extends Candidate>(step: readonly C[], facts: ChannelMetrics<C>): Preference<C>;
}

/** One request in twenty, enough to detect that a channel has become fast again. */
const exploringForPace = 0.05;
/** Up to 10% slower than the fastest counts as equally fast. */
const asQuick = 1.1;

/** To add a strategy, add a row here and its name to the contract. All strategies choose within one priority. */
const strategies: Readonly<Record<RoutingStrategy, Strategy>> = {
  priority_weight: { isSteady: true, prefer: (step) => ({ preferred: step, exploring: 0 }) },
  least_busy: {
    isSteady: false,
    prefer: (step, facts) => ({
      preferred: lowestBy(step, (channel) => facts.inFlight(channel) / effectiveWeight(channel)),
      exploring: 0,
    }),
  },
  quickest: {
    isSteady: false,
    prefer: (step, facts) => {
      const unknown = step.filter((channel) => facts.firstByteMs(channel) === undefined);
      if (unknown.length > 0) return { preferred: unknown, exploring: 0 };
      const preferred = lowestBy(step, (channel) => facts.firstByteMs(channel) ?? 0, asQuick);
      return { preferred, exploring: exploringForPace };
    },
  },
  cheapest: {
    isSteady: true,
    // Channels with an unknown price come last, because it may be high.
    prefer: (step, facts) => ({
      preferred: lowestBy(step, (channel) => facts.cost(channel) ?? Number.POSITIVE_INFINITY),
      exploring: 0,
    }),
  },
};

/** Channels with the lowest value, within the tolerance. */
function lowestBy<C>(channels: readonly C[], measure: (channel: C) => number, tolerance = 1): readonly C[] {
  const min = Math.min(...channels.map(measure));
  return channels.filter((channel) => measure(channel) <= min * tolerance);
}

/** The channel of one priority to try next; undefined if there is none. */
export function chooseByStrategy<C extends Candidate>(
  strategy: RoutingStrategy,
  step: readonly C[],
  facts: ChannelMetrics<C>,
  roll: number,
): C | undefined {
  if (step.length === 0) return undefined;
  const { preferred, exploring } = strategies[strategy].prefer(step, facts);
  if (roll < exploring) return pickByWeight(step, roll / exploring);
  return pickByWeight(preferred, (roll - exploring) / (1 - exploring));
}

/** Probability of each channel of one priority to be tried next, in the same order. */
export function sharesByStrategy<C extends Candidate>(
  strategy: RoutingStrategy,
  step: readonly C[],
  facts: ChannelMetrics<C>,
): readonly number[] {
  if (step.length === 0) return [];
  const { preferred, exploring } = strategies[strategy].prefer(step, facts);
  const weightIn = (channels: readonly C[], channel: C) =>
    channels.includes(channel)
      ? effectiveWeight(channel) / channels.reduce((sum, each) => sum + effectiveWeight(each), 0)
      : 0;
  return step.map((channel) => exploring * weightIn(step, channel) + (1 - exploring) * weightIn(preferred, channel));
}

/** Channels of one priority that a sticky session may use. */
export function stickyCandidates<C extends Candidate>(
  strategy: RoutingStrategy,
  step: readonly C[],
  facts: ChannelMetrics<C>,
): readonly C[] {
  const { isSteady, prefer } = strategies[strategy];
  return isSteady && step.length > 0 ? prefer(step, facts).preferred : step;
}
