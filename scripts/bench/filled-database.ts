import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../packages/server/src/platform/db/database.ts';
import { fillDatabase } from './fill-database.ts';
import type { SampleSize } from './sample-data.ts';

/** Parameters of a kept database. */
interface Filling {
  readonly size: SampleSize;
  readonly rootPassword: string;
  /** Time of the newest log entry, in seconds. */
  readonly end: number;
  readonly fillSeconds: number;
}

/** Fills the database, unless its folder shows that it is already filled. */
export async function ensureFilledDatabase(location: DatabaseLocation, size: SampleSize): Promise<Filling> {
  mkdirSync(location.dataDir, { recursive: true });
  const note = join(location.dataDir, location.databaseUrl === undefined ? 'filled.json' : 'filled-postgres.json');
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as Filling;
  console.error('Filling the database…');
  const [rootPassword, end] = [randomBytes(12).toString('hex'), Math.floor(Date.now() / 1000)];
  const start = performance.now();
  await fillDatabase({ location, size, rootPassword, end });
  const filling = { size, rootPassword, end, fillSeconds: (performance.now() - start) / 1000 };
  writeFileSync(note, JSON.stringify(filling));
  return filling;
}
