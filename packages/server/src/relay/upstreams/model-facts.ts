import { contextWindowOf, isPricedPerToken, priceOf, type Route, type SavedRatios } from '@headgate/relay';

/** Public facts about a model. Unknown values are omitted. */
export interface ModelFacts {
  readonly id: string;
  /** Maximum tokens of prompt and output in one request. */
  readonly contextWindow?: number;
  /** Price per token in dollars; omitted if the model is not charged by tokens. */
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

/** Context window of the mapped model; the smallest one if channels differ. */
function windowOn(id: string, { channels }: Route): number | undefined {
  const windows = channels.map(({ modelMapping }) => contextWindowOf(modelMapping.get(id) || id));
  const smallest = Math.min(...windows.map((tokens) => tokens ?? Number.NaN));
  return Number.isFinite(smallest) ? smallest : undefined;
}

/** Price for this caller on the most expensive eligible channel. */
function priceOn(id: string, { group, channels }: Route, ratios: SavedRatios): TokenPrice | undefined {
  if (!isPricedPerToken(id, channels)) return undefined;
  const prices = channels.map((channel) => priceOf(id, channel, group, ratios));
  const perPrompt = prices.map(({ model_ratio, group_ratio }) => (model_ratio * group_ratio) / ratios.QuotaPerUnit);
  const perCompletion = prices.map(({ completion_ratio }, index) => (perPrompt[index] ?? 0) * completion_ratio);
  return { prompt: Math.max(...perPrompt), completion: Math.max(...perCompletion) };
}
