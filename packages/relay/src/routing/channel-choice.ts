import type { Route, RouteRule } from '../ports/ports.ts';
import type { RelayChannel, RelayKey, RelayKeys } from '../ports/relay-channel.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import { contextWindowOf } from '../quota/context-windows.ts';
import type { ChannelLoads } from './channel-loads.ts';
import { channelsWithAvailableKey, chooseChannel, chooseKey, topPriorityChannels } from './choose-key.ts';
import type { Cooldowns } from './cooldowns.ts';
import { keyHashOf, rendezvous } from './rendezvous.ts';
import { type ChannelMetrics, chooseByStrategy, stickyCandidates } from './strategies.ts';

/** Health of the channels, as observed by this process. */
export interface ChannelStates {
  readonly cooldowns: Cooldowns;
  readonly keyCooldowns: Cooldowns;
  readonly loads: ChannelLoads;
}

/** Sources of randomness and time. */
interface RandomSource {
  roll(): number;
  clock(): number;
}

/** Properties of the request that routing rules depend on. */
interface RoutedRequest {
  readonly rule: RouteRule;
  /** Channels with a large enough context window. */
  readonly fitting: readonly RelayChannel[];
  readonly conversation: number | undefined;
  readonly facts: ChannelMetrics<RelayChannel>;
}

export interface ChoiceInput {
  readonly channels: Route['channels'];
  /** Undefined without limits. */
  readonly limits: Pick<RequestLimits, 'hasRoom' | 'hasChannelLimits'> | undefined;
}

/** Chooses the next channel and its key. */
export class ChannelChoice {
  readonly #channels: Route['channels'];
  readonly #states: ChannelStates;
  readonly #chance: RandomSource;
  readonly #ruled: RoutedRequest | undefined;
  readonly #requested: ChoiceInput;

  constructor(requested: ChoiceInput, states: ChannelStates, chance: RandomSource, ruled?: RoutedRequest) {
    this.#requested = requested;
    this.#channels = ruled?.fitting ?? requested.channels;
    this.#states = states;
    this.#chance = chance;
    this.#ruled = ruled;
  }

  /** Returns the next channel; one that is cooling down only if no other is left. */
  next(tried: ReadonlySet<number>): RelayChannel | undefined {
    const free = this.#withRoom();
    const [first] = free;
    // Most models have one channel, so there is nothing to choose.
    if (first && free.length === 1) return tried.has(first.id) ? undefined : first;
    return this.#pick(this.#available(free), tried) ?? this.#pick(free, tried);
  }

  /** The next key among those allowed. */
  key(keys: RelayKeys, mayTake: (key: RelayKey) => boolean): RelayKey | undefined {
    const conversation = this.#ruled?.conversation;
    if (conversation === undefined) return chooseKey(keys, mayTake, () => this.#chance.roll());
    return rendezvous(keys.all, keyHashOf(conversation), mayTake);
  }

  /** Channels whose limits currently admit the request. */
  #withRoom(): readonly RelayChannel[] {
    const { limits } = this.#requested;
    return limits?.hasChannelLimits ? this.#channels.filter(({ id }) => limits.hasRoom(id)) : this.#channels;
  }

  /** Channels that are not cooling down. */
  #available(free: readonly RelayChannel[]): readonly RelayChannel[] {
    const { cooldowns, keyCooldowns } = this.#states;
    const now = this.#chance.clock();
    return channelsWithAvailableKey(cooldowns.available(free, now), keyCooldowns, now);
  }

  #pick(channels: readonly RelayChannel[], tried: ReadonlySet<number>): RelayChannel | undefined {
    if (!this.#ruled) return chooseChannel(channels, tried, this.#chance.roll());
    const { rule, conversation, facts } = this.#ruled;
    const step = topPriorityChannels(channels, tried);
    if (conversation !== undefined) return rendezvous(stickyCandidates(rule.strategy, step, facts), conversation);
    return chooseByStrategy(rule.strategy, step, facts, this.#chance.roll());
  }
}

type Mapped = Pick<RelayChannel, 'modelMapping'>;

/** Context window of the model on this channel; undefined: unknown, assumed to fit. */
export const channelContextWindow = ({ modelMapping }: Mapped, model: string): number | undefined =>
  contextWindowOf(modelMapping.get(model) || model);

/** Channels whose model can read this many tokens; all channels if no model can, because the table may be wrong. */
export function channelsWithinContext<C extends Mapped>(
  channels: readonly C[],
  model: string,
  tokens: number,
): readonly C[] {
  if (channels.every((channel) => fits(channel, model, tokens))) return channels;
  const fitting = channels.filter((channel) => fits(channel, model, tokens));
  return fitting.length > 0 ? fitting : channels;
}

/**
 * True if an estimate is enough to decide: every channel fits its maximum, or its minimum and maximum fit the same
 * channels.
 */
export const canSkipTokenCount = (channels: readonly Mapped[], model: string, min: number, max: number): boolean =>
  channels.every((channel) => {
    const window = channelContextWindow(channel, model) ?? Number.POSITIVE_INFINITY;
    return window >= min === window >= max;
  });

const fits = (channel: Mapped, model: string, tokens: number): boolean =>
  (channelContextWindow(channel, model) ?? Number.POSITIVE_INFINITY) >= tokens;
