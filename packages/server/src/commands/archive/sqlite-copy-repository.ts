import { existsSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { makePrivateFile } from '../../platform/storage/data-folder.ts';

/** All pages in one step: with several, every concurrent write would restart the copy. */
const allPages = 2 ** 31 - 1;

/** Copies a consistent snapshot with SQLite's backup API; a running server is not blocked. */
export async function copySqlite(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new StartFailure(`There is no database file ${from}.`);
  // Otherwise SQLite would make it readable for every user of the machine.
  makePrivateFile(to);
  try {
    using source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
    await backup(source, to, { rate: allPages });
    using copy = new DatabaseSync(to);
    // A single file, without WAL files next to it.
    copy.exec('pragma journal_mode = delete');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The database file ${from} could not be copied (${reason}).`);
  }
}

/** Reads the whole copy; throws StartFailure if it is damaged. */
export function checkCopy(file: string): void {
  using copy = new DatabaseSync(file, { readOnly: true });
  const problem = copy.prepare('pragma integrity_check(1)').get()?.['integrity_check'];
  if (problem === 'ok' && copy.prepare('pragma foreign_key_check').get() === undefined) return;
  throw new StartFailure(`The copy is damaged, and the database may be too: ${String(problem)}.`);
}
