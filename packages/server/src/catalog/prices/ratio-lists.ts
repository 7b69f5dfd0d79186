import type { OptionValues, PriceOptionKey, Ratios } from '@headgate/contract';
import { builtInRatios, listedModels, modelRatios } from '@headgate/relay';

type RatioLists = Pick<OptionValues, 'ModelRatio' | 'CompletionRatio'>;

let builtInLists: RatioLists | undefined;

/** Ratios of every model with a built-in price, computed on first use. */
function builtIn(): RatioLists {
  builtInLists ??= listsOf([...new Set([...listedModels, ...Object.keys(modelRatios)])]);
  return builtInLists;
}

function listsOf(models: readonly string[]): RatioLists {
  const ratios = models.map((name) => ({ name, ...builtInRatios(name, anyType) }));
  return {
    ModelRatio: Object.fromEntries(ratios.flatMap(({ name, model }) => (model === undefined ? [] : [[name, model]]))),
    CompletionRatio: Object.fromEntries(ratios.map(({ name, completion }) => [name, completion])),
  };
}

const anyType = 0;

/** The saved ratio of each model, or the built-in one. */
export function effectiveRatios(saved: RatioLists): RatioLists {
  const { ModelRatio, CompletionRatio } = builtIn();
  return {
    ModelRatio: { ...ModelRatio, ...saved.ModelRatio },
    CompletionRatio: { ...CompletionRatio, ...saved.CompletionRatio },
  };
}

/**
 * Ratios in a written list that must be saved. A list with most built-in models was read, edited and written back as a
 * whole, as the One API console does: only ratios that differ or were saved before are saved again. The others keep
 * following the built-in prices of later versions.
 */
export function changedRatios(key: PriceOptionKey, value: Ratios, before: Pick<OptionValues, PriceOptionKey>): Ratios {
  if (key !== 'ModelRatio' && key !== 'CompletionRatio') return value;
  const known: Ratios = builtIn()[key];
  const entries = Object.entries(value);
  const named = entries.filter(([model]) => Object.hasOwn(known, model)).length;
  if (named < Object.keys(known).length / 2) return value;
  const isWished = ([model, ratio]: [string, number]) =>
    Object.hasOwn(before[key], model) || !Object.hasOwn(known, model) || known[model] !== ratio;
  return Object.fromEntries(entries.filter(isWished));
}
