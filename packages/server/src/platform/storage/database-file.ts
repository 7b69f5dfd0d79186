import { join } from 'node:path';

/** Path of the SQLite database. */
export const databaseFile = (dataDir: string) => join(dataDir, 'headgate.db');
