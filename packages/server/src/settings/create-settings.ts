import type { Platform } from '../platform/create-platform.ts';
import type { Records } from '../records/create-records.ts';
import { OptionChangeService } from './options/option-change-service.ts';

interface SettingsDependencies {
  readonly platform: Platform;
  readonly records: Records;
}

/** Changes of options. */
export function createSettings({ platform, records: { logs } }: SettingsDependencies) {
  const { optionRepository: repository, options, box, inTransaction, managed } = platform;
  return {
    optionChanges: new OptionChangeService({ repository, options, logs, box, inTransaction, managed }),
  };
}
