import type { ModelPrice, OwnPrice, PriceInDollars } from '@headgate/contract';
import { isPriced, listedModels, modelRatios, priceOf, priceUnitOf } from '@headgate/relay';
import { decimalToNumber, parseDecimal } from './decimal.ts';
import type { PriceCache } from './price-cache.ts';
import { builtInPrice, priceInDollars } from './price-in-dollars.ts';
import type { PriceChangeRow, PriceRepository, PriceRow } from './price-repository.ts';

interface PriceServiceDependencies {
  readonly book: PriceCache;
  readonly prices: PriceRepository;
  /** Models that members of these groups can use. */
  readonly availableModels: (groups: readonly string[]) => Promise<readonly string[]>;
}

/** Dollar prices: saved ones, otherwise built-in ones. */
export class PriceService {
  readonly #dependencies: PriceServiceDependencies;

  constructor(dependencies: PriceServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Ordered by name. */
  async all(): Promise<ModelPrice[]> {
    const { book, prices } = this.#dependencies;
    const channels = await prices.channelsByModel();
    const models = new Set([...channels.keys(), ...book.models, ...listedModels, ...Object.keys(modelRatios)]);
    return [...models].sort().map((model) => modelPriceOf(model, book, channels.get(model) ?? 0));
  }

  /** Models without a price, among the given ones or all that channels offer. */
  async unpriced(named: readonly string[] | undefined) {
    const { book, prices } = this.#dependencies;
    const channels = await prices.channelsByModel();
    return [...(named ?? channels.keys())]
      .filter((model) => !isPriced(model, book.ratios))
      .map((model) => ({ model, channels: channels.get(model) ?? 0 }));
  }

  /** Price history of a model. */
  changes(model: string): Promise<PriceChangeRow[]> {
    return this.#dependencies.prices.changesOf(model);
  }

  /** Prices for members of these groups, each from the first group that has the model. */
  async own(groups: readonly string[]): Promise<OwnPrice[]> {
    const { book, availableModels } = this.#dependencies;
    const { ratios } = book;
    const [group = ''] = groups;
    return (await availableModels(groups)).map((model) => {
      const price = priceOf(model, anyChannel, group, ratios);
      const unit = priceUnitOf(model);
      return {
        model,
        unit,
        has_price: price.unpriced !== true,
        price: priceInDollars(price, { unit, quotaPerUnit: ratios.QuotaPerUnit }),
      };
    });
  }
}

/** A channel type without type-specific prices. */
const anyChannel = { type: 0 };

function modelPriceOf(model: string, book: PriceCache, channels: number): ModelPrice {
  const { ratios } = book;
  const price = priceOf(model, anyChannel, '', ratios);
  const unit = priceUnitOf(model);
  const rows = book.rowsOf(model);
  const [latest] = rows.toSorted((one, other) => other.updated_time - one.updated_time);
  return {
    model,
    unit,
    source: price.unpriced ? 'none' : latest ? 'yours' : 'built_in',
    price: {
      ...priceInDollars({ ...price, group_ratio: 1 }, { unit, quotaPerUnit: ratios.QuotaPerUnit }),
      ...enteredDollars(rows),
    },
    built_in: builtInPrice(model, ratios.QuotaPerUnit),
    model_ratio: price.model_ratio,
    completion_ratio: price.completion_ratio,
    channels,
    changed: latest ? { time: latest.updated_time, by: latest.updated_by } : null,
  };
}

/** Amounts entered in dollars, as entered. */
const enteredDollars = (rows: readonly PriceRow[]): Partial<PriceInDollars> =>
  Object.fromEntries(
    rows
      .filter(({ currency }) => currency === 'USD')
      .map(({ part, amount }) => [part, decimalToNumber(parseDecimal(amount))]),
  );
