import { writeFileSync } from 'node:fs';
import { envVariableNames } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { maxFileBytes } from '../settings/config-file/config-file.ts';
import { dumpDocument } from '../settings/config-file/dump/dump-document.ts';
import { type ConfigFileTarget, openForPlan } from '../settings/config-file-commands.ts';
import { readOnlyServices } from '../settings/create-file-services.ts';

export interface DumpConfigCommand {
  /** The file to write; an existing one is not overwritten. */
  readonly to: string;
  readonly hasUsers: boolean;
  readonly print: (line: string) => void;
}

/** Writes the current configuration as a configuration file. A server may be running. */
export async function runDumpConfig(
  { to, hasUsers, print }: DumpConfigCommand,
  target: ConfigFileTarget,
): Promise<void> {
  const { database, box } = await openForPlan(target);
  try {
    const services = readOnlyServices(database, box);
    const { text, variables, left } = await dumpDocument(services, { ownVariables: envVariableNames, hasUsers });
    writeNew(to, text);
    print(`Written to ${to}.`);
    if (variables.names.length > 0)
      print(`Its secrets come from these environment variables: ${variables.names.join(', ')}.`);
    for (const line of left) print(`Not included: ${line}`);
    if (Buffer.byteLength(text) > maxFileBytes)
      print('The file is larger than 1 MB, the limit of a configuration file. Shorten it before you run plan.');
  } finally {
    await database.destroy();
  }
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartFailure(`The file ${path} cannot be written (${code === 'EEXIST' ? 'it already exists' : code}).`);
  }
}
