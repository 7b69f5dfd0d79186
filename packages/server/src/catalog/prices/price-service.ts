import type { ModelPrice, OptionValues, OwnPrice, PriceChange } from '@headgate/contract';
import { isPriced, listedModels, modelRatios, priceOf, priceUnitOf } from '@headgate/relay';
import type { UserRow } from '../../platform/db/rows.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { changedRatios, ratioKeys } from './changed-ratios.ts';
import { builtInPrice, priceInDollars } from './price-in-dollars.ts';
import type { PriceRepository } from './price-repository.ts';

/** Changes several options in one transaction. */
interface OptionChanges {
  setTogether(admin: UserRow, change: (before: OptionValues) => Partial<OptionValues>): Promise<void>;
}

interface PriceServiceDependencies {
  readonly options: OptionService;
  readonly changes: OptionChanges;
  readonly offered: PriceRepository;
  /** The models that members of these groups can use. */
  readonly availableModels: (groups: readonly string[]) => Promise<readonly string[]>;
}

/** Prices in dollars, over the options in which they are kept as ratios. */
export class PriceService {
  readonly #dependencies: PriceServiceDependencies;

  constructor(dependencies: PriceServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Models that channels offer first, then by name. */
  async all(): Promise<ModelPrice[]> {
    const { options, offered } = this.#dependencies;
    const { values } = options;
    const channels = await offered.channelsByModel();
    const saved = ratioKeys.flatMap((key) => Object.keys(values[key]));
    const models = new Set([...channels.keys(), ...saved, ...listedModels, ...Object.keys(modelRatios)]);
    return [...models].sort().map((model) => modelPriceOf(model, values, channels.get(model) ?? 0));
  }

  /** Of the named models, or of all that channels offer, those that nobody priced. */
  async unpriced(named: readonly string[] | undefined) {
    const { options, offered } = this.#dependencies;
    const channels = await offered.channelsByModel();
    return [...(named ?? channels.keys())]
      .filter((model) => !isPriced(model, options.values))
      .map((model) => ({ model, channels: channels.get(model) ?? 0 }));
  }

  /** What models cost the members of these groups, each on the first that has it. */
  async own(groups: readonly string[]): Promise<OwnPrice[]> {
    const { options, availableModels } = this.#dependencies;
    const { values } = options;
    const [group = ''] = groups;
    return (await availableModels(groups)).map((model) => {
      const price = priceOf(model, anyChannel, group, values);
      const unit = priceUnitOf(model);
      return {
        model,
        unit,
        has_price: price.unpriced !== true,
        price: priceInDollars(price, { unit, quotaPerUnit: values.QuotaPerUnit }),
      };
    });
  }

  /** How many models have other ratios than before. */
  async save(admin: UserRow, changes: readonly PriceChange[]): Promise<number> {
    let count = 0;
    await this.#dependencies.changes.setTogether(admin, (before) => {
      const after = changedRatios(changes, before);
      count = changes.filter(({ model }) => ratioKeys.some((key) => before[key][model] !== after[key][model])).length;
      return after;
    });
    return count;
  }
}

/** Of no type that has prices of its own. */
const anyChannel = { type: 0 };

function modelPriceOf(model: string, values: OptionValues, channels: number): ModelPrice {
  const price = priceOf(model, anyChannel, '', values);
  const unit = priceUnitOf(model);
  const isOwn = ratioKeys.some((key) => Object.hasOwn(values[key], model));
  return {
    model,
    unit,
    source: isOwn && !price.unpriced ? 'yours' : price.unpriced ? 'none' : 'built_in',
    price: priceInDollars({ ...price, group_ratio: 1 }, { unit, quotaPerUnit: values.QuotaPerUnit }),
    built_in: builtInPrice(model, values.QuotaPerUnit),
    model_ratio: price.model_ratio,
    completion_ratio: price.completion_ratio,
    channels,
  };
}
