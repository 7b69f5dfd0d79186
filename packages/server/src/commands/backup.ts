import { readProcessConfig } from '../config.ts';
import { readBackupFolder } from './archive/archive-arguments.ts';
import { runBackup } from './backup-command.ts';
import { exitCodes, parseUsage, printLine, runMain } from './run-main.ts';

/** `npm run backup -- --to <folder>`: a consistent copy of the database while the gateway runs. */
await runMain(async () => {
  const to = parseUsage(() => readBackupFolder(process.argv.slice(2)));
  await runBackup({ to, now: new Date(), print: printLine }, readProcessConfig());
  return exitCodes.done;
});
