import { StartFailure } from '../../platform/errors/start-failure.ts';
import { writtenOut } from './written-out.ts';

/** An error in a configuration file with its place: `headgate.yaml:12: …`. Never contains values of the file. */
export class FileFault extends StartFailure {
  constructor(file: string, line: number, words: string) {
    super(writtenOut(`${file}:${line}: ${words}`));
  }
}
