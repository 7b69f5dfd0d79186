import { readPriceHours, type StoredOptionValues } from '@headgate/contract';
import type { SavedRatios } from '@headgate/relay';
import { noPriceRatios, type PriceRatios, toPriceRatios } from './price-entries.ts';
import type { PriceRepository, PriceRow } from './price-repository.ts';

interface Options {
  readonly values: StoredOptionValues;
}

/** Saved prices in memory. */
export class PriceCache {
  readonly #prices: PriceRepository;
  readonly #options: Options;
  #rows: ReadonlyMap<string, readonly PriceRow[]> = new Map();
  #priceRatios: PriceRatios = noPriceRatios;
  #ratios: SavedRatios | undefined;
  #optionsUsed: StoredOptionValues | undefined;
  #loading: Promise<void> = Promise.resolve();

  constructor(prices: PriceRepository, options: Options) {
    this.#prices = prices;
    this.#options = options;
  }

  /** Loads are serialized, so that a slow earlier load cannot restore old prices. */
  load(): Promise<void> {
    const load = async () => {
      const { rows, quotaPerUnit } = await this.#prices.stored();
      this.#rows = Map.groupBy(rows, ({ model }) => model);
      this.#priceRatios = toPriceRatios(rows, quotaPerUnit);
      this.#ratios = undefined;
    };
    this.#loading = this.#loading.then(load, load);
    return this.#loading;
  }

  /** The price table as ratios. */
  get priceRatios(): PriceRatios {
    return this.#priceRatios;
  }

  /** Ratios for billing: the same object until a price or an option changes. */
  get ratios(): SavedRatios {
    const { values } = this.#options;
    if (!this.#ratios || this.#optionsUsed !== values) {
      const { GroupRatio, QuotaPerUnit } = values;
      const { hours } = readPriceHours(values.PriceHours);
      this.#ratios = { ...this.#priceRatios, GroupRatio, QuotaPerUnit, ...(hours && { hours }) };
      this.#optionsUsed = values;
    }
    return this.#ratios;
  }

  get models(): readonly string[] {
    return [...this.#rows.keys()];
  }

  rowsOf(model: string): readonly PriceRow[] {
    return this.#rows.get(model) ?? [];
  }
}
