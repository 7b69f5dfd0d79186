import { hostPrices } from './host-prices.ts';
import { type ListPrice, priceList } from './price-list.ts';

const listed: ReadonlyMap<string, ListPrice> = new Map(
  [...priceList, ...hostPrices].flatMap(({ models }) => Object.entries(models)),
);

/** Points per token at a price of one dollar per million tokens. */
export const ratioPerDollar = 0.5;

/** The vendors' list prices, by their own model names. */
export const listPriceOf = (model: string): ListPrice | undefined => listed.get(model);

/** List price of a dated edition, or of a name used by a cloud or router. */
export const similarListPrice = (model: string): ListPrice | undefined => {
  const name = plainName(model);
  return name === model ? undefined : (listed.get(name) ?? listed.get(name.replaceAll('.', '-')));
};

/** All names of the list, newest first per vendor. */
export const listedModels: readonly string[] = [...listed.keys()];

const plainName = (model: string): string =>
  model
    .replace(/^(?:openai|anthropic|google|x-ai|deepseek|mistralai|moonshotai|z-ai|qwen|minimax)\//, '')
    .replace(/^anthropic\./, '')
    .replace(/-v\d(?::\d)?$/, '')
    .replace(/(?:[@-]\d{8}|-\d{4}-\d\d-\d\d|-latest)$/, '')
    // Vertex AI puts the edition before the date.
    .replace(/-v\d$/, '');

/** Unit of a price: a million tokens, an image, a million characters, a second of audio, a thousand searches, a page. */
export type PriceUnit = 'tokens' | 'picture' | 'characters' | 'second' | 'searches' | 'page';

const units: readonly [models: RegExp, unit: PriceUnit][] = [
  [
    /^(?:dall-e|(?:gpt|chatgpt)-image|cogview|wanx|step-1x|ali-stable-diffusion|(?:black-forest-labs|stability-ai|recraft-ai|ideogram-ai)\/)/,
    'picture',
  ],
  [/^tts-/, 'characters'],
  [/^(?:distil-)?whisper/, 'second'],
  [/^rerank-/, 'searches'],
  [/^mistral-ocr/, 'page'],
];

/** Price unit of a model, by its name. */
export const priceUnitOf = (model: string): PriceUnit => units.find(([models]) => models.test(model))?.[1] ?? 'tokens';

/** Points per price unit at a ratio of 1. */
export const pointsPerUnit: Readonly<Record<PriceUnit, number>> = {
  tokens: 1_000_000,
  picture: 1000,
  characters: 1_000_000,
  second: 200 / 60,
  searches: 1_000_000,
  page: 1000,
};
