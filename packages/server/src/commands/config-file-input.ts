import { parseArgs } from 'node:util';
import { commandLine } from '../platform/errors/command-line.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import type { ConfigFileCommand } from '../settings/config-file-commands.ts';
import { printLine } from './run-main.ts';

const usualFile = 'headgate.yaml';

/** The file given on the command line, else the configured one. */
export function configFileCommand(configured: string | undefined): ConfigFileCommand {
  const { file, prune = false } = givenOptions();
  return {
    path: file || configured || usualFile,
    isPruning: prune,
    print: printLine,
  };
}

function givenOptions() {
  try {
    return parseArgs({ options: { file: { type: 'string' }, prune: { type: 'boolean' } } }).values;
  } catch {
    throw new StartFailure(`Use: ${commandLine('plan', '[--file <file>] [--prune]')}, or the same with apply.`);
  }
}
