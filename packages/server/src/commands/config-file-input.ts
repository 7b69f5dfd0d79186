import { parseArgs } from 'node:util';
import { commandLine } from '../platform/errors/command-line.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import type { ConfigFileCommand } from '../settings/config-file-commands.ts';
import { printLine } from './run-main.ts';

const usualFile = 'headgate.yaml';

/** The file given on the command line, or the configured one. */
export function configFileCommand(configured: string | undefined): ConfigFileCommand {
  const { file, prune = false } = givenOptions(applyOptions);
  return commandOf(file || configured, prune);
}

interface PlanCommand extends ConfigFileCommand {
  /** True to only validate the file, without a database. */
  readonly isValidation: boolean;
}

/** The same for `plan`, which has more options. */
export function planCommand(configured: string | undefined): PlanCommand {
  const { file, prune = false, json = false, validate = false } = givenOptions(planOptions);
  return { ...commandOf(file || configured, prune), isJson: json, isValidation: validate };
}

function commandOf(file: string | undefined, prune: boolean): ConfigFileCommand {
  return {
    path: file || usualFile,
    isPruning: prune,
    print: printLine,
  };
}

const applyOptions = { file: { type: 'string' }, prune: { type: 'boolean' } } as const;
const planOptions = { ...applyOptions, json: { type: 'boolean' }, validate: { type: 'boolean' } } as const;

function givenOptions<Options extends typeof applyOptions>(options: Options) {
  try {
    return parseArgs({ options }).values;
  } catch {
    throw new StartFailure(
      `Use: ${commandLine('plan', '[--file <file>] [--prune] [--json] [--validate]')}, or apply with --file and --prune.`,
    );
  }
}
