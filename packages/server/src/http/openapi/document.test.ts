import { apiTables, type Endpoint, editTargetOf, scopesOf } from '@headgate/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { apiErrorCodes } from '../../platform/errors/api-error.ts';
import { apiDocument, documentedPath } from './document.ts';
import type { DocumentedOperation, Schema } from './schema.ts';
import { schemaTexts } from './texts/schema-texts.ts';
import { sharedFields, sharedParameters } from './texts/shared-fields.ts';

const endpoints: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

const document = apiDocument('1.0.0');
const { paths } = document;
const schemas: Readonly<Record<string, Schema>> = document.components.schemas;

const documentedOf = ({ method, path }: Endpoint): DocumentedOperation => {
  const operation = paths[documentedPath(path)]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not documented`);
  return operation;
};

const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

/** Every property of every schema in a part of the document, with its path. */
function propertiesIn(part: unknown, path: string): { path: string; property: Schema }[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === 'example') return [];
    const inner = propertiesIn(value, `${path}.${key}`);
    if (key !== 'properties') return inner;
    const own = Object.entries(value as Record<string, Schema>);
    return [...own.map(([name, property]) => ({ path: `${path}.${name}`, property })), ...inner];
  });
}

const isSentence = (text: string | undefined): boolean => text !== undefined && /^[A-Z0-9`-].*[.)]$/s.test(text);

describe('descriptions', () => {
  test('descriptions cover every operation', () => {
    for (const { name, operation } of documented) {
      expect(operation.summary, name).toMatch(/^[A-Z].*[^.]$/);
      expect(isSentence(operation.description), `${name}: ${operation.description}`).toBe(true);
    }
  });

  test('descriptions cover every parameter', () => {
    const all = documented.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((parameter) => ({ ...parameter, path: `${name} ${parameter.name}` })),
    );
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(({ description }) => !isSentence(description)).map(({ path }) => path)).toEqual([]);
  });

  test('descriptions cover every property', () => {
    const all = propertiesIn(document, '');
    expect(all.length).toBeGreaterThan(1000);
    expect(all.filter(({ property }) => !isSentence(property.description)).map(({ path }) => path)).toEqual([]);
  });

  test('descriptions cover every schema and every response with data', () => {
    const undescribed = Object.entries(schemas).filter(([, { description }]) => !isSentence(description));
    expect(undescribed.map(([name]) => name)).toEqual([]);
    for (const endpoint of endpoints.filter(({ file, reply }) => !file && reply.def.type !== 'undefined')) {
      const { schema } = documentedOf(endpoint).responses[200].content['application/json'] ?? {};
      const data = schema?.oneOf?.[0]?.allOf?.at(-1)?.properties?.['data'];
      expect(isSentence(data?.description), endpoint.path).toBe(true);
    }
  });

  test('descriptions cover every tag, and every operation has a tag', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { description } of document.tags) expect(isSentence(description), description).toBe(true);
    const used = new Set(documented.flatMap(({ operation }) => operation.tags));
    expect([...used].sort()).toEqual([...tags].sort());
  });

  test('there are no unused descriptions', () => {
    expect(Object.keys(schemaTexts).filter((name) => !(name in schemas))).toEqual([]);
    const properties = new Set(propertiesIn(document, '').map(({ property }) => property.description));
    const parameters = new Set(
      documented.flatMap(({ operation }) => (operation.parameters ?? []).map(({ description }) => description)),
    );
    expect(Object.entries(sharedFields).filter(([, text]) => !properties.has(text))).toEqual([]);
    expect(Object.entries(sharedParameters).filter(([, text]) => !parameters.has(text))).toEqual([]);
  });
});

describe('operations', () => {
  test('documented operations match the contract', () => {
    const expected = endpoints.map(({ method, path }) => `${method} ${documentedPath(path)}`);
    expect(documented.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  test('operations have unique and stable ids', () => {
    const ids = documented.map(({ operation }) => operation.operationId);
    expect(ids).toContain('userSearch');
    expect(new Set(ids).size).toBe(endpoints.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  test('operations show the required role and the accepted scopes', () => {
    for (const endpoint of endpoints) {
      const operation = documentedOf(endpoint);
      const scopes = scopesOf(endpoint);
      expect(operation['x-access']).toBe(endpoint.access);
      expect(operation['x-scopes']).toEqual(scopes);
      const signedIn = [{ session: [] }, ...(scopes.length > 0 ? [{ accessToken: [] }] : [])];
      expect(operation.security).toEqual(endpoint.access === 'visitor' ? [] : signedIn);
    }
  });

  test('operations show ETag, If-Match and the total count where they are used', () => {
    expect(endpoints.filter((endpoint) => editTargetOf(endpoint)?.isRead === false).length).toBeGreaterThan(15);
    for (const endpoint of endpoints) {
      const { parameters = [], responses } = documentedOf(endpoint);
      const edited = editTargetOf(endpoint);
      const acceptsIfMatch = edited?.isRead === false;
      const headers = Object.keys(responses[200].headers);
      expect(
        parameters.some(({ name }) => name === 'if-match'),
        endpoint.path,
      ).toBe(acceptsIfMatch);
      expect('412' in responses, endpoint.path).toBe(acceptsIfMatch);
      expect(headers.includes('etag'), endpoint.path).toBe(edited !== undefined && endpoint.method !== 'DELETE');
      expect(headers.includes('x-total-count'), endpoint.path).toBe(endpoint.list === true || endpoint.file === true);
      expect(headers).toContain('x-error-code');
    }
  });

  test('operations show request bodies as named schemas with an example', () => {
    for (const endpoint of endpoints) {
      const { schema, example } = documentedOf(endpoint).requestBody?.content['application/json'] ?? {};
      const fields = Object.keys(schemas[schema?.$ref?.split('/').at(-1) ?? '']?.properties ?? {});
      expect(fields).toEqual(Object.keys(endpoint.body?.shape ?? {}));
      expect(example !== undefined, endpoint.path).toBe(endpoint.body !== undefined);
    }
  });

  test('documents an example for every response, and file types for exports', () => {
    for (const endpoint of endpoints) {
      const { content } = documentedOf(endpoint).responses[200];
      expect(Object.keys(content)).toEqual(endpoint.file ? ['text/csv', 'application/x-ndjson'] : ['application/json']);
      const { example } = content['application/x-ndjson'] ?? content['application/json'] ?? {};
      expect(example, endpoint.path).toBeDefined();
      const hasData = typeof example === 'object' && example !== null && 'data' in example;
      if (!endpoint.file) expect(hasData, endpoint.path).toBe(endpoint.reply.def.type !== 'undefined');
    }
  });
});

test('schemas contain no inline objects except the envelope around data', () => {
  const inline = propertiesIn(document.components, '').filter(({ property }) => property.properties !== undefined);
  expect(inline.map(({ path }) => path)).toEqual([]);
});

test('error codes are listed completely and only once', () => {
  expect(schemas['ErrorCode']?.enum).toEqual(apiErrorCodes);
  for (const code of [
    'notFound',
    'outOfScope',
    'changedMeanwhile',
    'ifMatchUnheeded',
    'tooManyRequests',
    'unknownPath',
  ])
    expect(apiErrorCodes).toContain(code);
});

test('the document is valid OpenAPI', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as Record<string, unknown>);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

/** Problems that Redocly's recommended rules find, including examples that do not match their schema. */
async function problemsOf(source: unknown) {
  // Paths of One API such as /api/channel/test/{id} overlap with /api/channel/{id}/keys only for ids that are not numbers.
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } });
  const problems = await lintFromString({ source: JSON.stringify(source), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`);
}

test('the document passes the recommended rules of Redocly, and all examples match their schemas', async () => {
  expect(await problemsOf(document)).toEqual([]);
});

test('reports an example that does not match its schema', async () => {
  const broken = JSON.stringify(paths['/api/user/self']).replaceAll('"username":"alice"', '"username":1');
  const problems = await problemsOf({ ...document, paths: { '/api/user/self': JSON.parse(broken) as unknown } });
  expect(problems.join()).toContain('no-invalid-media-type-examples');
});
