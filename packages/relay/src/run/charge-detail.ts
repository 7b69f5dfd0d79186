import { usagePartNames } from '@headgate/dialects';
import type { Attempt, HedgedAttempt } from '../ports/ports.ts';
import { basePrice, type Price, priceJson } from '../quota/price.ts';
import type { TokenCount, TokenParts } from '../quota/quota-of.ts';

interface Charged {
  readonly price: Price;
  readonly used: TokenCount;
  /** The requested model. */
  readonly requested: string;
  /** The model that served the request or failed to. */
  readonly model: string;
  /** The upstream model; undefined if nothing was sent. */
  readonly sentModel: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly hedges: readonly HedgedAttempt[];
  readonly isBudgetSpent: boolean;
  readonly dialect: string;
  /** Names of the channel's rules that applied; empty or absent: none. */
  readonly rules?: readonly string[] | undefined;
  /** Start of the delivered attempt, in milliseconds after the request; undefined if none was delivered. */
  readonly start?: number | undefined;
  /** Key of that attempt, on a channel with several. */
  readonly key?: number | undefined;
  /** Ids of the caller's limits that counted the request. */
  readonly limits?: readonly number[] | undefined;
}

/** Waits below this are not recorded. */
const minWaitMs = 5;

/** Cost calculation and attempts, as JSON. */
export function chargeDetail(charged: Charged): string {
  const { price, used, model, sentModel, attempts: tried, dialect: clientDialect } = charged;
  const { units, counted, implausible, parts } = used;
  const upstream_model = sentModel === model ? undefined : sentModel;
  const attempts = tried.length > 0 ? tried : undefined;
  const asked_model = charged.requested === model ? undefined : charged.requested;
  const hedges = charged.hedges.length > 0 ? charged.hedges : undefined;
  const not_retried = charged.isBudgetSpent ? 'budget' : undefined;
  const routing = asked_model ?? hedges ?? not_retried;
  // OpenAI's dialect is the default and omitted.
  const dialect = clientDialect === 'openai-chat' ? undefined : clientDialect;
  const isPlain =
    (parts ?? units ?? counted ?? implausible ?? upstream_model ?? attempts ?? dialect ?? routing) === undefined;
  if (isPlain) return withServing(priceJson(price), charged);
  const detail = JSON.stringify({
    ...basePrice(price),
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
  const waited = start >= minWaitMs ? `,"start":${start}` : '';
  const own = key === undefined ? '' : `,"key":${key}`;
  const counted = limits.length > 0 ? `,"limits":[${limits.join()}]` : '';
  const ruled = rules.length > 0 ? `,"rules":${JSON.stringify(rules)}` : '';
  return waited || own || counted || ruled ? `${detail.slice(0, -1)}${ruled}${waited}${own}${counted}}` : detail;
}

/** Name of each part's ratio. */
const partRatioNames = {
  cached: 'cache_read_ratio',
  written: 'cache_write_ratio',
  writtenLong: 'cache_long_write_ratio',
  reasoning: 'reasoning_ratio',
  audio: 'audio_ratio',
  image: 'image_ratio',
  cachedAudio: 'cached_audio_ratio',
  cachedImage: 'cached_image_ratio',
  audioCompletion: 'audio_completion_ratio',
  imageCompletion: 'image_completion_ratio',
} as const satisfies Readonly<Record<keyof TokenParts, keyof Price>>;

/** Tokens of each part, and its ratio if it differs from the base. */
function partDetail(price: Price, parts: TokenParts): Readonly<Record<string, number | undefined>> {
  const names = Object.keys(partRatioNames) as (keyof TokenParts)[];
  const used = names.filter((name) => (parts[name] ?? 0) > 0);
  return Object.fromEntries(
    used.flatMap((name) => [
      [usagePartNames[name], parts[name]],
      [partRatioNames[name], price[partRatioNames[name]]],
    ]),
  );
}
