import type { RoutingStrategy } from '@headgate/contract';
import type { Candidate } from '../ports/relay-channel.ts';
import { drawByWeight, weightOf } from './choose-channel.ts';

/** What is known of the channels that a strategy chooses among. */
export interface ChannelFacts<C> {
  /** Requests that this process has under way there. */
  underWay(channel: C): number;
  /** Milliseconds until the first byte, about; undefined: not measured yet. */
  firstByteMs(channel: C): number | undefined;
  /** What the request costs there, in any unit; undefined: nobody knows. */
  cost(channel: C): number | undefined;
}

/** The channels of one priority among which the next request is shared by their weight. */
interface Preference<C> {
  readonly preferred: readonly C[];
  /** The chance that the request goes to any channel of the step instead, by weight. */
  readonly exploring: number;
}

interface Strategy {
  /** What it prefers stays so from request to request: conversations that stay together stay among those. */
  readonly isSteady: boolean;
  prefer<C extends Candidate>(step: readonly C[], facts: ChannelFacts<C>): Preference<C>;
}

/** One request of twenty: what became quick again is noticed, and what is slow costs little. */
const exploringForPace = 0.05;
/** Who takes up to a tenth longer than the quickest is as quick. */
const asQuick = 1.1;

/** Adding one: a row here, its name in the contract. All of them choose within one priority. */
const strategies: Readonly<Record<RoutingStrategy, Strategy>> = {
  priority_weight: { isSteady: true, prefer: (step) => ({ preferred: step, exploring: 0 }) },
  least_busy: {
    isSteady: false,
    prefer: (step, facts) => ({
      preferred: leastOf(step, (channel) => facts.underWay(channel) / weightOf(channel)),
      exploring: 0,
    }),
  },
  quickest: {
    isSteady: false,
    prefer: (step, facts) => {
      const unknown = step.filter((channel) => facts.firstByteMs(channel) === undefined);
      if (unknown.length > 0) return { preferred: unknown, exploring: 0 };
      const preferred = leastOf(step, (channel) => facts.firstByteMs(channel) ?? 0, asQuick);
      return { preferred, exploring: exploringForPace };
    },
  },
  cheapest: {
    isSteady: true,
    // What nobody knows the price of may be dear.
    prefer: (step, facts) => ({
      preferred: leastOf(step, (channel) => facts.cost(channel) ?? Number.POSITIVE_INFINITY),
      exploring: 0,
    }),
  },
};

/** Those with the least, or with hardly more. */
function leastOf<C>(channels: readonly C[], measure: (channel: C) => number, tolerance = 1): readonly C[] {
  const least = Math.min(...channels.map(measure));
  return channels.filter((channel) => measure(channel) <= least * tolerance);
}

/** The channel of one priority that is to be asked; undefined when there is none. */
export function chooseBy<C extends Candidate>(
  strategy: RoutingStrategy,
  step: readonly C[],
  facts: ChannelFacts<C>,
  roll: number,
): C | undefined {
  if (step.length === 0) return undefined;
  const { preferred, exploring } = strategies[strategy].prefer(step, facts);
  if (roll < exploring) return drawByWeight(step, roll / exploring);
  return drawByWeight(preferred, (roll - exploring) / (1 - exploring));
}

/** How likely each channel of one priority is to be asked next, in the order of the step. */
export function sharesBy<C extends Candidate>(
  strategy: RoutingStrategy,
  step: readonly C[],
  facts: ChannelFacts<C>,
): readonly number[] {
  if (step.length === 0) return [];
  const { preferred, exploring } = strategies[strategy].prefer(step, facts);
  const weightIn = (channels: readonly C[], channel: C) =>
    channels.includes(channel) ? weightOf(channel) / channels.reduce((sum, each) => sum + weightOf(each), 0) : 0;
  return step.map((channel) => exploring * weightIn(step, channel) + (1 - exploring) * weightIn(preferred, channel));
}

/** The channels of one priority that a conversation may belong to. */
export function steadyBy<C extends Candidate>(
  strategy: RoutingStrategy,
  step: readonly C[],
  facts: ChannelFacts<C>,
): readonly C[] {
  const { isSteady, prefer } = strategies[strategy];
  return isSteady && step.length > 0 ? prefer(step, facts).preferred : step;
}
