import { readRestoreArguments } from './archive/archive-arguments.ts';
import { runRestore } from './composition/restore-command.ts';
import { readProcessConfig } from './config.ts';
import { readPassphrase } from './passphrase-input.ts';
import { StartFailure } from './start-failure.ts';

/** `npm run restore -- --from <file>`: brings a file of `npm run export` into an empty gateway. */
try {
  const { from, isCheck } = readRestoreArguments(process.argv.slice(2));
  const config = readProcessConfig();
  const passphrase = await readPassphrase(config.exportPassphrase);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  await runRestore({ from, isCheck, passphrase, say }, config);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}
