import { apiTables, type Endpoint, editedBy, scopesOf } from '@headgate/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { refusalCodes } from '../platform/errors/refusal.ts';
import { useTestApp } from '../testing/test-app.ts';

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

/** OpenAPI uses braces for parameters. */
const documentedPath = (path: string) => path.replace(/:(\w+)/g, '{$1}');

interface JsonSchema {
  readonly properties?: Readonly<Record<string, object>>;
}

interface JsonContent {
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

interface Operation {
  readonly operationId: string;
  readonly 'x-access': string;
  readonly security: readonly object[];
  readonly requestBody?: JsonContent;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: {
    readonly 200: JsonContent & { readonly headers?: object };
    readonly 412?: JsonContent;
    readonly '4XX'?: JsonContent & { readonly headers?: object };
    readonly '5XX'?: JsonContent & { readonly headers?: object };
  };
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const app = await useTestApp();
const { body } = await app.client().request('GET', '/api/openapi.json');
const document = body as OpenApi;

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

test('served endpoints match the contract exactly', () => {
  const rowNames = rows.map(({ method, path }) => `${method} ${documentedPath(path)}`);
  expect(operations.map(({ name }) => name).sort()).toEqual(rowNames.sort());
});

test('the OpenAPI document states the required access', () => {
  for (const { method, path, access } of rows) {
    const operation = document.paths[documentedPath(path)]?.[method.toLowerCase()];
    expect(operation?.['x-access']).toBe(access);
    const row = rows.find((each) => each.method === method && each.path === path) as Endpoint;
    const byToken = scopesOf(row).map((scope) => ({ accessToken: [scope] }));
    expect(operation?.security).toEqual(access === 'visitor' ? [] : [{ session: [] }, ...byToken]);
  }
});

test('the OpenAPI document states ETag and If-Match support and the scopes', () => {
  const guarded = rows.filter((row) => editedBy(row)?.isRead === false);
  expect(guarded.length).toBeGreaterThan(15);
  for (const row of rows) {
    const operation = document.paths[documentedPath(row.path)]?.[row.method.toLowerCase()];
    const edited = editedBy(row);
    const isGuarded = edited?.isRead === false;
    const parameters = operation?.parameters ?? [];
    expect(
      parameters.some(({ name }) => name === 'if-match'),
      row.path,
    ).toBe(isGuarded);
    expect(operation?.responses[412] !== undefined, row.path).toBe(isGuarded);
    const headers = Object.keys(operation?.responses[200].headers ?? {});
    expect(headers.includes('etag'), row.path).toBe(edited !== undefined && row.method !== 'DELETE');
    expect(headers).toContain('x-refusal');
    for (const status of ['4XX', '5XX'] as const) {
      const told = operation?.responses[status]?.headers;
      expect(told).toHaveProperty('x-refusal.schema', { $ref: '#/components/schemas/RefusalCode' });
      expect(told).toHaveProperty('retry-after');
    }
    expect(headers.includes('x-total-count'), row.path).toBe(row.list === true || row.file === true);
  }
});

test('the OpenAPI document lists every error code once', () => {
  const { RefusalCode } = document.components.schemas;
  expect(RefusalCode?.enum).toEqual(refusalCodes);
  for (const code of [
    'notFound',
    'outOfScope',
    'changedMeanwhile',
    'ifMatchUnheeded',
    'tooManyRequests',
    'unknownPath',
  ])
    expect(RefusalCode?.enum).toContain(code);
});

const schemaOf = (part: JsonContent | undefined) => part?.content['application/json'].schema;

test('the OpenAPI document describes request and response bodies', () => {
  for (const { method, path, body: sent, reply } of rows.filter(({ file }) => !file)) {
    const operation = document.paths[documentedPath(path)]?.[method.toLowerCase()];
    const replied = Object.keys(schemaOf(operation?.responses[200])?.properties ?? {});
    expect(replied).toEqual(expect.arrayContaining(['success', 'message']));
    expect(replied.includes('data'), path).toBe(reply.def.type !== 'undefined');
    expect(Object.keys(schemaOf(operation?.requestBody)?.properties ?? {})).toEqual(Object.keys(sent?.shape ?? {}));
  }
});

test('the OpenAPI document marks file responses', () => {
  const files = rows.filter(({ file }) => file);
  expect(files).not.toEqual([]);
  for (const { method, path } of files) {
    const operation = document.paths[documentedPath(path)]?.[method.toLowerCase()];
    expect(Object.keys(operation?.responses[200].content ?? {})).toEqual(['text/csv', 'application/x-ndjson']);
  }
});

test('the OpenAPI document is valid', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(body) as Record<string, unknown>);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

/** These paths are called by One API's console. */
const ofTheAncestor = { 'no-path-trailing-slash': 'off', 'no-ambiguous-paths': 'off' } as const;

test('the OpenAPI document passes the recommended linter rules, except for One API’s paths', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: ofTheAncestor });
  const problems = await lintFromString({ source: JSON.stringify(body), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('operation ids are unique', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids).toContain('userSearch');
  expect(new Set(ids).size).toBe(rows.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
});

test('the HTML page lists every path and runs no script', async () => {
  const { status, headers, text } = await app.client().request('GET', '/api/docs');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const { method, path, summary } of rows) {
    expect(text).toContain(`<b class="${method.toLowerCase()}">${method}</b> <code>${documentedPath(path)}</code>`);
    expect(text).toContain(summary);
  }
  expect(text).not.toMatch(/<script|\son\w+=|javascript:/i);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('content-security-policy')).not.toContain('script-src');
});

/** Served in addition to the contract; none of them contains user data. */
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
const otherRoutes = [
  'GET /api/docs',
  'GET /api/openapi.json',
  'GET /docs',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  ...relayRoutes,
];

/** All routes of the router, including hidden ones, parsed from its printed tree. */
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

test('no other route exists outside the contract', () => {
  const rowNames = rows.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`);
  expect(routesOf(app.app.printRoutes()).sort()).toEqual([...rowNames, ...otherRoutes].sort());
});
