import { readProcessConfig } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { readBackupFolder } from './archive/archive-arguments.ts';
import { runBackup } from './backup-command.ts';

/** `npm run backup -- --to <folder>`: a consistent copy of the database while the gateway runs. */
try {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await runBackup({ to: readBackupFolder(process.argv.slice(2)), now: new Date(), print }, readProcessConfig());
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}
