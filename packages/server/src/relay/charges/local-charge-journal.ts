import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@headgate/dialects';
import type { Charge } from './charge-writer.ts';
import { parseJournalEntry, toJournalEntry } from './journal-entry.ts';

/** A batch of charges with its id in `charge_groups`. */
export interface LocalBatch {
  readonly databaseId: string;
  readonly writer: number;
  readonly number: number;
  readonly savedTime: number;
  readonly charges: readonly Charge[];
}

/** Database and process to which the saved charges belong. */
interface JournalOwner {
  readonly databaseId: string;
  readonly writer: number;
}

export interface LocalJournalFile {
  readonly groups: readonly LocalBatch[];
  readonly lines: number;
  /** Number of lines that cannot be read. */
  readonly unreadable: number;
}

const prefix = 'unsettled-charges-';
const suffix = '.jsonl';
const fileMode = 0o600;
/** Larger than any batch number that a process can reach. */
const firstRejectedNumber = 2 ** 40;

/**
 * Charges that PostgreSQL did not accept before the process had to end, saved in a file in the data folder. The next
 * start of a node with that folder stores them under the same ids, so that a batch that was committed after all is not
 * charged twice.
 */
export class LocalChargeJournal {
  readonly #path: string;
  readonly #owner: JournalOwner;

  /** `name` distinguishes the file from others in the folder; the writer id by default. */
  constructor({ folder, name, ...owner }: JournalOwner & { readonly folder: string; readonly name?: string }) {
    this.#path = join(folder, `${prefix}${name ?? owner.writer}${suffix}`);
    this.#owner = owner;
  }

  get path(): string {
    return this.#path;
  }

  /** Durable when it returns. Synchronous because the process is about to end. */
  append(number: number, charges: readonly Charge[], savedTime: number): void {
    const { databaseId, writer } = this.#owner;
    const { version, charges: packed } = toJournalEntry(number, charges);
    const file = openSync(this.#path, 'a', fileMode);
    try {
      // Starts on a new line, because an earlier attempt may have been written partially. Unlike `writeSync`, this
      // writes everything or throws.
      writeFileSync(file, `\n${JSON.stringify([databaseId, writer, number, savedTime, version, packed])}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

/**
 * Saves charges of a batch in a separate file and returns its path. Their id is derived from the batch, so that they
 * can later be stored exactly once.
 */
export function saveRejectedCharges(folder: string, group: LocalBatch, charges: readonly Charge[]): string {
  const { databaseId, writer, number, savedTime } = group;
  const journal = new LocalChargeJournal({ folder, databaseId, writer, name: `${writer}-${number}` });
  journal.append(firstRejectedNumber + number, charges, savedTime);
  return journal.path;
}

/** Journal files left in this folder. */
export function localJournalPaths(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith(suffix));
  return names.map((name) => join(folder, name));
}

/** `force`, because another process with the same folder may have removed it. */
export const removeJournalFile = (path: string): void => rmSync(path, { force: true });

/** Empty if another process has removed the file. */
export function readJournalFile(path: string): LocalJournalFile {
  const lines = (existsSync(path) ? readFileSync(path, 'utf8') : '').split('\n').filter((line) => line !== '');
  const groups = lines.map(readGroup).filter((group) => group !== undefined);
  return { groups, lines: lines.length, unreadable: lines.length - groups.length };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function readGroup(line: string): LocalBatch | undefined {
  const values = parseJson(line);
  if (!Array.isArray(values)) return undefined;
  const [databaseId, writer, number, savedTime, version, packed] = values as unknown[];
  if (typeof databaseId !== 'string' || typeof packed !== 'string') return undefined;
  if (!isId(writer) || !isId(number) || !isId(savedTime) || !isId(version)) return undefined;
  const charges = parseJournalEntry({ id: number, version, charges: packed });
  return 'reason' in charges ? undefined : { databaseId, writer, number, savedTime, charges };
}
