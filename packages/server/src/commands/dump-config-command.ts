import { writeFileSync } from 'node:fs';
import { settingNames } from '../config.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { largestFile } from '../settings/config-file/config-file.ts';
import { dumpDocument } from '../settings/config-file/dump/dump-document.ts';
import { openToPlan, type Place } from '../settings/config-file-commands.ts';
import { readingServices } from '../settings/create-file-services.ts';

export interface DumpConfigCommand {
  /** The file to write; an existing one is not overwritten. */
  readonly to: string;
  readonly hasUsers: boolean;
  readonly say: (line: string) => void;
}

/** Writes the current configuration as a configuration file. A server may be running. */
export async function runDumpConfig({ to, hasUsers, say }: DumpConfigCommand, place: Place): Promise<void> {
  const { database, box } = await openToPlan(place);
  try {
    const services = readingServices(database, box);
    const { text, variables, left } = await dumpDocument(services, { ownVariables: settingNames, hasUsers });
    writeNew(to, text);
    say(`Written to ${to}.`);
    if (variables.names.length > 0)
      say(`Its secrets come from these environment variables: ${variables.names.join(', ')}.`);
    for (const line of left) say(`Not included: ${line}`);
    if (Buffer.byteLength(text) > largestFile)
      say('The file is larger than 1 MB, the limit of a configuration file. Shorten it before you run plan.');
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
