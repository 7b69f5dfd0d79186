import { expect, test } from 'vitest';
import { accessLevels, type Endpoint, fillPath } from './endpoint.ts';
import { apiTables } from './tables.ts';
import { stripTrailingSlash } from './trailing-slash.ts';

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

test.each([
  ['/api/user/self', undefined, '/api/user/self'],
  ['/api/channel/:id/', { id: 7 }, '/api/channel/7/'],
  ['/api/:kind/:id', { kind: 'token', id: '8' }, '/api/token/8'],
  ['/api/channel/:id', { id: '../user/1' }, '/api/channel/..%2Fuser%2F1'],
  ['/api/channel/:id', { id: 'a b?c#d' }, '/api/channel/a%20b%3Fc%23d'],
  ['/api/channel/:id', { id: ':id' }, '/api/channel/%3Aid'],
])('fillPath fills %s with %j: %s', (path, params, filled) => {
  expect(fillPath(path, params)).toBe(filled);
});

test('method and path are unique, with or without a trailing slash', () => {
  const addresses = rows.map(({ method, path }) => `${method} ${stripTrailingSlash(path)}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test.each(rows.map((row) => ({ name: `${row.method} ${row.path}`, row })))(
  '$name is a complete endpoint definition',
  ({ row }) => {
    expect(accessLevels).toContain(row.access);
    const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(row.params?.shape ?? {})).toEqual(inPath);
    // Browsers send no body with GET, and a GET with side effects must be marked.
    if (row.method === 'GET') expect(row.body).toBeUndefined();
    else expect(row.changes).toBeUndefined();
  },
);

test.each([
  ['https://x.example/', 'https://x.example'],
  ['https://x.example//', 'https://x.example'],
  ['https://x.example/path/', 'https://x.example/path'],
  ['https://x.example', 'https://x.example'],
  ['/', ''],
  ['', ''],
])('[S9.9] withoutTrailingSlash turns %j into %j', (address, expected) => {
  expect(stripTrailingSlash(address)).toBe(expected);
});
