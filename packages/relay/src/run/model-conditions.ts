import { isServiceTier, multiplierAt, type ServiceTier } from '@headgate/contract';
import { selectsServiceTier, serviceTierField } from '@headgate/dialects';
import type { UsageEstimate } from '../metering/estimated-usage.ts';
import { RequestReservation } from '../metering/request-reservation.ts';
import { UsageCounter } from '../metering/usage-counter.ts';
import { detectCaching, estimateUsage, hasOutputLimit } from '../metering/usage-estimate.ts';
import type { Caller, Ports, Route, RouteRule } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import { expectedCost } from '../quota/cost.ts';
import { type Caching, type Price, priceOf, type SavedRatios } from '../quota/price.ts';
import {
  applyPriceConditions,
  chargedTier,
  type ReportedServiceTier,
  reservedTier,
} from '../quota/price-conditions.ts';
import type { RelayRequest } from '../request/read-request.ts';
import {
  ChannelChoice,
  type ChoiceInput,
  canSkipTokenCount,
  channelsWithinContext,
} from '../routing/channel-choice.ts';
import { conversationKey } from '../routing/conversation-key.ts';
import type { ChannelMetrics } from '../routing/strategies.ts';
import type { RelayCall } from './relay-call.ts';
import type { UpstreamServices } from './upstream-services.ts';

const noChannel = { type: 0 };
/** Minimum ratio of a prompt's tokens to the estimate by length. */
const minEstimateShare = 0.5;

interface KnownPrice {
  readonly channel: RelayChannel | undefined;
  readonly ratios: SavedRatios;
  readonly price: Price;
}

/** Everything that depends on the serving model: channels, estimated usage and price. */
export class ModelConditions<By extends Caller> implements ChannelMetrics<RelayChannel> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly call: RelayCall<By>;
  readonly route: Route;
  readonly estimate: UsageEstimate;
  /** Output limit of all choices set by the request. */
  readonly limit: number | undefined;
  readonly counter: UsageCounter;
  readonly requestReservation: RequestReservation;
  /** Computed on demand. */
  #caching: Caching | undefined;
  /** Last price looked up, with the inputs of the lookup. */
  #price: KnownPrice | undefined;
  /** Wall-clock time when the request was first priced: the price stays the same while the request runs. */
  #pricedAt: number | undefined;

  constructor(ports: Ports<By>, services: UpstreamServices, call: RelayCall<By>, route: Route) {
    const { caller, request } = call;
    this.#ports = ports;
    this.#services = services;
    this.call = call;
    this.route = route;
    this.estimate = estimateUsage(request, route.channels, ports.assumptions());
    const { most, least, used } = this.estimate;
    this.limit = hasOutputLimit(request) ? (least ?? most).completion : undefined;
    this.counter = new UsageCounter(services, {
      request,
      prompt: used.prompt,
      limit: this.limit,
      media: most.parts,
      isEstimate: ports.estimatesTokens(),
    });
    this.requestReservation = new RequestReservation({
      request,
      caller,
      group: route.group,
      estimate: this.estimate,
      counter: this.counter,
      channels: route.channels,
      priceOn: (channel) => this.priceOn(channel),
    });
  }

  get request(): RelayRequest {
    return this.call.request;
  }

  /** Price to reserve: that of the most expensive service tier that may serve the request. */
  priceOn(channel: RelayChannel | undefined): Price {
    const price = this.#standardPrice(channel);
    return this.#applyConditions(price, reservedTier(price, this.requestedTier));
  }

  /** Price to charge. If no tier is reported, the requested tier counts if it was sent. */
  chargedPrice(prepared: PreparedRequest | undefined, reported: ReportedServiceTier): Price {
    const price = this.#standardPrice(prepared?.channel ?? this.route.channels[0]);
    const { requestedTier } = this;
    const sent = requestedTier && prepared?.request.body;
    const isSent = sent !== undefined && selectsServiceTier(sent);
    return this.#applyConditions(
      price,
      chargedTier(price, requestedTier, reported ?? (isSent ? undefined : 'standard')),
    );
  }

  get requestedTier(): ServiceTier | undefined {
    const tier = this.request.body[serviceTierField];
    return isServiceTier(tier) ? tier : undefined;
  }

  #applyConditions(price: Price, tier: ServiceTier | undefined): Price {
    if (!price.hours) return tier ? applyPriceConditions(price, { tier, clock: 1 }) : price;
    this.#pricedAt ??= this.#ports.wallClock();
    return applyPriceConditions(price, { tier, clock: multiplierAt(price.hours, this.#pricedAt) });
  }

  #standardPrice(channel: RelayChannel | undefined): Price {
    const ratios = this.#ports.ratios();
    if (this.#price?.channel !== channel || this.#price?.ratios !== ratios)
      this.#price = { channel, ratios, price: this.#lookUpPrice(channel, ratios) };
    return this.#price.price;
  }

  #lookUpPrice(channel: RelayChannel | undefined, ratios: SavedRatios): Price {
    const price = priceOf(
      this.request.pricedModel ?? this.request.model,
      channel ?? noChannel,
      this.route.group,
      ratios,
    );
    if (!price.byCaching) return price;
    this.#caching ??= detectCaching(this.request);
    return price.byCaching[this.#caching];
  }

  /** Asynchronous only if a rule needs the exact prompt length. */
  choice(user: number): ChannelChoice | Promise<ChannelChoice> {
    const { rule, channels } = this.route;
    if (!rule) return new ChannelChoice(this.#requested, this.#services, this.#ports);
    const fitting = rule.fitsWindow ? this.#fitting() : channels;
    return fitting instanceof Promise
      ? fitting.then((found) => this.#ruledChoice(rule, found, user))
      : this.#ruledChoice(rule, fitting, user);
  }

  get #requested(): ChoiceInput {
    return { channels: this.route.channels, limits: this.call.limits };
  }

  #ruledChoice(rule: RouteRule, fitting: readonly RelayChannel[], user: number): ChannelChoice {
    const conversation = conversationKey(rule.affinity, this.request, user);
    return new ChannelChoice(this.#requested, this.#services, this.#ports, {
      rule,
      fitting,
      conversation,
      facts: this,
    });
  }

  #fitting(): readonly RelayChannel[] | Promise<readonly RelayChannel[]> {
    const { channels } = this.route;
    const { model, completionLimit = 0 } = this.request;
    const { prompt } = this.estimate.used;
    const max = prompt + completionLimit;
    if (canSkipTokenCount(channels, model, prompt * minEstimateShare + completionLimit, max))
      return channelsWithinContext(channels, model, max);
    return this.counter
      .prompt()
      .then((counted) => channelsWithinContext(channels, model, (counted ?? prompt) + completionLimit));
  }

  inFlight({ id }: RelayChannel): number {
    return this.#services.loads.inFlight(id);
  }

  firstByteMs({ id }: RelayChannel): number | undefined {
    const { model, isStream } = this.request;
    return this.#services.loads.firstByteMs(id, model, isStream ? 'stream' : 'whole');
  }

  cost(channel: RelayChannel): number | undefined {
    const { model } = this.request;
    const expected = { ...this.estimate.used, completion: this.#ports.assumptions().typicalCompletion };
    const models = [channel.modelMapping.get(model), model];
    return expectedCost(expected, channel, { models, pointsPerDollar: this.#ports.ratios().QuotaPerUnit });
  }
}
