import { findCostOverride } from '@headgate/contract';
import { mediaRatios } from './built-in-ratio-tables.ts';
import { builtInRatios } from './built-in-ratios.ts';
import type { ChannelCost, CostPrice } from './channel-cost.ts';
import { longPromptRates } from './long-prompts.ts';
import { addPriceTiers, type Price, priceAt } from './price.ts';
import { pointsPerRequest, quotaOf, type TokenCount } from './quota-of.ts';

/** Properties of a channel that determine its cost. */
interface Buyer {
  readonly type: number;
  readonly purchase?: ChannelCost | undefined;
}

interface Bought {
  /** The upstream model; the requested model is used if it has no price. */
  readonly models: readonly (string | undefined)[];
  readonly pointsPerDollar: number;
  /** Price of the service tier, as a multiple; absent: the standard tier. */
  readonly tierRatio?: number;
}

interface KnownCosts {
  readonly pointsPerDollar: number;
  readonly prices: Map<string, Price | undefined>;
}

/** Cached prices, valid while the channel object and the points per dollar stay the same. */
const known = new WeakMap<Buyer, KnownCosts>();
const maxKnown = 1000;
const million = 1_000_000;

/** Upstream cost of a request in points; 0 when unknown. */
export function costOf(used: TokenCount, channel: Buyer, { models, pointsPerDollar, tierRatio = 1 }: Bought): number {
  for (const model of models) {
    const price = model === undefined ? undefined : purchasePrice(model, channel, pointsPerDollar);
    if (price) return safeCount(Math.ceil(quotaOf(used, price) * tierRatio));
  }
  return 0;
}

/** Unrounded cost of these tokens, for comparing channels; undefined when unknown. */
export function expectedCost(
  used: TokenCount,
  channel: Buyer,
  { models, pointsPerDollar }: Bought,
): number | undefined {
  for (const model of models) {
    const listed = model === undefined ? undefined : purchasePrice(model, channel, pointsPerDollar);
    if (!listed) continue;
    const price = priceAt(listed, used.prompt);
    const tokens = used.prompt + (used.units ?? 0) + used.completion * price.completion_ratio;
    return price.model_ratio * price.group_ratio * tokens + pointsPerRequest(price);
  }
  return undefined;
}

/** The cost is stored with the charge, which must not fail because of an implausible price. */
const safeCount = (cost: number): number => (Number.isSafeInteger(cost) && cost >= 0 ? cost : 0);

function purchasePrice(model: string, channel: Buyer, pointsPerDollar: number): Price | undefined {
  let costs = known.get(channel);
  if (costs?.pointsPerDollar !== pointsPerDollar) {
    costs = { pointsPerDollar, prices: new Map() };
    known.set(channel, costs);
  }
  const { prices } = costs;
  if (prices.has(model)) return prices.get(model);
  const own = channel.purchase && findCostOverride(channel.purchase.models, model);
  const price =
    own && !('multiplier' in own)
      ? ownPrice(own, pointsPerDollar)
      : listPrice(model, channel.type, (own ?? channel.purchase)?.multiplier ?? 1);
  if (prices.size >= maxKnown) prices.clear();
  prices.set(model, price);
  return price;
}

function ownPrice({ input, output, cached, cache_write, call }: CostPrice, pointsPerDollar: number): Price {
  const each = (price: number) => (input === 0 ? 0 : price / input);
  return {
    model_ratio: (input * pointsPerDollar) / million,
    completion_ratio: each(output),
    group_ratio: 1,
    group: '',
    ...(cached !== undefined && { cache_read_ratio: each(cached) }),
    ...(cache_write !== undefined && { cache_write_ratio: each(cache_write) }),
    ...(call && { call_points: call * pointsPerDollar }),
  };
}

function listPrice(model: string, channelType: number, multiplier: number): Price | undefined {
  const { model: model_ratio, completion, read, write, longWrite } = builtInRatios(model, channelType);
  if (model_ratio === undefined) return undefined;
  const price = {
    model_ratio,
    completion_ratio: completion,
    group_ratio: multiplier,
    group: '',
    cache_read_ratio: read,
    cache_write_ratio: write,
    cache_long_write_ratio: longWrite,
    ...mediaRatios(model),
  };
  return addPriceTiers(price, longPromptRates(model));
}
