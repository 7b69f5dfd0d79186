import type { Config } from '../../config.ts';
import { startFailureMessage } from '../../platform/errors/start-failure.ts';
import { loadConfiguredFile } from '../../settings/config-file-commands.ts';
import { type Finding, fail, ok } from './finding.ts';

const check = 'configuration file';

/** Validates the file of CONFIG_FILE like a start does. */
export function checkConfigFile(config: Config): readonly Finding[] {
  try {
    return loadConfiguredFile(config) ? [ok(check, `${config.configFile} is valid`)] : [];
  } catch (error) {
    return [fail(check, startFailureMessage(error), 'Correct the file, or unset CONFIG_FILE.')];
  }
}
