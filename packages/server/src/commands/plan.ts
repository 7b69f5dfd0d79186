import { readProcessConfig } from '../config.ts';
import { runPlan } from '../settings/config-file-commands.ts';
import { configFileCommand } from './config-file-input.ts';
import { exitCodes, parseUsage, runMain } from './run-main.ts';

/** `npm run plan -- [--file headgate.yaml] [--prune]`: shows what applying the file would change. Changes nothing. */
await runMain(async () => {
  const config = readProcessConfig();
  const command = parseUsage(() => configFileCommand(config.configFile));
  return (await runPlan(command, config)) ? exitCodes.differs : exitCodes.done;
});
