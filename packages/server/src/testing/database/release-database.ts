import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** All rows that a gateway of version 1.0.0 stored, with its secret key and the keys of its tokens in plain text. */
interface Recording {
  readonly secretKey: string;
  readonly keys: Readonly<Record<'limited' | 'unlimited' | 'disabled', string>>;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

const recordingFile = join(import.meta.dirname, 'recordings/gateway-1.0.0.json');

/** Base URL of the channels in the recording. */
const recordedUpstream = 'http://upstream.example';

/**
 * A database as version 1.0.0 left it: the schema of 1.0 with recorded rows. The recording cannot be repeated, because
 * only that version can write it.
 */
export async function createReleaseDatabase(
  upstreamUrl: string,
): Promise<{ readonly stored: TestDatabase; readonly recording: Recording }> {
  const text = readFileSync(recordingFile, 'utf8').replaceAll(recordedUpstream, upstreamUrl);
  const recording = JSON.parse(text) as Recording;
  const stored = await createTestDatabase();
  writeFileSync(join(stored.location.dataDir, 'secret.key'), recording.secretKey, { mode: 0o600 });
  const database = await openDatabase(stored.location);
  try {
    await migrate(database, { upTo: '1.0-initial' });
    for (const [table, rows] of Object.entries(recording.tables)) {
      for (const row of rows) {
        const columns = Object.keys(row).map((column) => sql.ref(column));
        await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`.execute(
          database,
        );
      }
      if (isPostgres(database) && rows.some((row) => 'id' in row))
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
          database,
        );
    }
  } finally {
    await database.destroy();
  }
  return { stored, recording };
}
