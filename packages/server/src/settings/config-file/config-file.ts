import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { ConfigFileError } from './config-file-error.ts';
import { type IncludeReader, type MergedFile, mergeFiles } from './file-parts.ts';
import { type FileDocument, fileSchema } from './file-schema.ts';
import { type FileVariable, fileVariables, replaceVariables } from './file-variables.ts';
import type { SecretReference } from './secret-reference.ts';
import { SecretSource, type SecretSourceOptions } from './secret-source.ts';
import type { SecretText } from './secret-text.ts';
import { type Path, quoteForMessage } from './yaml-text.ts';

/** In bytes. */
export const maxFileBytes = 1024 * 1024;

/** A file with its includes and the secrets it refers to, for another process. */
export interface SentFile {
  readonly name: string;
  readonly text: string;
  /** Texts by path. */
  readonly includes: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** A parsed and validated configuration file. Errors name the line. */
export class ConfigFile {
  readonly document: FileDocument;
  readonly #sent: Omit<SentFile, 'secrets'>;
  readonly #merged: MergedFile;
  readonly #secrets: SecretSource;

  constructor(name: string, text: string, secrets: SecretSource, readInclude: IncludeReader = noInclude) {
    const includes: Record<string, string> = {};
    this.#merged = mergeFiles(name, text, (path) => {
      const included = readInclude(path);
      includes[path] = included.text;
      return included;
    });
    this.#sent = { name, text, includes };
    this.#secrets = secrets;
    const { data, error } = fileSchema.safeParse(this.#valuesOf(this.#merged.value ?? {}), {
      error: z.locales.en().localeError,
    });
    if (error) throw this.#faultOf(error.issues[0]);
    this.document = data;
  }

  static read(path: string, sources: Omit<SecretSourceOptions, 'folder'>): ConfigFile {
    const folder = dirname(resolve(path));
    return new ConfigFile(basename(path), textOf(path), new SecretSource({ ...sources, folder }), (included) => ({
      name: included,
      text: textOf(includedPath(folder, included)),
    }));
  }

  /** A file that another process has read. */
  static received({ name, text, includes, secrets }: SentFile, ownSecrets: readonly string[]): ConfigFile {
    const given = new Map(Object.entries(secrets));
    return new ConfigFile(name, text, SecretSource.received(given, ownSecrets), (path) => ({
      name: path,
      text: includes[path] ?? '',
    }));
  }

  /** Complete once the file is validated, which reads every secret. */
  get sent(): SentFile {
    return { ...this.#sent, secrets: this.#secrets.found };
  }

  errorAt(path: Path, message: string): ConfigFileError {
    const { name, line } = this.#merged.locationOf(path);
    return new ConfigFileError(name, line, `${pathText(path)} ${message}`);
  }

  secret(path: Path, reference: SecretReference): SecretText {
    return this.#secrets.read(reference, (message) => this.errorAt(path, message));
  }

  /** True if secrets are placeholders. */
  get isOffline(): boolean {
    return this.#secrets.isOffline;
  }

  /** Runs `work` and adds the position in the file to its error. */
  validate<T>(path: Path, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.withPlace(path, error);
    }
  }

  /** Validates an entry with the API's schema, like a request. */
  validated<Schema extends z.core.$ZodType>(path: Path, schema: Schema, given: z.input<Schema>): z.output<Schema> {
    const { data, error } = z.safeParse(schema, given, { error: z.locales.en().localeError });
    if (!error) return data;
    const [issue] = error.issues;
    throw this.errorAt(path, `was rejected: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is invalid'}.`);
  }

  withPlace(path: Path, error: unknown): unknown {
    return error instanceof ApiError ? this.errorAt(path, `was rejected: ${error.messageIn('en')}`) : error;
  }

  /** The values with variables replaced. Without variables, strings such as `${x}` stay unchanged. */
  #valuesOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || !('variables' in value)) return value;
    const { variables: given, ...rest } = value;
    const { data, error } = fileVariables.safeParse(given, { error: z.locales.en().localeError });
    if (error) throw this.errorAt(['variables', ...(error.issues[0]?.path ?? [])], `${error.issues[0]?.message}.`);
    const values = new Map(
      Object.entries(data).map(([name, variable]) => [name, this.#variable(['variables', name], variable)]),
    );
    return replaceVariables(rest, values, (path, message) => this.errorAt(path, message));
  }

  #variable(path: Path, variable: FileVariable): string | number | boolean {
    if (typeof variable !== 'object') return variable;
    const { env, default: fallback } = variable;
    if (fallback !== undefined && !this.#secrets.isSet(env)) return fallback;
    return this.secret(path, { env }).reveal();
  }

  #faultOf(issue: z.core.$ZodIssue | undefined): ConfigFileError {
    if (issue?.code === 'unrecognized_keys') {
      return this.errorAt([...issue.path, issue.keys[0] ?? ''], 'is unknown.');
    }
    return this.errorAt(issue?.path ?? [], `${issue?.message ?? 'is invalid'}.`);
  }
}

/** Symbolic links are resolved, so that a link in the folder cannot lead out of it either. */
function includedPath(folder: string, included: string): string {
  const realFolder = realPathOf(folder);
  const path = realPathOf(resolve(realFolder, included));
  const fromFolder = relative(realFolder, path);
  if (fromFolder === '..' || fromFolder.startsWith(`..${sep}`) || isAbsolute(fromFolder))
    throw new StartFailure(`The included file ${included} is outside the folder of the configuration file.`);
  return path;
}

/** Resolves symbolic links; returns a path that does not exist unchanged. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const noInclude: IncludeReader = (path) => {
  throw new StartFailure(`${path} cannot be included here.`);
};

function textOf(path: string): string {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new StartFailure(`The configuration file ${path} is not a file.`);
    if (found.size > maxFileBytes) throw new StartFailure(`The configuration file ${path} is larger than 1 MB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : code;
    throw new StartFailure(`The configuration file ${path} cannot be read (${reason}).`);
  }
}

/** For example `channels.main.key`; unusual names are quoted. */
const pathText = (path: Path): string =>
  path.length === 0
    ? 'the file'
    : path.map((part) => (/^[\w-]{1,60}$/.test(String(part)) ? String(part) : quoteForMessage(String(part)))).join('.');
