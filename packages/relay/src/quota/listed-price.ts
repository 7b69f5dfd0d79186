import { hostPrices } from './host-prices.ts';
import { type ListPrice, priceList } from './price-list.ts';

const listed: ReadonlyMap<string, ListPrice> = new Map(
  [...priceList, ...hostPrices].flatMap(({ models }) => Object.entries(models)),
);

/** Points for a token that costs a dollar for a million of them. */
export const ratioPerDollar = 0.5;

/** The makers' own prices, by the names they give. */
export const listPriceOf = (model: string): ListPrice | undefined => listed.get(model);

/** The same for a dated edition, or under a name that a cloud or a router gives it. */
export const listPriceOfKin = (model: string): ListPrice | undefined => {
  const name = plainName(model);
  return name === model ? undefined : (listed.get(name) ?? listed.get(name.replaceAll('.', '-')));
};

/** Every name of the list, newest first within a maker. */
export const listedModels: readonly string[] = [...listed.keys()];

const plainName = (model: string): string =>
  model
    .replace(/^(?:openai|anthropic|google|x-ai|deepseek|mistralai|moonshotai|z-ai|qwen|minimax)\//, '')
    .replace(/^anthropic\./, '')
    .replace(/-v\d(?::\d)?$/, '')
    .replace(/(?:[@-]\d{8}|-\d{4}-\d\d-\d\d|-latest)$/, '')
    // Vertex AI puts the edition before the date.
    .replace(/-v\d$/, '');
