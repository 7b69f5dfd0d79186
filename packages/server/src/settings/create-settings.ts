import type { Prices } from '../catalog/create-prices.ts';
import type { Platform } from '../platform/create-platform.ts';
import type { Records } from '../records/create-records.ts';
import { OptionChangeService } from './options/option-change-service.ts';

interface SettingsDependencies {
  readonly prices: Pick<Prices, 'priceChanges'>;
  readonly platform: Platform;
  readonly records: Records;
}

export function createSettings({ platform, records: { logs }, prices }: SettingsDependencies) {
  const { optionRepository: repository, options, box, inTransaction, managed } = platform;
  return {
    optionChanges: new OptionChangeService({
      repository,
      options,
      logs,
      box,
      inTransaction,
      managed,
      prices: prices.priceChanges,
    }),
  };
}
