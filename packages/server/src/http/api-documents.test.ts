import { apiTables, type Endpoint } from '@headgate/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../testing/test-app.ts';
import { documentedPath } from './openapi/document.ts';
import { urlsOf } from './serve-table.ts';

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

const app = await useTestApp();

test('the OpenAPI document is served as JSON', async () => {
  const { status, headers, body } = await app.client().request('GET', '/api/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Headgate API' } });
  expect(Object.keys((body as { paths: object }).paths)).toContain('/api/user/{id}');
});

test('the API page shows every operation and every schema, without scripts', async () => {
  const { status, headers, text } = await app.client().request('GET', '/api/docs');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const { method, path } of rows)
    expect(text).toContain(`<b class="${method.toLowerCase()}">${method}</b><code>${documentedPath(path)}</code>`);
  const targets = new Set([...text.matchAll(/id="([\w-]+)"/g)].map(([, id]) => id));
  const links = [...text.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !targets.has(link))).toEqual([]);
  expect(text).not.toMatch(/<script|\son\w+=|javascript:/i);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('content-security-policy')).not.toContain('script-src');
});

/** Routes outside the contract. None of them returns data of a user. */
const unservedFamilies = [
  ...['/v1/files', '/v1/fine_tuning/jobs', '/v1/assistants', '/v1/threads', '/v1/responses', '/v1/conversations'],
  ...['/v1/batches', '/v1/vector_stores', '/v1/realtime', '/v1/videos', '/v1/evals', '/v1/containers'],
];
const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const unservedCalls = ['edits', 'images/variations'];
const proxied = ['/v1/proxy/:id/*', '/v1/oneapi/proxy/:id/*'];
const relayRoutes = [
  'DELETE /v1/models/:id',
  'GET /dashboard/billing/subscription',
  'GET /dashboard/billing/usage',
  'GET /api/tags',
  'GET /api/version',
  'GET /v1/dashboard/billing/subscription',
  'GET /v1/dashboard/billing/usage',
  'GET /v1/models',
  'GET /v1/models/:id',
  'DELETE /v1/responses/:id',
  'GET /v1/responses/:id',
  'GET /v1/responses/:id/input_items',
  'POST /v1/responses/:id/cancel',
  'GET /v1beta/models',
  'GET /v1beta/models/:id',
  'OPTIONS /dashboard/*',
  ...['chat', 'embed', 'generate', 'show', 'tags', 'version'].map((name) => `OPTIONS /api/${name}`),
  'OPTIONS /v1/*',
  'OPTIONS /v1beta/*',
  'POST /api/show',
  'POST /v1/messages/count_tokens',
  'POST /v1beta/models/*',
  ...proxied.flatMap((path) => anyMethod.map((method) => `${method} ${path}`)),
  ...unservedCalls.map((name) => `POST /v1/${name}`),
  ...unservedFamilies.flatMap((path) => anyMethod.flatMap((method) => [`${method} ${path}`, `${method} ${path}/*`])),
];
const scimRoutes = [
  ...['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User', 'ResourceTypes/Group', 'Schemas'],
  ...['User', 'Group'].map((name) => `Schemas/urn:ietf:params:scim:schemas:core:2.0:${name}`),
  ...['Users', 'Users/:id', 'Groups', 'Groups/:id', '*'],
].map((path) => `GET /scim/v2/${path}`);
const scimChanges = [
  ...['POST /scim/v2/Users', 'POST /scim/v2/Groups', 'POST /scim/v2/*'],
  ...['Users/:id', 'Groups/:id', '*'].flatMap((path) =>
    ['PUT', 'PATCH', 'DELETE'].map((method) => `${method} /scim/v2/${path}`),
  ),
];
const otherRoutes = [
  'GET /api/payment/callback/:provider',
  'POST /api/payment/callback/:provider',
  'GET /api/docs',
  'GET /api/openapi.json',
  'GET /docs',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  ...scimRoutes,
  ...scimChanges,
  ...relayRoutes,
];

/** Every route of the router, read from its printed tree. */
function routesOf(drawing: string): string[] {
  const parts: string[] = [];
  return [...drawing.matchAll(/^(.*)[├└]── (\S+)(?: \(([^)]*)\))?$/gm)].flatMap(
    ([, indent = '', part = '', methods]) => {
      parts.splice(indent.length / 4, parts.length, part);
      const path = parts.join('');
      const listed = methods?.split(', ').filter((method) => method !== 'HEAD') ?? [];
      return listed.map((method) => `${method} ${path}`);
    },
  );
}

test('every route is in the contract or listed in this file', () => {
  const rowNames = rows.flatMap((row) => urlsOf(row).map((url) => `${row.method} ${url.replace(/\/$/, '')}`));
  expect(routesOf(app.app.printRoutes()).sort()).toEqual([...rowNames, ...otherRoutes].sort());
});
