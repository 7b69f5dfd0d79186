import { processVariable, readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { runImport } from './import-command.ts';
import { importUsageError, nextSteps, readImportArguments } from './importing/import-arguments.ts';
import { readSource } from './source-input.ts';

/** `npm run import -- --from <file or address>`: imports users, tokens, channels and settings of One API, new-api or LiteLLM. */
try {
  const { from: given, usesEnvironment, ...command } = readImportArguments(process.argv.slice(2));
  const config = readProcessConfig();
  const from = await readSource(given, config.importFrom);
  if (from === '') throw importUsageError();
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await runImport({ ...command, environment: usesEnvironment ? processVariable : undefined, from, print }, config);
  for (const line of nextSteps(command)) print(line);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}
