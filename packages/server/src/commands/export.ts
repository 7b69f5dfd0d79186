import { readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { readExportArguments } from './archive/archive-arguments.ts';
import { runExport } from './export-command.ts';
import { readNewPassphrase } from './passphrase-input.ts';

/** `npm run export -- --to <file>`: the whole gateway in one file, encrypted with a passphrase. */
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
try {
  const { to, logsSince } = readExportArguments(process.argv.slice(2));
  const config = readProcessConfig();
  const passphrase = await readNewPassphrase(config.exportPassphrase);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await runExport({ to, logsSince, passphrase, print, signal: ending.signal }, config);
} catch (error) {
  if (!(error instanceof StartFailure) && !ending.signal.aborted) throw error;
  const sentence = error instanceof StartFailure ? error.message : 'Cancelled. Nothing was exported.';
  process.stderr.write(`headgate: ${sentence}\n`);
  process.exitCode = 1;
}
