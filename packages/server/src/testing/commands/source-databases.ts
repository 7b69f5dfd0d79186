import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { OneApiSourceKind } from '@headgate/importer';
import { defaultValues, type SourceRow, sourceTables } from './source-tables.ts';

/** SQLite file with the tables of another gateway. */
export class SourceDatabase {
  readonly path: string;
  readonly #folder: string;
  readonly #file: DatabaseSync;

  constructor(kind: OneApiSourceKind) {
    this.#folder = mkdtempSync(join(tmpdir(), 'headgate-ancestor-'));
    this.path = join(this.#folder, 'one-api.db');
    this.#file = new DatabaseSync(this.path);
    for (const [table, columns] of Object.entries(sourceTables[kind])) {
      const quoted = columns.map((column) => column.replace(/^\w+/, '"$&"'));
      this.#file.exec(`create table "${table}" (${quoted.join(', ')})`);
    }
  }

  /** Inserts rows; missing columns get their default test value or null. */
  add(table: string, ...rows: readonly SourceRow[]): this {
    for (const given of rows) {
      const row = { ...defaultValues[table], ...given };
      const columns = Object.keys(row).map((column) => `"${column}"`);
      const parameters = columns.map(() => '?');
      this.#file
        .prepare(`insert into "${table}" (${columns.join(', ')}) values (${parameters.join(', ')})`)
        .run(...Object.values(row));
    }
    return this;
  }

  run(sql: string): void {
    this.#file.exec(sql);
  }

  [Symbol.dispose](): void {
    this.#file.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
