import { readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { runPlan } from '../settings/config-file-commands.ts';
import { configFileCommand } from './config-file-input.ts';

const somethingDiffers = 2;

/**
 * `npm run plan -- [--file headgate.yaml] [--prune]`: shows the changes that applying the file would make. Changes
 * nothing.
 */
try {
  const config = readProcessConfig();
  process.exitCode = (await runPlan(configFileCommand(config.configFile), config)) ? somethingDiffers : 0;
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}
