import { isServiceTier, type ServiceTier } from '@headgate/contract';
import type { Price } from './price.ts';

/** Conditions of a request that change all of its prices. */
export interface PriceConditions {
  /** Undefined: the standard tier. */
  readonly tier: ServiceTier | undefined;
  /** Time-of-day multiplier. */
  readonly clock: number;
}

/** Service tier of a response; undefined if not reported. */
export type ReportedServiceTier = ServiceTier | 'standard' | undefined;

export const readReportedTier = (value: unknown): ReportedServiceTier =>
  isServiceTier(value) ? value : typeof value === 'string' && value !== '' ? 'standard' : undefined;

/** Multiple of the standard price; 1 for the standard tier or one without a price. */
export const tierRatio = (price: Price, tier: ServiceTier | undefined): number => (tier && price[`${tier}_ratio`]) ?? 1;

/** Tier for the reservation: the requested one, or the standard tier, which a provider may use instead. */
export const reservedTier = (price: Price, requested: ServiceTier | undefined): ServiceTier | undefined =>
  tierRatio(price, requested) > 1 ? requested : undefined;

/**
 * Tier to charge: the reported one unless it costs more than the request reserved; if none is reported, the requested
 * one.
 */
export function chargedTier(
  price: Price,
  requested: ServiceTier | undefined,
  reported: ReportedServiceTier,
): ServiceTier | undefined {
  const tier = reported === undefined ? requested : reported === 'standard' ? undefined : reported;
  const reserved = reservedTier(price, requested);
  return tierRatio(price, tier) > tierRatio(price, reserved) ? reserved : tier;
}

const known = new WeakMap<Price, Map<string, Price>>();

/**
 * The price under these conditions. Returns the same object for the same conditions, so that its serialized form stays
 * cached.
 */
export function applyPriceConditions(price: Price, { tier, clock }: PriceConditions): Price {
  const ratio = tierRatio(price, tier);
  if (ratio === 1 && clock === 1) return price;
  let prices = known.get(price);
  if (!prices) {
    prices = new Map();
    known.set(price, prices);
  }
  const key = `${ratio === 1 ? '' : tier} ${clock}`;
  let found = prices.get(key);
  if (!found) {
    found = scaled(price, {
      ...(ratio !== 1 && { served_tier: tier }),
      ...(clock !== 1 && { clock_multiplier: clock }),
    });
    prices.set(key, found);
  }
  return found;
}

function scaled(price: Price, conditions: Pick<Price, 'served_tier' | 'clock_multiplier'>): Price {
  const { served_tier: tier, clock_multiplier: clock = 1 } = conditions;
  const factor = tierRatio(price, tier) * clock;
  const [first, ...longer] = price.tiers ?? [];
  const tierOf = (each: NonNullable<Price['tiers']>[0]) => ({ ...each, price: scaled(each.price, conditions) });
  return {
    ...price,
    ...conditions,
    model_ratio: price.model_ratio * factor,
    ...(price.call_points !== undefined && { call_points: price.call_points * factor }),
    ...(first && { tiers: [tierOf(first), ...longer.map(tierOf)] }),
  };
}
