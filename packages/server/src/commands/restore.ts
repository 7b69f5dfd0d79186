import { readProcessConfig } from '../config.ts';
import { readRestoreArguments } from './archive/archive-arguments.ts';
import { runRestore } from './restore-command.ts';
import { exitCodes, parseUsage, printLine, runMain } from './run-main.ts';
import { readPassphrase } from './secret-input.ts';

/** `npm run restore -- --from <file>`: restores a file of `npm run export` into an empty gateway. */
await runMain(async () => {
  const { from, isCheck } = parseUsage(() => readRestoreArguments(process.argv.slice(2)));
  const config = readProcessConfig();
  const passphrase = await readPassphrase(config.exportPassphrase);
  await runRestore({ from, isCheck, passphrase, print: printLine }, config);
  return exitCodes.done;
});
