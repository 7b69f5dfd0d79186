import { sql } from 'kysely';
import { inject } from 'vitest';
import type { TestApp } from '../test-app.ts';

/**
 * Makes the database reject every charge until disposed; charges are retried in the meantime. With `isJournalOpen`,
 * SQLite's journal still accepts them.
 */
export async function blockCharges(
  { database }: Pick<TestApp, 'database'>,
  { isJournalOpen = false } = {},
): Promise<AsyncDisposable> {
  const isSqlite = inject('database') === 'sqlite';
  const sqliteTables = [['users', 'update'], ...(isJournalOpen ? [] : [['charge_journal', 'insert']])];
  const held = isSqlite ? sqliteTables : [['balance_changes', 'insert']];
  const run = (text: string) => sql.raw(text).execute(database);
  if (!isSqlite) await run(`create function held() returns trigger as $$ begin raise 'held'; end $$ language plpgsql`);
  for (const [table, event] of held) {
    const body = isSqlite ? `begin select raise(abort, 'held'); end` : 'for each statement execute function held()';
    await run(`create trigger held_${table} before ${event} on ${table} ${body}`);
  }
  const release = async () => {
    for (const [table] of held) await run(`drop trigger held_${table}${isSqlite ? '' : ` on ${table}`}`);
    if (!isSqlite) await run('drop function held');
  };
  return { [Symbol.asyncDispose]: release };
}
