import { type OptionKey, type optionApi, optionKeys, optionRow, type StoredOption } from '@headgate/contract';
import type { PriceCache } from '../../catalog/prices/price-cache.ts';
import { effectiveRatios } from '../../catalog/prices/ratio-lists.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { OptionChangeService } from './option-change-service.ts';

interface OptionRoutes {
  readonly options: OptionService;
  readonly priceBook: PriceCache;
  readonly optionChanges: OptionChangeService;
}

export const optionRoutes = ({ options, priceBook, optionChanges }: OptionRoutes): Handlers<typeof optionApi> => ({
  list: ({ query }) => {
    const values = { ...options.values, ...priceBook.priceRatios };
    const shown = query.ratios === 'saved' ? values : { ...values, ...effectiveRatios(values) };
    return optionKeys.map((key) => storedOption(key, shown[key]));
  },
  update: async ({ body, caller }) => {
    await optionChanges.set(caller, body.key, body.value);
    return undefined;
  },
});

function storedOption(key: OptionKey, value: unknown): StoredOption {
  const { control, format } = optionRow(key);
  return control === 'secret' ? { key, value: '', stored: value !== '' } : { key, value: format(value) };
}
