import { type Database, type DatabaseLocation, openDatabase } from '../../packages/server/src/platform/db/database.ts';
import { LogRepository, type NewLog } from '../../packages/server/src/records/logs/log-repository.ts';
import type { DemoData } from './sample-data.ts';
import { sampleHistory } from './sample-history.ts';

const rowsPerTransaction = 5000;

interface Used {
  requests: number;
  quota: number;
}

/** Writes 30 days of requests and their rollups to a database that no server has open. */
export async function writeHistory(location: DatabaseLocation, shop: DemoData, end: number): Promise<number> {
  const database = await openDatabase(location);
  try {
    const rows = [...sampleHistory(shop, end)];
    for (let at = 0; at < rows.length; at += rowsPerTransaction) {
      const part = rows.slice(at, at + rowsPerTransaction);
      await database.transaction().execute((connection) => new LogRepository(connection).insert(part));
    }
    await database.transaction().execute((connection) => writeSums(connection, rows));
    return rows.length;
  } finally {
    await database.destroy();
  }
}

async function writeSums(database: Database, rows: readonly NewLog[]): Promise<void> {
  for (const [id, { requests, quota }] of sumsBy(rows, ({ user_id }) => user_id)) {
    await database
      .updateTable('users')
      .set((column) => ({
        used_quota: column('used_quota', '+', quota),
        credited: column('credited', '+', quota),
        request_count: column('request_count', '+', requests),
      }))
      .where('id', '=', id)
      .execute();
  }
  for (const [name, { quota }] of sumsBy(rows, ({ token_name }) => token_name)) {
    const accessed_time = Math.max(...rows.filter((row) => row.token_name === name).map((row) => row.created_at));
    await database.updateTable('tokens').set({ used_quota: quota, accessed_time }).where('name', '=', name).execute();
  }
  for (const [id, { quota }] of sumsBy(rows, ({ channel }) => channel)) {
    await database.updateTable('channels').set({ used_quota: quota }).where('id', '=', id).execute();
  }
}

function sumsBy<Key>(rows: readonly NewLog[], keyOf: (row: NewLog) => Key): Map<Key, Used> {
  const sums = new Map<Key, Used>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { requests: 0, quota: 0 };
    sum.requests += 1;
    sum.quota += row.quota;
    sums.set(keyOf(row), sum);
  }
  return sums;
}
