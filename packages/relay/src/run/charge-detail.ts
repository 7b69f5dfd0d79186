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
}

/** Cost calculation and attempts, as JSON. */
export function chargeDetail(charged: Charged): string {
  const { price, used, model, sentModel, attempts: tried, dialect: spoken } = charged;
  const { units, counted, implausible, parts } = used;
  const upstream_model = sentModel === model ? undefined : sentModel;
  const attempts = tried.length > 0 ? tried : undefined;
  const asked_model = charged.asked === model ? undefined : charged.asked;
  const hedges = charged.hedges.length > 0 ? charged.hedges : undefined;
  const not_retried = charged.isBudgetSpent ? 'budget' : undefined;
  const rules = charged.rules?.length ? charged.rules : undefined;
  const routing = asked_model ?? hedges ?? not_retried ?? rules;
  // OpenAI's dialect is the default and omitted.
  const dialect = spoken === 'openai-chat' ? undefined : spoken;
  const isPlain =
    (parts ?? units ?? counted ?? implausible ?? upstream_model ?? attempts ?? dialect ?? routing) === undefined;
  if (isPlain) return priceJson(price);
  return JSON.stringify({
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
    rules,
  });
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
