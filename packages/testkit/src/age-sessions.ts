import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Gateway } from './start-gateway.ts';

/** Sets the last identity check of every session to an hour ago. */
export function ageSessions({ folder }: Pick<Gateway, 'folder'>): void {
  const database = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 30_000 });
  database.exec('update sessions set proved_time = proved_time - 3600');
  database.close();
}
