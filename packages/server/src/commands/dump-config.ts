import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readProcessConfig } from '../config.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { type DumpConfigCommand, runDumpConfig } from './dump-config-command.ts';
import { exitCodes, printLine, runMain, UsageError } from './run-main.ts';

/** `npm run dump-config -- --to <file> [--users]`: writes the current configuration as a configuration file. */
await runMain(async () => {
  await runDumpConfig(readCommand(), readProcessConfig());
  return exitCodes.done;
});

function readCommand(): DumpConfigCommand {
  const { to, users = false } = givenOptions();
  if (to === undefined || to === '') throw misused();
  return { to: resolve(to), hasUsers: users, print: printLine };
}

function givenOptions() {
  try {
    return parseArgs({ options: { to: { type: 'string' }, users: { type: 'boolean' } } }).values;
  } catch {
    throw misused();
  }
}

function misused(): UsageError {
  return new UsageError(`Use: ${commandLine('dump-config', '--to <file> [--users]')}`);
}
