import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readProcessConfig } from '../config.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { type DumpConfigCommand, runDumpConfig } from './dump-config-command.ts';

/** `npm run dump-config -- --to <file> [--users]`: writes the current configuration as a configuration file. */
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
  return { to: resolve(to), hasUsers: users, print: (line) => void process.stdout.write(`${line}\n`) };
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
