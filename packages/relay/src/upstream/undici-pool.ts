import { createRequire } from 'node:module';
import type { Pool as PoolOfUndici } from 'undici';

/**
 * The one part of undici that every start needs, by its own path: the package's front loads its fetch, sockets and
 * caches as well, some 3 MB that stay. What is used rarely is imported from there when it is.
 */
export const Pool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof PoolOfUndici;
export type Pool = PoolOfUndici;
