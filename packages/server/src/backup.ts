import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine } from './command-words.ts';
import { runBackup } from './composition/backup-command.ts';
import { readProcessConfig } from './config.ts';
import { StartFailure } from './start-failure.ts';

/** `npm run backup -- --to <folder>`: a copy of the database of one moment, while the gateway runs. */
try {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  await runBackup({ to: folderArgument(), now: new Date(), say }, readProcessConfig());
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}

function folderArgument(): string {
  const to = given();
  if (to === undefined || to === '') throw misused();
  return resolve(to);
}

function given(): string | undefined {
  try {
    return parseArgs({ options: { to: { type: 'string' } } }).values.to;
  } catch {
    throw misused();
  }
}

function misused(): StartFailure {
  return new StartFailure(`Use: ${commandLine('backup', '--to <folder>')}`);
}
