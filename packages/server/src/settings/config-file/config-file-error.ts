import { StartFailure } from '../../platform/errors/start-failure.ts';
import { escapeLine } from './escape-line.ts';

/** An error in a configuration file with its position: `headgate.yaml:12: …`. Never contains values of the file. */
export class ConfigFileError extends StartFailure {
  constructor(file: string, line: number, text: string) {
    super(escapeLine(`${file}:${line}: ${text}`));
  }
}
