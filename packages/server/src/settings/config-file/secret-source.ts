import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { SecretReference } from './secret-reference.ts';
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
  /** Secrets already read by another process, by reference. If set, nothing else is read. */
  readonly received?: ReadonlyMap<string, string>;
}

const keyOf = (reference: SecretReference): string =>
  'env' in reference ? `env ${reference.env}` : `file ${reference.file}`;

/** Shorter values could appear in unrelated text by chance. */
const minOwnSecretLength = 12;

/** Placeholder for any secret when a file is validated without its secrets; valid as a key and as a URL. */
const offlineSecret = 'https://secret.example/placeholder';

/** Length of the longest key that the API accepts. */
const maxSecretLength = 200_000;

/**
 * Reads the secrets of a configuration file. The gateway's own secrets are rejected, because otherwise anyone who can
 * write the file could have them sent to an upstream.
 */
export class SecretSource {
  readonly #sources: SecretSourceOptions;
  readonly #found = new Map<string, string>();

  constructor(sources: SecretSourceOptions) {
    this.#sources = sources;
  }

  /** Uses secrets already read by another process; the gateway's own secrets are rejected here too. */
  static received(received: ReadonlyMap<string, string>, ownSecrets: readonly string[]): SecretSource {
    const variable = (name: string) => received.get(keyOf({ env: name }));
    return new SecretSource({ variable, ownVariables: [], folder: '/', dataDir: '/', ownSecrets, received });
  }

  /** The secrets read so far, by their reference. */
  get found(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#found);
  }

  get isOffline(): boolean {
    return this.#sources.isOffline === true;
  }

  isSet(name: string): boolean {
    return (this.#sources.variable(name) ?? '').trim() !== '';
  }

  /** `errorOf` creates an error that contains the position in the file. */
  read(reference: SecretReference, errorOf: (message: string) => Error): SecretText {
    if (this.#sources.isOffline) return new SecretText(offlineSecret);
    const text = this.#textOf(reference, errorOf);
    this.#found.set(keyOf(reference), text);
    if (text.length > maxSecretLength) throw errorOf(`is longer than ${maxSecretLength} characters.`);
    if (text.includes('\0')) throw errorOf('must not contain a null character.');
    if (!text.isWellFormed()) throw errorOf('must not contain half a surrogate pair.');
    if (this.#sources.ownSecrets.some((own) => own.length >= minOwnSecretLength && text.includes(own)))
      throw errorOf('must not be a secret of Headgate itself.');
    return new SecretText(text);
  }

  #textOf(reference: SecretReference, errorOf: (message: string) => Error): string {
    const { received } = this.#sources;
    if (received) return received.get(keyOf(reference)) ?? raise(errorOf('is missing.'));
    return 'env' in reference ? this.#fromVariable(reference.env, errorOf) : this.#fromFile(reference.file, errorOf);
  }

  #fromVariable(name: string, errorOf: (message: string) => Error): string {
    const { variable, ownVariables } = this.#sources;
    if (ownVariables.includes(name)) throw errorOf(`must not be ${name}: that is a setting of Headgate itself.`);
    const text = variable(name)?.trim() ?? '';
    if (text === '') throw errorOf(`needs the environment variable ${name}, which is not set.`);
    return text;
  }

  #fromFile(path: string, errorOf: (message: string) => Error): string {
    const { folder, dataDir } = this.#sources;
    const cannot = (why: string) => errorOf(`cannot be read from ${quoteForMessage(path)} (${why}).`);
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

function raise(error: Error): never {
  throw error;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
