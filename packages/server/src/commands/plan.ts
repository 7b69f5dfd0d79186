import { readProcessConfig } from '../config.ts';
import { runPlan, runValidate } from '../settings/config-file-commands.ts';
import { planCommand } from './config-file-input.ts';
import { exitCodes, parseUsage, runMain } from './run-main.ts';

/** `npm run plan -- [--file headgate.yaml] [--prune] [--json] [--validate]`: shows what applying the file would change. Changes nothing. */
await runMain(async () => {
  const config = readProcessConfig();
  const command = parseUsage(() => planCommand(config.configFile));
  if (command.isValidation) {
    runValidate(command);
    return exitCodes.done;
  }
  return (await runPlan(command, config)) ? exitCodes.differs : exitCodes.done;
});
