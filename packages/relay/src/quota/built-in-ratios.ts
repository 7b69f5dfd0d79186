import { cacheRatiosByRule } from './cache-ratios.ts';
import { completionRatioByRule } from './completion-ratios.ts';
import { listPriceOf, listPriceOfKin, ratioPerDollar } from './listed-price.ts';
import type { ListPrice } from './price-list.ts';
import { lookUp, searchlessName } from './ratio-table.ts';
import { completionRatios, modelRatios } from './ratios.ts';

/** What a model costs when nobody saved another price. */
interface BuiltInRatios {
  /** Undefined: nobody knows. */
  readonly model: number | undefined;
  readonly completion: number;
  /** Of the price of a prompt token. */
  readonly read: number;
  readonly write: number;
  readonly longWrite: number;
}

/** From the makers' list, then the older table, then the list by a name that is nearly the same, then the rules. */
export function builtInRatios(name: string, channelType: number): BuiltInRatios {
  const model = searchlessName(name);
  const older = lookUp(model, channelType, modelRatios);
  const listed = listPriceOf(model) ?? (older === undefined ? listPriceOfKin(model) : undefined);
  if (listed) return listedRatios(listed, model);
  const { read, write = 1, longWrite = write } = cacheRatiosByRule(model);
  const completion = lookUp(model, channelType, completionRatios) ?? completionRatioByRule(model);
  return { model: older, completion, read, write, longWrite };
}

/** So that 0.08 of 0.8 is a tenth. */
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
