import { apiTables, type Endpoint } from '@headgate/contract';

export const endpoints: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** No row has this id, so that an allowed call changes nothing. */
const absentId = '999999';

/** Exports start a thread each, so tests of their guards request a format that does not exist. */
const isExport = ({ method, path }: Endpoint) => method === 'GET' && path.endsWith('/export');

/** Input for tests of guards: invalid at every endpoint with required fields. */
export const emptyInput = (endpoint: Endpoint) => ({
  params: Object.fromEntries([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, absentId])),
  ...(endpoint.method !== 'GET' && { body: {} }),
  ...(isExport(endpoint) && { query: { format: 'none' } }),
});
