import { readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { readExportArguments } from './archive/archive-arguments.ts';
import { runExport } from './export-command.ts';
import { exitCodes, parseUsage, printLine, runMain } from './run-main.ts';
import { readNewPassphrase } from './secret-input.ts';

/** `npm run export -- --to <file>`: the whole gateway in one file, encrypted with a passphrase. */
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
await runMain(async () => {
  const { to, logsSince } = parseUsage(() => readExportArguments(process.argv.slice(2)));
  const config = readProcessConfig();
  try {
    const passphrase = await readNewPassphrase(config.exportPassphrase);
    await runExport({ to, logsSince, passphrase, print: printLine, signal: ending.signal }, config);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof StartFailure || !ending.signal.aborted) throw error;
    throw new StartFailure('Cancelled. Nothing was exported.');
  }
});
