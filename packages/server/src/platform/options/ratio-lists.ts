import type { OptionKey, OptionValues } from '@headgate/contract';
import { builtInRatios, listedModels, modelRatios } from '@headgate/relay';

type Ratios = Readonly<Record<string, number>>;
type RatioLists = Pick<OptionValues, 'ModelRatio' | 'CompletionRatio'>;

let builtInLists: RatioLists | undefined;

/** The ratios of every model that has a built-in price; made when somebody asks. */
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

/** What models cost: what is saved, else what is built in. */
export function effectiveRatios(saved: RatioLists): RatioLists {
  const { ModelRatio, CompletionRatio } = builtIn();
  return {
    ModelRatio: { ...ModelRatio, ...saved.ModelRatio },
    CompletionRatio: { ...CompletionRatio, ...saved.CompletionRatio },
  };
}

/**
 * What is to be saved of an option. A list of ratios that names most of what is built in was read whole, edited and
 * written back, as the console of One API does: only what differs, and what was saved before, is somebody's wish. The
 * rest follows the built-in prices of later versions.
 */
export function ratiosToSave<Value>(key: OptionKey, value: Value, before: OptionValues): Value {
  if (key !== 'ModelRatio' && key !== 'CompletionRatio') return value;
  const known: Ratios = builtIn()[key];
  const entries = Object.entries(value as Ratios);
  const named = entries.filter(([model]) => Object.hasOwn(known, model)).length;
  if (named < Object.keys(known).length / 2) return value;
  const isWished = ([model, ratio]: [string, number]) =>
    Object.hasOwn(before[key], model) || !Object.hasOwn(known, model) || known[model] !== ratio;
  return Object.fromEntries(entries.filter(isWished)) as Value;
}
