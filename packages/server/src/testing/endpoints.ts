import { apiTables, type Endpoint } from '@headgate/contract';

export const endpoints: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Nonexistent id, so that a permitted call changes nothing. */
const absentId = '999999';

/** Each export starts a thread, so permission tests request a format that does not exist. */
const isExport = ({ method, path }: Endpoint) => method === 'GET' && path.endsWith('/export');

/** Input for permission tests: invalid at every endpoint with required fields. */
export const emptyInput = (endpoint: Endpoint) => ({
  params: Object.fromEntries([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, absentId])),
  ...(endpoint.method !== 'GET' && { body: {} }),
  ...(isExport(endpoint) && { query: { format: 'none' } }),
});
