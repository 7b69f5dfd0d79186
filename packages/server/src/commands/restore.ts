import { readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { readRestoreArguments } from './archive/archive-arguments.ts';
import { readPassphrase } from './passphrase-input.ts';
import { runRestore } from './restore-command.ts';

/** `npm run restore -- --from <file>`: restores a file of `npm run export` into an empty gateway. */
try {
  const { from, isCheck } = readRestoreArguments(process.argv.slice(2));
  const config = readProcessConfig();
  const passphrase = await readPassphrase(config.exportPassphrase);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await runRestore({ from, isCheck, passphrase, print }, config);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}
