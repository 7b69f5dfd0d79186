import { readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { runApply } from '../settings/config-file-commands.ts';
import { configFileCommand } from './config-file-input.ts';

/** `npm run apply -- [--file headgate.yaml] [--prune]`: applies the configuration file. */
try {
  const config = readProcessConfig();
  await runApply(configFileCommand(config.configFile), config);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}
