import { createRequire } from 'node:module';
import type { Client as ClientOfUndici, Pool as PoolOfUndici } from 'undici';

/**
 * undici's pool of connections, by the path of its file: the package's front loads its fetch, sockets and caches as well, with
 * which a process at rest takes 73.4 MB instead of 67.8 (`node scripts/bench/plain-forms.ts`). What is used rarely is imported
 * from the front when it is used.
 */
export const Pool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof PoolOfUndici;
export type Pool = PoolOfUndici;

/** One connection of a pool. */
export const Client = createRequire(import.meta.url)('undici/lib/dispatcher/client.js') as typeof ClientOfUndici;
