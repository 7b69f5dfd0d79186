import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine } from './command-words.ts';
import { type DumpConfigCommand, runDumpConfig } from './composition/dump-config-command.ts';
import { readProcessConfig } from './config.ts';
import { StartFailure } from './start-failure.ts';

/** `npm run dump-config -- --to <file> [--users]`: the present configuration as a configuration file. */
try {
  await runDumpConfig(readCommand(), readProcessConfig());
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}

function readCommand(): DumpConfigCommand {
  const { to, users = false } = givenOptions();
  if (to === undefined || to === '') throw misused();
  return { to: resolve(to), hasUsers: users, say: (line) => void process.stdout.write(`${line}\n`) };
}

function givenOptions() {
  try {
    return parseArgs({ options: { to: { type: 'string' }, users: { type: 'boolean' } } }).values;
  } catch {
    throw misused();
  }
}

function misused(): StartFailure {
  return new StartFailure(`Use: ${commandLine('dump-config', '--to <file> [--users]')}`);
}
