import { longPromptRates } from './long-prompts.ts';
import { completionRatios, modelRatios } from './ratios.ts';

/** Multipliers an admin may save; what is not in them comes from the built-in tables. */
export interface SavedRatios {
  readonly ModelRatio: Readonly<Record<string, number>>;
  readonly CompletionRatio: Readonly<Record<string, number>>;
  readonly GroupRatio: Readonly<Record<string, number>>;
}

export interface Price {
  readonly model_ratio: number;
  readonly completion_ratio: number;
  readonly group_ratio: number;
  /** The one whose ratio it is. */
  readonly group: string;
  /** Where long prompts have other prices. One of a given length has none: see `priceAt`. */
  readonly tiers?: PriceTiers;
}

interface PriceTiers {
  /** Tokens of the prompt. */
  readonly above: number;
  readonly below: Price;
  readonly beyond: Price;
}

export interface TokenCount {
  readonly prompt: number;
  readonly completion: number;
  /** What is not counted in tokens but costs like one: parts of a picture, characters, text heard. */
  readonly units?: number;
  /** How it was counted here; absent: the upstream told, or there was nothing to count. */
  readonly counted?: 'tokenizer' | 'estimate';
  /** What the upstream told and cannot be, in a few words. */
  readonly implausible?: string;
}

/** The ratio of a model that nobody priced: dear enough to be noticed. */
const unknownModelRatio = 30;

/** Prices that were looked up before, for as long as the tables stay the same object. */
const known = new WeakMap<SavedRatios, Map<string, Price>>();
const mostKnown = 10_000;

/** The price of what the user asked for, on the kind of channel that serves it. */
export function priceOf(model: string, channelType: number, group: string, saved: SavedRatios): Price {
  const prices = known.get(saved) ?? new Map<string, Price>();
  known.set(saved, prices);
  const name = `${channelType}\0${group}\0${model}`;
  const found = prices.get(name);
  if (found) return found;
  const price = withTiers(lookUpPrice(model, channelType, group, saved), model);
  if (prices.size < mostKnown) prices.set(name, price);
  return price;
}

function lookUpPrice(model: string, channelType: number, group: string, saved: SavedRatios): Price {
  return {
    model_ratio: lookUp(model, channelType, saved.ModelRatio, modelRatios) ?? unknownModelRatio,
    completion_ratio:
      lookUp(model, channelType, saved.CompletionRatio, completionRatios) ?? completionRatioByRule(model),
    group_ratio: ownNumber(saved.GroupRatio, group) ?? 1,
    group,
  };
}

/** In proportion to the usual prices, whoever set those. */
function withTiers(below: Price, model: string): Price {
  const rates = longPromptRates(model);
  if (!rates) return below;
  const { above, prompt, completion } = rates;
  const model_ratio = below.model_ratio * prompt;
  const completion_ratio = (below.completion_ratio * completion) / prompt;
  return { ...below, tiers: { above, below, beyond: { ...below, model_ratio, completion_ratio } } };
}

/** The price of a request with a prompt of this length. */
export const priceAt = (price: Price, prompt: number): Price => {
  if (!price.tiers) return price;
  return prompt > price.tiers.above ? price.tiers.beyond : price.tiers.below;
};

const texts = new WeakMap<Price, string>();

/** A price as JSON, written once for each price: few of them serve many requests. */
export function priceText(price: Price): string {
  const known = texts.get(price);
  if (known !== undefined) return known;
  const text = JSON.stringify(price);
  texts.set(price, text);
  return text;
}

export const noTokens: TokenCount = { prompt: 0, completion: 0 };

/** Whole points, rounded up once; at least one when anything was used at a price, never more than a safe integer. */
export function quotaOf({ prompt, completion, units = 0 }: TokenCount, given: Price): number {
  const price = priceAt(given, prompt);
  const ratio = price.model_ratio * price.group_ratio;
  if (prompt + completion + units <= 0 || ratio === 0) return 0;
  // A part in a billion of slack: 0.1 + 0.2 must not cost a point more than 0.3.
  const exact = (prompt + units + completion * price.completion_ratio) * ratio;
  return Math.min(Math.max(Math.ceil(exact - exact * 1e-9), 1), Number.MAX_SAFE_INTEGER);
}

type Table = Readonly<Record<string, number>>;

function lookUp(model: string, channelType: number, saved: Table, builtIn: Table): number | undefined {
  const name = model.replace(/^((?:qwen|command)-.*)-internet$/, '$1');
  const onType = `${name}(${channelType})`;
  return ownNumber(saved, onType) ?? ownNumber(saved, name) ?? ownNumber(builtIn, onType) ?? ownNumber(builtIn, name);
}

const ownNumber = (table: Table, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

interface Rule {
  readonly applies: (model: string) => boolean;
  readonly ratio: number;
}

const startsWith = (prefix: string) => (model: string) => model.startsWith(prefix);
const isOneOf =
  (...names: string[]) =>
  (model: string) =>
    names.includes(model);

/** Completion ratios by family of models; the first that applies counts. */
const completionRules: readonly Rule[] = [
  { applies: (model) => model === 'gpt-3.5-turbo' || /^gpt-3\.5.*0125$/.test(model), ratio: 3 },
  { applies: (model) => /^gpt-3\.5.*1106$/.test(model), ratio: 2 },
  { applies: startsWith('gpt-3.5'), ratio: 4 / 3 },
  { applies: isOneOf('gpt-4o-2024-05-13', 'chatgpt-4o-latest'), ratio: 3 },
  { applies: startsWith('gpt-4o'), ratio: 4 },
  { applies: (model) => model.startsWith('gpt-4-turbo') || /^gpt-4.*preview$/.test(model), ratio: 3 },
  { applies: startsWith('gpt-4'), ratio: 2 },
  { applies: (model) => /^o[13]/.test(model), ratio: 4 },
  { applies: startsWith('claude-3'), ratio: 5 },
  { applies: startsWith('claude-'), ratio: 3 },
  { applies: startsWith('mistral-'), ratio: 3 },
  { applies: startsWith('gemini-'), ratio: 3 },
  { applies: startsWith('deepseek-'), ratio: 2 },
  { applies: isOneOf('llama2-70b-4096'), ratio: 1.25 },
  { applies: isOneOf('llama3-8b-8192'), ratio: 2 },
  { applies: isOneOf('llama3-70b-8192'), ratio: 0.79 / 0.59 },
  { applies: isOneOf('command', 'command-light', 'command-nightly', 'command-light-nightly'), ratio: 2 },
  { applies: isOneOf('command-r', 'grok-beta'), ratio: 3 },
  { applies: isOneOf('command-r-plus'), ratio: 5 },
];

const completionRatioByRule = (model: string): number =>
  completionRules.find(({ applies }) => applies(model))?.ratio ?? 1;
