import { StartFailure } from '../../platform/errors/start-failure.ts';
import { writtenOut } from './written-out.ts';

/** What is wrong with a configuration file, and where: `headgate.yaml:12: …`. It never repeats a value of the file. */
export class FileFault extends StartFailure {
  constructor(file: string, line: number, words: string) {
    super(writtenOut(`${file}:${line}: ${words}`));
  }
}
