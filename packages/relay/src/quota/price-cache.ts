/** Inputs of a price other than the ratio tables. */
interface PriceKey {
  readonly channelType: number;
  readonly group: string;
  readonly model: string;
  /** The upstream model. */
  readonly sentAs: string;
}

const maxKnown = 10_000;

/** Cached prices. Nested maps: building a combined key for each request would cost more than the lookup. */
export class PriceCache<Price> {
  readonly #byType = new Map<number, Map<string, Map<string, Map<string, Price>>>>();
  #size = 0;

  get({ channelType, group, model, sentAs }: PriceKey): Price | undefined {
    return this.#byType.get(channelType)?.get(group)?.get(model)?.get(sentAs);
  }

  add({ channelType, group, model, sentAs }: PriceKey, price: Price): void {
    if (this.#size >= maxKnown) this.#forget();
    this.#size += 1;
    const byGroup = this.#byType.getOrInsertComputed(channelType, () => new Map());
    const byModel = byGroup.getOrInsertComputed(group, () => new Map());
    byModel.getOrInsertComputed(model, () => new Map()).set(sentAs, price);
  }

  /** Clients may send any number of unknown names, so the cache is cleared; names in use are soon cached again. */
  #forget(): void {
    this.#byType.clear();
    this.#size = 0;
  }
}
