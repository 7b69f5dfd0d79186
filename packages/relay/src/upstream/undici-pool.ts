import { createRequire } from 'node:module';
import type { buildConnector as buildConnectorOfUndici, Client as ClientOfUndici, Pool as PoolOfUndici } from 'undici';

/**
 * undici's connection pool, imported by file path: the package's entry point also loads fetch, WebSocket and caches,
 * which takes an idle process from 67.8 to 73.4 MB (`node scripts/bench/plain-forms.ts`). Rarely used parts are
 * imported from the entry point on demand.
 */
export const Pool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof PoolOfUndici;
export type Pool = PoolOfUndici;

/** undici client with a single pooled connection. */
export const Client = createRequire(import.meta.url)('undici/lib/dispatcher/client.js') as typeof ClientOfUndici;

/** undici's connector, which adds TLS to a tunnel. */
export const buildConnector = createRequire(import.meta.url)(
  'undici/lib/core/connect.js',
) as typeof buildConnectorOfUndici;
