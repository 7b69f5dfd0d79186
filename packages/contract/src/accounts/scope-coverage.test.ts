import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../wire/endpoint.ts';
import { apiTables } from '../wire/tables.ts';
import { accessScopes } from './access-token.ts';
import { scopesOf } from './scope-coverage.ts';

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const coveredBy = (scope: (typeof accessScopes)[number]) => rows.filter((row) => scopesOf(row).includes(scope));

test.each(rows.map((row) => ({ name: nameOf(row), row })))(
  '[A52.1] $name is covered by the expected scopes',
  ({ row }) => {
    const scopes = scopesOf(row);
    if (row.access === 'visitor' || row.proof) expect(scopes).toEqual([]);
    else expect(scopes[0]).toBe('all');
    expect(new Set(scopes).size).toBe(scopes.length);
    for (const scope of scopes) expect(accessScopes).toContain(scope);
  },
);

test('[A52.1] an endpoint missing from the tables is covered by no scope', () => {
  const [row] = rows;
  expect(scopesOf({ ...(row as Endpoint) })).toEqual([]);
});

describe('[A52.1] write endpoints covered by scopes', () => {
  const changes = (row: Endpoint) => !row.file && (row.method !== 'GET' || row.changes === true);

  test.each(['read', 'usage'] as const)('[A52.1] scope %s covers no write endpoint', (scope) => {
    expect(coveredBy(scope).length).toBeGreaterThan(5);
    expect(coveredBy(scope).filter(changes).map(nameOf)).toEqual([]);
  });

  test('[A52.1] scope channels covers only write endpoints of channels', () => {
    const changed = coveredBy('channels').filter(changes).map(nameOf);
    expect(changed).toContain('PUT /api/channel/');
    expect(changed.filter((name) => !/^\w+ \/api\/channel\//.test(name))).toEqual([]);
  });
});

test("[A52.1] scope usage covers usage, logs and the caller's account", () => {
  expect(coveredBy('usage').map(nameOf).sort()).toEqual([
    'GET /api/budget/self',
    'GET /api/budget/self/:id',
    'GET /api/home',
    'GET /api/home/self',
    'GET /api/log/',
    'GET /api/log/entry',
    'GET /api/log/export',
    'GET /api/log/facets',
    'GET /api/log/failures',
    'GET /api/log/histogram',
    'GET /api/log/search',
    'GET /api/log/self/',
    'GET /api/log/self/entry',
    'GET /api/log/self/export',
    'GET /api/log/self/facets',
    'GET /api/log/self/histogram',
    'GET /api/log/self/search',
    'GET /api/log/self/stat',
    'GET /api/log/self/suggest',
    'GET /api/log/stat',
    'GET /api/log/suggest',
    'GET /api/organization/',
    'GET /api/organization/:id',
    'GET /api/organization/:id/budgets',
    'GET /api/organization/:id/logs',
    'GET /api/organization/:id/logs/export',
    'GET /api/organization/:id/statement',
    'GET /api/organization/:id/usage',
    'GET /api/organization/self',
    'GET /api/plan/self',
    'GET /api/usage',
    'GET /api/usage/compare',
    'GET /api/usage/focus',
    'GET /api/usage/self',
    'GET /api/usage/tags',
    'GET /api/user/:id/statement',
    'GET /api/user/dashboard',
    'GET /api/user/self',
    'GET /api/user/self/statement',
  ]);
});
