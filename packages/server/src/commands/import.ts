import { inspectProcessConfig, processVariable, readProcessConfig } from '../config.ts';
import { runImport } from './import-command.ts';
import { importUsageError, nextSteps, readImportArguments } from './importing/import-arguments.ts';
import { exitCodes, parseUsage, printLine, runMain, UsageError } from './run-main.ts';
import { readSource } from './secret-input.ts';

/** `npm run import -- --from <file or address>`: imports users, tokens, channels and settings of One API, new-api or LiteLLM. */
await runMain(async () => {
  const { from: given, usesEnvironment, ...command } = parseUsage(() => readImportArguments(process.argv.slice(2)));
  const config = readProcessConfig();
  const from = await readSource(given, config.importFrom);
  if (from === '') throw new UsageError(importUsageError().message);
  const environment = usesEnvironment ? foreignVariable : undefined;
  const litellmSecrets = ['LITELLM_SALT_KEY', 'LITELLM_MASTER_KEY'].flatMap((name) => processVariable(name) || []);
  const outcome = await runImport({ ...command, environment, litellmSecrets, from, print: printLine }, config);
  for (const line of nextSteps(command, outcome)) printLine(line);
  return exitCodes.done;
});

/**
 * Reads a variable for a channel. Headgate's own settings are excluded, because they are secrets that must not be sent
 * to an upstream.
 */
function foreignVariable(name: string): string | undefined {
  return inspectProcessConfig().known.includes(name) ? undefined : processVariable(name);
}
