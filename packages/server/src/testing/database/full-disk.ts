import { sql } from 'kysely';
import { inject } from 'vitest';
import type { TestApp } from '../test-app.ts';

/** Simulates a full disk until disposed. */
export async function fullDisk({ database }: Pick<TestApp, 'database'>): Promise<AsyncDisposable> {
  const run = (text: string) => sql.raw(text).execute(database);
  if (inject('database') === 'sqlite') return fullFile(run);
  await run(`create function full_disk() returns trigger as $$
    begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$ language plpgsql`);
  const tables = ['charge_groups', 'tokens'] as const;
  for (const table of tables)
    await run(`create trigger full_disk before insert on ${table} for each statement execute function full_disk()`);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const table of tables) await run(`drop trigger full_disk on ${table}`);
      await run('drop function full_disk');
    },
  };
}

/** The file cannot grow and its free pages are filled; a few rows still fit into half-full pages. */
async function fullFile(run: (text: string) => Promise<unknown>): Promise<AsyncDisposable> {
  await run('create table filling (bytes blob)');
  await run('pragma max_page_count = 1');
  for (const bytes of [4000, 400, 40]) {
    for (;;) {
      const isTaken = await run(`insert into filling values (zeroblob(${bytes}))`).then(
        () => true,
        () => false,
      );
      if (!isTaken) break;
    }
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await run('pragma max_page_count = 1073741823');
      await run('drop table filling');
    },
  };
}
