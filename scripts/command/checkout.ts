import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommandPrefix } from '../../packages/server/src/platform/errors/command-line.ts';
import { repositoryRoot } from '../repository.ts';
import { developerCommands } from './developer-commands.ts';
import { productCommands } from './product-commands.ts';
import { runCommand } from './run-command.ts';

/** Runs a command of a checkout: each is a script of the same name. */
export function runInCheckout(words: readonly string[]): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { version: string };
  return runCommand(words, {
    caller: npmCommandPrefix,
    version,
    commands: { ...productCommands, ...developerCommands },
    isUnchecked: (name) => Object.hasOwn(developerCommands, name),
    run: (name) => import(`../${name}.ts`),
  });
}
