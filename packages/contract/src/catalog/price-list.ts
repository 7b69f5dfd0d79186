import { dollarPrice } from '../accounts/channel-cost.ts';
import { listedNameLength } from './channel.ts';
import {
  type ModelPrice,
  type PriceChange,
  type PriceInDollars,
  type PriceListFormat,
  type PricePart,
  type PriceProposal,
  type PriceUnitName,
  partsOfUnit,
  priceBases,
  priceParts,
  type ServiceTier,
  serviceTiers,
} from './price.ts';

type Parts = Readonly<Partial<Record<PricePart, number>>>;

/** Price of a model at one provider, in dollars per unit. */
export interface ListedPrice {
  readonly model: string;
  readonly provider: string;
  readonly unit: PriceUnitName;
  readonly price: Parts & { readonly input: number };
}

export interface PriceListContent {
  readonly format: PriceListFormat;
  readonly prices: readonly ListedPrice[];
  /** Number of entries without a price in a known unit. */
  readonly skipped: number;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsAt = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isFields(value) ? value : {};
};

/** Rejects implausible amounts, because a list may contain anything. */
function amountAt(fields: Fields, name: string, times = 1): number | undefined {
  const value = fields[name];
  if (typeof value !== 'number') return undefined;
  const amount = plain(value * times);
  return isPlausible(amount) ? amount : undefined;
}

const isPlausible = (amount: number): boolean => dollarPrice.safeParse(amount).success;
const plain = (amount: number): number => Number(amount.toPrecision(10));

/** Undefined if the format is unknown. */
export function readPriceList(value: unknown): PriceListContent | undefined {
  if (!isFields(value)) return undefined;
  const entries = Object.values(value).filter(isFields);
  const has = (name: string) => entries.some((entry) => name in entry);
  if (has('litellm_provider')) return readWith('litellm', Object.entries(value).map(litellmPrice));
  if (entries.some((entry) => isFields(entry['models']))) return readWith('models_dev', modelsDevPrices(entries));
  const data = value['data'];
  if (Array.isArray(data) && data.some((row) => isFields(row) && 'model_ratio' in row)) {
    return readWith('gateway', data.map(gatewayPrice));
  }
  if (isFields(data) && isFields(data['model_ratio'])) return readWith('gateway', ratioPrices(data));
  return undefined;
}

function readWith(format: PriceListFormat, read: readonly (ListedPrice | undefined)[]): PriceListContent {
  const prices = read.filter((price) => price !== undefined);
  return { format, prices, skipped: read.length - prices.length };
}

/** Cached, because provider names are repeated in many proposals. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= listedNameLength.max;

function listedPrice(
  model: unknown,
  provider: unknown,
  unit: PriceUnitName,
  parts: Partial<Record<PricePart, number | undefined>>,
): ListedPrice | undefined {
  const { input } = parts;
  // Embeddings have no output; lists give it a price of 0.
  const charged = input && parts.output === 0 ? { ...parts, output: undefined } : parts;
  if (!isName(model) || !isName(provider) || input === undefined) return undefined;
  const given = priceParts.flatMap((part) => {
    const amount = charged[part];
    return amount === undefined || !isPlausible(amount) ? [] : [[part, amount] as const];
  });
  return { model, provider, unit, price: { ...Object.fromEntries(given), input } };
}

/** Providers with their models, in dollars per million tokens. */
const modelsDevPrices = (providers: readonly Fields[]): (ListedPrice | undefined)[] =>
  providers.flatMap((provider) =>
    Object.entries(fieldsAt(provider, 'models')).map(([model, entry]) => {
      const cost = isFields(entry) ? fieldsAt(entry, 'cost') : {};
      return listedPrice(model, provider['id'], 'tokens', {
        input: amountAt(cost, 'input'),
        output: amountAt(cost, 'output'),
        cached: amountAt(cost, 'cache_read'),
        cache_write: amountAt(cost, 'cache_write'),
        reasoning: amountAt(cost, 'reasoning'),
        audio: amountAt(cost, 'input_audio'),
        audio_output: amountAt(cost, 'output_audio'),
      });
    }),
  );

const million = 1_000_000;

/** Fields of LiteLLM's price map that price a unit other than tokens. */
const litellmUnits: readonly [
  modes: readonly string[],
  unit: PriceUnitName,
  fields: readonly string[],
  times: number,
][] = [
  [['image_generation', 'image_edit'], 'picture', ['output_cost_per_image', 'input_cost_per_image'], 1],
  [['audio_transcription'], 'second', ['input_cost_per_second'], 1],
  [['audio_speech'], 'characters', ['input_cost_per_character'], million],
  [['rerank'], 'searches', ['input_cost_per_query'], 1000],
  [['ocr'], 'page', ['ocr_cost_per_page'], 1],
];

/**
 * Input price of a service tier. The largest multiple among all its prices applies to the whole request, so that no
 * part is charged below its price.
 */
function tierInput(entry: Fields, tier: ServiceTier, input: number | undefined): number | undefined {
  const multiples = ['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost'].flatMap((name) => {
    const [usual, own] = [amountAt(entry, name, million), amountAt(entry, `${name}_${tier}`, million)];
    return usual && own ? own / usual : [];
  });
  if (!input || multiples.length === 0) return undefined;
  return Number((input * Math.max(...multiples)).toPrecision(10));
}

/** Dollars per token; the name may contain the provider. */
function litellmPrice([name, entry]: readonly [string, unknown]): ListedPrice | undefined {
  if (!isFields(entry)) return undefined;
  const { litellm_provider: provider, mode } = entry;
  if (typeof provider !== 'string') return undefined;
  const model = name.startsWith(`${provider}/`) ? name.slice(`${provider}/`.length) : name;
  const input = amountAt(entry, 'input_cost_per_token', million);
  const inUnits = litellmUnits.find(([modes]) => typeof mode === 'string' && modes.includes(mode));
  const amount = inUnits?.[2].map((field) => amountAt(entry, field, inUnits[3])).find((each) => each !== undefined);
  if (!input && inUnits && amount !== undefined) return listedPrice(model, provider, inUnits[1], { input: amount });
  return listedPrice(model, provider, 'tokens', {
    input,
    output: amountAt(entry, 'output_cost_per_token', million),
    cached: amountAt(entry, 'cache_read_input_token_cost', million),
    cache_write: amountAt(entry, 'cache_creation_input_token_cost', million) || undefined,
    cache_long_write: amountAt(entry, 'cache_creation_input_token_cost_above_1hr', million),
    reasoning: amountAt(entry, 'output_cost_per_reasoning_token', million),
    audio: amountAt(entry, 'input_cost_per_audio_token', million),
    cached_audio: amountAt(entry, 'cache_read_input_audio_token_cost', million),
    audio_output: amountAt(entry, 'output_cost_per_audio_token', million),
    image: amountAt(entry, 'input_cost_per_image_token', million),
    cached_image: amountAt(entry, 'cache_read_input_image_token_cost', million),
    image_output: amountAt(entry, 'output_cost_per_image_token', million),
    flex: tierInput(entry, 'flex', input),
    priority: tierInput(entry, 'priority', input),
  });
}

/** Ratio 1 is two dollars per million tokens. */
const dollarsPerRatio = 2;

interface PriceRatios {
  readonly input: number | undefined;
  readonly completion: number | undefined;
  readonly cached: number | undefined;
  readonly write: number | undefined;
  /** Ratios of image to text input, audio to text input, and audio output to audio input. */
  readonly image: number | undefined;
  readonly audio: number | undefined;
  readonly spoken: number | undefined;
}

function ofRatios(
  model: unknown,
  { input, completion = 1, cached, write, image, audio, spoken }: PriceRatios,
): ListedPrice | undefined {
  const times = (ratio: number | undefined) =>
    input === undefined || ratio === undefined ? undefined : plain(input * ratio);
  return listedPrice(model, 'gateway', 'tokens', {
    input,
    output: times(completion),
    cached: times(cached),
    cache_write: times(write),
    image: times(image),
    audio: times(audio),
    audio_output: spoken === undefined ? undefined : times((audio ?? 1) * spoken),
  });
}

/** `/api/pricing` of another gateway: ratios, or dollars per request. */
function gatewayPrice(row: unknown): ListedPrice | undefined {
  if (!isFields(row)) return undefined;
  if (row['quota_type'] === 1) return perCall(row['model_name'], amountAt(row, 'model_price'));
  return ofRatios(row['model_name'], {
    input: amountAt(row, 'model_ratio', dollarsPerRatio),
    completion: amountAt(row, 'completion_ratio'),
    cached: amountAt(row, 'cache_ratio'),
    write: amountAt(row, 'create_cache_ratio'),
    image: amountAt(row, 'image_ratio'),
    audio: amountAt(row, 'audio_ratio'),
    spoken: amountAt(row, 'audio_completion_ratio'),
  });
}

const perCall = (model: unknown, call: number | undefined): ListedPrice | undefined =>
  call ? listedPrice(model, 'gateway', 'tokens', { input: 0, call }) : undefined;

/** `/api/ratio_config` of another gateway: one object per ratio. */
function ratioPrices(data: Fields): (ListedPrice | undefined)[] {
  const ratios = fieldsAt(data, 'model_ratio');
  const calls = fieldsAt(data, 'model_price');
  const at = (table: string, model: string) => amountAt(fieldsAt(data, table), model);
  const ofCalls = Object.keys(calls).filter((model) => !Object.hasOwn(ratios, model));
  const ofTokens = Object.keys(ratios).map((model) =>
    ofRatios(model, {
      input: amountAt(ratios, model, dollarsPerRatio),
      completion: at('completion_ratio', model),
      cached: at('cache_ratio', model),
      write: at('create_cache_ratio', model),
      image: at('image_ratio', model),
      audio: at('audio_ratio', model),
      spoken: at('audio_completion_ratio', model),
    }),
  );
  return [...ofTokens, ...ofCalls.map((model) => perCall(model, amountAt(calls, model)))];
}

/** Names under which price lists show a model's vendor. The vendor's price applies, not the lowest of all hosts. */
const makers: readonly [models: RegExp, providers: readonly string[]][] = [
  [
    /^(?:gpt-|chatgpt-|o\d|text-embedding-(?:3|ada)|text-moderation|omni-|whisper-1|tts-1|dall-e|davinci|babbage)/,
    ['openai'],
  ],
  [/^claude/, ['anthropic']],
  [/^(?:gemini|gemma|imagen|veo|text-embedding-00)/, ['google', 'gemini', 'vertex_ai-language-models']],
  [/^grok/, ['xai']],
  [/^deepseek-(?:chat|reasoner|flash|v\d)/, ['deepseek']],
  [/^(?:mistral|ministral|magistral|codestral|devstral|pixtral|open-mi)/, ['mistral']],
  [/^(?:command|c4ai|embed-|rerank-)/, ['cohere']],
  [/^(?:kimi|moonshot)/, ['moonshotai', 'moonshot']],
  [/^(?:glm-|cog|char)/, ['zhipuai', 'zai', 'z-ai']],
  [/^(?:qwen-|qwq-plus|qwen3-(?:max|coder-plus|coder-flash)|qwen\d\.\d-(?:plus|max|flash))/, ['alibaba', 'dashscope']],
  [/^(?:minimax|abab)/i, ['minimax']],
  [/^(?:sonar|r1-1776)/, ['perplexity']],
  [/^(?:step-)/, ['stepfun']],
  [/^(?:doubao|seed)/i, ['volcengine']],
  [/^amazon\./, ['amazon-bedrock', 'bedrock', 'bedrock_converse']],
  [/^@(?:cf|hf)\//, ['cloudflare-workers-ai', 'cloudflare']],
];

const makersOf = (model: string): readonly string[] => makers.find(([models]) => models.test(model))?.[1] ?? [];

/** The current price of a model. */
export type CurrentPrice = Pick<ModelPrice, 'model' | 'unit' | 'source' | 'price' | 'built_in' | 'channels'>;

/** The differences between a list and the current prices, by model. */
export function proposePrices({ prices }: PriceListContent, current: readonly CurrentPrice[]): PriceProposal[] {
  const listed = Map.groupBy(prices, ({ model }) => model);
  return current.flatMap((row) => {
    const proposal = proposalFor(row, listed.get(row.model) ?? []);
    return proposal ? [proposal] : [];
  });
}

function proposalFor(row: CurrentPrice, entries: readonly ListedPrice[]): PriceProposal | undefined {
  const [first] = entries;
  if (!first) return undefined;
  const makers = makersOf(row.model);
  const ofMaker = entries.find(({ provider }) => makers.includes(provider) || provider === 'gateway');
  const shared = { model: row.model, channels: row.channels };
  const before = row.source === 'none' ? null : row.price;
  // A known price changes only with its vendor's price.
  if (before && !ofMaker) return undefined;
  const entry = ofMaker ?? (entries.every((other) => isSamePrice(other, first)) ? first : undefined);
  if (!entry) {
    const provider = [...new Set(entries.map((each) => each.provider))].slice(0, shownProviders).join(', ');
    return { ...shared, kind: 'ambiguous', provider, percent: null, before, after: null };
  }
  const { provider } = entry;
  if (entry.unit !== row.unit) return { ...shared, kind: 'unit', provider, percent: null, before, after: null };
  const listed = entry.unit === 'tokens' ? entry.price : { input: entry.price.input };
  if (!before) return { ...shared, kind: 'new', provider, percent: null, before, after: listed };
  const after = { ...listed, ...omittedParts(listed, row) };
  const changed = priceParts.filter((part) => after[part] !== undefined && !isClose(after[part] ?? 0, before[part]));
  if (changed.length === 0) return undefined;
  return { ...shared, ...changeOf(before, after, changed), provider, before, after };
}

/**
 * Parts that a list omits keep their ratio to the part on which they are based. Parts with the built-in ratio stay
 * omitted, so that they continue to follow it.
 */
function omittedParts(listed: ListedPrice['price'], { unit, price: before, built_in }: CurrentPrice): Parts {
  const amountOf = (part: PricePart): number => {
    const base = priceBases[part];
    if (listed[part] !== undefined) return listed[part];
    return base === null ? before[part] : amountOf(base) * ratioTo(base, part, before);
  };
  const isKept = (part: PricePart): boolean => {
    const base = priceBases[part];
    if (listed[part] !== undefined || amountOf(part) === 0) return false;
    return base === null || !isClose(ratioTo(base, part, before), built_in ? ratioTo(base, part, built_in) : 1);
  };
  return Object.fromEntries(
    partsOfUnit(unit)
      .filter(isKept)
      .map((part) => [part, plain(amountOf(part))]),
  );
}

const ratioTo = (base: PricePart, part: PricePart, price: PriceInDollars): number =>
  price[base] === 0 ? 1 : price[part] / price[base];

const shownProviders = 5;

const isSamePrice = (one: ListedPrice, other: ListedPrice): boolean =>
  one.unit === other.unit && priceParts.every((part) => isClose(one.price[part] ?? 0, other.price[part] ?? 0));

const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-6 * Math.max(one, other);

function changeOf(before: Parts, after: Parts, changed: readonly PricePart[]): Pick<PriceProposal, 'kind' | 'percent'> {
  // Adding a price for a service tier does not change the current cost of requests.
  const isNewTier = (part: PricePart) => serviceTiers.some((tier) => tier === part) && !before[part];
  const changes = changed
    .filter((part) => !isNewTier(part))
    .map((part) => [before[part] ?? 0, after[part] ?? 0] as const);
  if (changes.length === 0) return { kind: 'new', percent: null };
  if (changes.some(([old, now]) => old === 0 && now > 0)) return { kind: 'from_zero', percent: null };
  if (changes.some(([, now]) => now === 0)) return { kind: 'to_zero', percent: -100 };
  const percents = changes.map(([old, now]) => ((now - old) / old) * 100);
  const largest = percents.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
  return { kind: Math.max(...percents) > 0 ? 'rise' : 'fall', percent: Number(largest.toPrecision(4)) };
}

/** True if a proposal may be applied without an admin. */
export const canApplyAutomatically = ({ kind, percent }: PriceProposal, maxPercent: number): boolean =>
  (kind === 'rise' || kind === 'fall') && percent !== null && Math.abs(percent) <= maxPercent;

/** Proposals as price changes. */
export const toPriceChanges = (proposals: readonly PriceProposal[]): PriceChange[] =>
  proposals.flatMap(({ model, after }) => (after ? [{ model, price: after }] : []));
