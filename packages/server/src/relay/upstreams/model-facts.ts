import { contextWindowOf, isPaidByTokens, priceOf, type Route, type SavedRatios } from '@headgate/relay';

/** What a client may know of a model before it asks. What nobody knows is absent. */
export interface ModelFacts {
  readonly id: string;
  /** Tokens that it reads and writes in one request. */
  readonly contextWindow?: number;
  /** The price of a token in dollars; absent where something else is counted. */
  readonly price?: TokenPrice;
}

interface TokenPrice {
  readonly prompt: number;
  readonly completion: number;
}

export function modelFacts(id: string, route: Route | undefined, ratios: SavedRatios): ModelFacts {
  const contextWindow = route && windowOn(id, route);
  const price = route && priceOn(id, route, ratios);
  return { id, ...(contextWindow !== undefined && { contextWindow }), ...(price && { price }) };
}

/** The context window of the model that really answers: the smallest, when channels have others under the same name. */
function windowOn(id: string, { channels }: Route): number | undefined {
  const windows = channels.map(({ modelMapping }) => contextWindowOf(modelMapping.get(id) || id));
  const smallest = Math.min(...windows.map((tokens) => tokens ?? Number.NaN));
  return Number.isFinite(smallest) ? smallest : undefined;
}

/** For this caller, and on the dearest of the channels that may answer. */
function priceOn(id: string, { group, channels }: Route, ratios: SavedRatios): TokenPrice | undefined {
  if (!isPaidByTokens(id, channels)) return undefined;
  const prices = channels.map((channel) => priceOf(id, channel, group, ratios));
  const perPrompt = prices.map(({ model_ratio, group_ratio }) => (model_ratio * group_ratio) / ratios.QuotaPerUnit);
  const perCompletion = prices.map(({ completion_ratio }, index) => (perPrompt[index] ?? 0) * completion_ratio);
  return { prompt: Math.max(...perPrompt), completion: Math.max(...perCompletion) };
}
