import type { PriceInDollars } from '@headgate/contract';
import {
  builtInRatios,
  mediaRatios,
  type Price,
  type PriceUnit,
  pointsPerRequest,
  pointsPerUnit,
  priceUnitOf,
} from '@headgate/relay';

interface Rate {
  /** Points per dollar. */
  readonly quotaPerUnit: number;
  readonly unit: PriceUnit;
}

/** Rounds away binary errors, so that 0.1 + 0.2 is shown as 0.3. */
const digits = 10;
const plain = (amount: number): number => Number(amount.toPrecision(digits));

/** Price per unit: a million tokens, an image. */
export function priceInDollars(price: Price, { quotaPerUnit, unit }: Rate): PriceInDollars {
  const {
    model_ratio,
    group_ratio,
    completion_ratio,
    cache_read_ratio: read = 1,
    cache_write_ratio: write = 1,
  } = price;
  const { cache_long_write_ratio: longWrite = write, reasoning_ratio: reasoning = 1 } = price;
  const { audio_ratio = 1, cached_audio_ratio = 1, audio_completion_ratio = 1 } = price;
  const { flex_ratio: flex = 0, priority_ratio: priority = 0 } = price;
  const { image_ratio = 1, cached_image_ratio = 1, image_completion_ratio = 1 } = price;
  const input = (model_ratio * group_ratio * pointsPerUnit[unit]) / quotaPerUnit;
  const output = input * completion_ratio;
  return {
    input: plain(input),
    output: plain(output),
    cached: plain(input * read),
    cache_write: plain(input * write),
    cache_long_write: plain(input * longWrite),
    reasoning: plain(output * reasoning),
    audio: plain(input * audio_ratio),
    cached_audio: plain(input * read * cached_audio_ratio),
    audio_output: plain(output * audio_completion_ratio),
    image: plain(input * image_ratio),
    cached_image: plain(input * read * cached_image_ratio),
    image_output: plain(output * image_completion_ratio),
    flex: plain(input * flex),
    priority: plain(input * priority),
    call: plain(pointsPerRequest(price) / quotaPerUnit),
  };
}

/** The provider's list price; null when unknown. */
export function builtInPrice(model: string, quotaPerUnit: number): PriceInDollars | null {
  const { model: model_ratio, completion, read, write, longWrite } = builtInRatios(model, 0);
  if (model_ratio === undefined) return null;
  const price = {
    model_ratio,
    completion_ratio: completion,
    group_ratio: 1,
    group: '',
    cache_read_ratio: read,
    cache_write_ratio: write,
    cache_long_write_ratio: longWrite,
    ...mediaRatios(model),
  };
  return priceInDollars(price, { quotaPerUnit, unit: priceUnitOf(model) });
}
