import { cacheRatiosByRule, completionRatioByRule, lookUpRatio, withoutSearchSuffix } from './built-in-ratio-tables.ts';
import { listPriceOf, ratioPerDollar, similarListPrice } from './listed-price.ts';
import type { ListPrice } from './price-list.ts';
import { completionRatios, modelRatios } from './ratios.ts';

/** Price of a model without a saved price. */
interface BuiltInRatios {
  /** Undefined: unknown. */
  readonly model: number | undefined;
  readonly completion: number;
  /** As a multiple of the prompt token price. */
  readonly read: number;
  readonly write: number;
  readonly longWrite: number;
}

/** Looks in the vendors' price list, then the older table, then the list by a similar name, then the rules. */
export function builtInRatios(name: string, channelType: number): BuiltInRatios {
  const model = withoutSearchSuffix(name);
  if (routerPrefix.test(model)) {
    const ofMaker = builtInRatios(makersName(model), channelType);
    if (ofMaker.model !== undefined) return ofMaker;
  }
  const older = lookUpRatio(model, channelType, modelRatios);
  const listed = listPriceOf(model) ?? (older === undefined ? similarListPrice(model) : undefined);
  if (listed) return listedRatios(listed, model);
  const { read, write = 1, longWrite = write } = cacheRatiosByRule(model);
  const completion = lookUpRatio(model, channelType, completionRatios) ?? completionRatioByRule(model);
  return { model: older, completion, read, write, longWrite };
}

/** Routers sell models of these vendors at the vendors' prices. The older table has one price for input and output. */
const routerPrefix = /^(?:openai|anthropic|google|x-ai)\/(?=gpt-|chatgpt-|o\d|claude-|gemini-|grok-)/;

/** From Claude 3 on, routers write the version with a dot. */
const makersName = (model: string): string =>
  model
    .replace(routerPrefix, '')
    .replace(/:beta$/, '')
    .replace(/^(claude-(?!2).*)\.(\d)/, '$1-$2');

/** Rounds so that 0.08 / 0.8 is exactly 0.1. */
const ratioDigits = 12;

function listedRatios([input, output, cached, cacheWrite, cacheLongWrite]: ListPrice, model: string): BuiltInRatios {
  const rule = cacheRatiosByRule(model);
  const ofInput = (price: number | undefined) =>
    price === undefined || input === 0 ? undefined : Number((price / input).toPrecision(ratioDigits));
  const write = ofInput(cacheWrite) ?? rule.write ?? 1;
  return {
    model: input * ratioPerDollar,
    completion: ofInput(output) ?? 1,
    read: ofInput(cached) ?? rule.read,
    write,
    longWrite: ofInput(cacheLongWrite) ?? rule.longWrite ?? write,
  };
}
