import { sql } from 'kysely';
import type { Database } from './database.ts';

export async function isAnswering(database: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(database);
    return true;
  } catch {
    return false;
  }
}
