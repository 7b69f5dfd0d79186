import { usagePartNames } from '@headgate/dialects';
import type { Attempt, HedgedAttempt } from '../ports/ports.ts';
import { type Price, plainPrice, priceJson } from '../quota/price.ts';
import type { TokenCount, TokenParts } from '../quota/quota-of.ts';

interface Charged {
  readonly price: Price;
  readonly used: TokenCount;
  /** The requested model. */
  readonly asked: string;
  /** The model that served the request or failed to. */
  readonly model: string;
  /** The upstream model; undefined when nothing was sent. */
  readonly sentModel: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly hedges: readonly HedgedAttempt[];
  readonly isBudgetSpent: boolean;
  readonly dialect: string;
  /** Names of the channel's rules that applied; empty or absent: none. */
  readonly rules?: readonly string[] | undefined;
  /** Start of the delivered attempt, in milliseconds after the request; undefined when none was delivered. */
  readonly start?: number | undefined;
  /** Key of that attempt, on a channel with several. */
  readonly key?: number | undefined;
  /** Ids of the caller's limits that counted the request. */
  readonly limits?: readonly number[] | undefined;
}

/** Shorter waits are not recorded. */
const leastWaitMs = 5;

/** Cost calculation and attempts, as JSON. */
export function chargeDetail(charged: Charged): string {
  const { price, used, model, sentModel, attempts: tried, dialect: clientDialect } = charged;
  const { units, counted, implausible, parts } = used;
  const upstream_model = sentModel === model ? undefined : sentModel;
  const attempts = tried.length > 0 ? tried : undefined;
  const asked_model = charged.asked === model ? undefined : charged.asked;
  const hedges = charged.hedges.length > 0 ? charged.hedges : undefined;
  const not_retried = charged.isBudgetSpent ? 'budget' : undefined;
  const routing = asked_model ?? hedges ?? not_retried;
  // OpenAI's dialect is the default and omitted.
  const dialect = clientDialect === 'openai-chat' ? undefined : clientDialect;
  const isPlain =
    (parts ?? units ?? counted ?? implausible ?? upstream_model ?? attempts ?? dialect ?? routing) === undefined;
  if (isPlain) return withServing(priceJson(price), charged);
  const detail = JSON.stringify({
    ...plainPrice(price),
    ...(parts && partDetail(price, parts)),
    units,
    counted,
    odd_usage: implausible,
    asked_model,
    upstream_model,
    attempts,
    hedges,
    not_retried,
    dialect,
  });
  return withServing(detail, charged);
}

/** Appended as text, because this runs for most requests and the rest of their detail is cached. */
function withServing(detail: string, { start = 0, key, limits = [], rules = [] }: Charged): string {
  const waited = start >= leastWaitMs ? `,"start":${start}` : '';
  const own = key === undefined ? '' : `,"key":${key}`;
  const counted = limits.length > 0 ? `,"limits":[${limits.join()}]` : '';
  const ruled = rules.length > 0 ? `,"rules":${JSON.stringify(rules)}` : '';
  return waited || own || counted || ruled ? `${detail.slice(0, -1)}${ruled}${waited}${own}${counted}}` : detail;
}

/** Tokens of each part, and its ratio if it differs from the base. */
function partDetail(price: Price, parts: TokenParts) {
  const { cached, written, writtenLong, reasoning, audio = 0, audioCompletion = 0, imageCompletion = 0 } = parts;
  return {
    ...(cached > 0 && { [usagePartNames.cached]: cached, cache_read_ratio: price.cache_read_ratio }),
    ...(written > 0 && { [usagePartNames.written]: written, cache_write_ratio: price.cache_write_ratio }),
    ...(writtenLong > 0 && {
      [usagePartNames.writtenLong]: writtenLong,
      cache_long_write_ratio: price.cache_long_write_ratio,
    }),
    ...(reasoning > 0 && { [usagePartNames.reasoning]: reasoning, reasoning_ratio: price.reasoning_ratio }),
    ...(audio > 0 && { [usagePartNames.audio]: audio, audio_ratio: price.audio_ratio }),
    ...(audioCompletion > 0 && {
      [usagePartNames.audioCompletion]: audioCompletion,
      audio_completion_ratio: price.audio_completion_ratio,
    }),
    ...(imageCompletion > 0 && {
      [usagePartNames.imageCompletion]: imageCompletion,
      image_completion_ratio: price.image_completion_ratio,
    }),
  };
}
