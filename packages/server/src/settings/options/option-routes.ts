import { type OptionKey, type optionApi, optionKeys, optionRow, type StoredOption } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { effectiveRatios } from '../../platform/options/ratio-lists.ts';
import type { OptionChangeService } from './option-change-service.ts';

export const optionRoutes = (options: OptionService, changes: OptionChangeService): Handlers<typeof optionApi> => ({
  list: ({ query }) => {
    const { values } = options;
    const shown = query.ratios === 'saved' ? values : { ...values, ...effectiveRatios(values) };
    return optionKeys.map((key) => storedOption(key, shown[key]));
  },
  update: async ({ body, caller }) => {
    await changes.set(caller, body.key, body.value);
    return undefined;
  },
});

function storedOption(key: OptionKey, value: unknown): StoredOption {
  const { control, format } = optionRow(key);
  return control === 'secret' ? { key, value: '', stored: value !== '' } : { key, value: format(value) };
}
