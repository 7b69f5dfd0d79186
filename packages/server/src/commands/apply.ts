import { readProcessConfig } from '../config.ts';
import { runApply } from '../settings/config-file-commands.ts';
import { configFileCommand } from './config-file-input.ts';
import { exitCodes, parseUsage, runMain } from './run-main.ts';

/** `npm run apply -- [--file headgate.yaml] [--prune]`: applies the configuration file. */
await runMain(async () => {
  const config = readProcessConfig();
  await runApply(
    parseUsage(() => configFileCommand(config.configFile)),
    config,
  );
  return exitCodes.done;
});
