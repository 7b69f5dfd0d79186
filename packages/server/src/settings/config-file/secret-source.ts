import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { SecretReference } from './file-schema.ts';
import { SecretText } from './secret-text.ts';
import { quoteForMessage } from './yaml-text.ts';

export interface SecretSourceOptions {
  /** Environment of the process. */
  readonly variable: (name: string) => string | undefined;
  /** Variables that are settings of Headgate itself. */
  readonly ownVariables: readonly string[];
  /** Base folder for relative paths. */
  readonly folder: string;
  /** Contains the secret key and the database. */
  readonly dataDir: string;
  /** The gateway's own secrets, which are rejected even as copies. */
  readonly ownSecrets: readonly string[];
  /** True to validate a file where its secrets are missing. */
  readonly isOffline?: boolean;
}

/** Shorter values could appear in unrelated texts by chance. */
const minOwnSecretLength = 12;

/** Stands for any secret when a file is validated without them; valid as a key and as a URL. */
const offlineSecret = 'https://secret.example/placeholder';

/** Length of the longest key that the API accepts. */
const maxSecretLength = 200_000;

/**
 * Reads the secrets of a configuration file. The gateway's own secrets are rejected: otherwise anyone who can write
 * the file could have them sent to an upstream.
 */
export class SecretSource {
  readonly #places: SecretSourceOptions;

  constructor(places: SecretSourceOptions) {
    this.#places = places;
  }

  get isOffline(): boolean {
    return this.#places.isOffline === true;
  }

  isSet(name: string): boolean {
    return (this.#places.variable(name) ?? '').trim() !== '';
  }

  /** `refuse` creates an error that contains the place in the file. */
  read(reference: SecretReference, refuse: (words: string) => Error): SecretText {
    if (this.#places.isOffline) return new SecretText(offlineSecret);
    const text =
      'env' in reference ? this.#fromVariable(reference.env, refuse) : this.#fromFile(reference.file, refuse);
    if (text.length > maxSecretLength) throw refuse(`is longer than ${maxSecretLength} characters.`);
    if (text.includes('\0')) throw refuse('must not contain a null character.');
    if (!text.isWellFormed()) throw refuse('must not contain half a surrogate pair.');
    if (this.#places.ownSecrets.some((own) => own.length >= minOwnSecretLength && text.includes(own)))
      throw refuse('must not be a secret of Headgate itself.');
    return new SecretText(text);
  }

  #fromVariable(name: string, refuse: (words: string) => Error): string {
    const { variable, ownVariables } = this.#places;
    if (ownVariables.includes(name)) throw refuse(`must not be ${name}: that is a setting of Headgate itself.`);
    const text = variable(name)?.trim() ?? '';
    if (text === '') throw refuse(`needs the environment variable ${name}, which is not set.`);
    return text;
  }

  #fromFile(path: string, refuse: (words: string) => Error): string {
    const { folder, dataDir } = this.#places;
    const cannot = (why: string) => refuse(`cannot be read from ${quoteForMessage(path)} (${why}).`);
    try {
      const real = realpathSync(resolve(folder, path));
      if (`${real}${sep}`.startsWith(`${realOf(dataDir)}${sep}`)) throw cannot('it is in DATA_DIR');
      const found = statSync(real);
      if (!found.isFile()) throw cannot('it is not a file');
      if (found.size > maxSecretLength * 4) throw cannot('it is too large');
      const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(real)).trim();
      if (text === '') throw cannot('it is empty');
      return text;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cannot('it is not UTF-8');
      throw typeof code === 'string' ? cannot(code) : error;
    }
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
