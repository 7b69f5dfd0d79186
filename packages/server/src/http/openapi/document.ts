import { accessScopes, type Endpoint, ifMatchHeader, scopesOf } from '@headgate/contract';
import { apiSchemas, type Operation, type OperationSchemas, operations } from './component-schemas.ts';
import { objectExample } from './example.ts';
import { acceptsIfMatch, envelopeSchemas, operationResponses, sharedHeaders, sharedResponses } from './responses.ts';
import { type DocumentedOperation, type Parameter, refName, type Schema, type Schemas } from './schema.ts';
import { schemaTexts } from './texts/schema-texts.ts';
import { sharedFields, sharedParameters } from './texts/shared-fields.ts';
import { tagTexts } from './texts/tag-texts.ts';

/** The OpenAPI document of the console's API, built from the contract's tables. */
export function apiDocument(version: string) {
  const { components, ofOperation } = apiSchemas();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headgate API',
      version,
      description: introduction,
      contact: { name: 'The administrator of this gateway' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This gateway.' }],
    tags: Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
    paths: pathsOf(components, ofOperation),
    components: {
      schemas: { ...envelopeSchemas, ...components },
      headers: sharedHeaders,
      responses: sharedResponses,
      securitySchemes,
    },
  };
}

export type ApiDocument = ReturnType<typeof apiDocument>;

const introduction = `The management API: everything the console does. The relay endpoints that serve models (\`/v1\` and the like) are not part of it.

A call succeeded when the status is 200 and \`success\` is true; many errors have status 200. The \`X-Error-Code\` header carries a stable error code.

Quota amounts are points: 500,000 points are one dollar unless the option QuotaPerUnit says otherwise. Times are Unix timestamps in seconds. Paths work with and without a trailing slash.`;

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'headgate_session',
    description: 'Session cookie that the login operations set.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'header',
    name: 'authorization',
    description: `Access token, with or without the prefix \`Bearer \`. The system access token has the scope \`all\`; a named access token has the scope it was created with: ${accessScopes.join(', ')}. The scopes an operation accepts are in \`x-scopes\`.`,
  },
} as const;

/** The path as OpenAPI writes it: parameters in braces, no trailing slash. */
export const documentedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '');

function pathsOf(components: Schemas, schemasOf: (operation: Operation) => OperationSchemas) {
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const operation of operations) {
    const { method, path } = operation.endpoint;
    const place = documentedPath(path);
    const documented = documentedOperation(operation, schemasOf(operation), components);
    paths[place] = { ...paths[place], [method.toLowerCase()]: documented };
  }
  return paths;
}

function documentedOperation(
  operation: Operation,
  schemas: OperationSchemas,
  components: Schemas,
): DocumentedOperation {
  const { id, endpoint, tag, text } = operation;
  const parameters = parametersOf(operation, schemas);
  return {
    operationId: id,
    summary: text.summary,
    description: `${text.description}\n\n${requirements(endpoint)}`,
    tags: [tag],
    security: securityOf(endpoint),
    'x-access': endpoint.access,
    'x-scopes': scopesOf(endpoint),
    ...(endpoint.proof && { 'x-proof': endpoint.proof }),
    ...(parameters.length > 0 && { parameters }),
    ...(schemas.body && { requestBody: requestBody(operation, schemas.body, components) }),
    responses: operationResponses(operation, schemas, components),
  };
}

const accessTexts: Readonly<Record<Endpoint['access'], string>> = {
  visitor: 'No login required.',
  user: 'Requires a logged-in user.',
  admin: 'Requires an admin.',
  root: 'Requires a super admin.',
};

const proofTexts = {
  recent:
    'Requires a session with a recent login or confirmation (`POST /api/user/session/proof`); access tokens are not accepted.',
  session: 'Requires a session; access tokens are not accepted.',
} as const;

function requirements(endpoint: Endpoint): string {
  const scopes = scopesOf(endpoint);
  return [
    accessTexts[endpoint.access],
    endpoint.proof && proofTexts[endpoint.proof],
    scopes.length > 0 && `Access token scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`,
    endpoint.limit && 'Strictly rate limited by IP address.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Any one of the entries grants access. The scopes that suffice are in `x-scopes`. */
function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.access === 'visitor') return [];
  return [{ session: [] }, ...(scopesOf(endpoint).length > 0 ? [{ accessToken: [] }] : [])];
}

function parametersOf(operation: Operation, { params, query }: OperationSchemas): Parameter[] {
  return [
    ...parametersIn('path', params, operation.params),
    ...parametersIn('query', query, { ...sharedFields, ...sharedParameters, ...operation.query }),
    ...(acceptsIfMatch(operation.endpoint) ? [ifMatchParameter] : []),
  ];
}

const parametersIn = (within: 'path' | 'query', schema: Schema | undefined, texts: Readonly<Record<string, string>>) =>
  Object.entries(schema?.properties ?? {}).map(([name, { description: _, ...property }]) => ({
    name,
    in: within,
    required: within === 'path' || (schema?.required?.includes(name) ?? false),
    description: texts[name],
    schema: property,
  }));

const ifMatchParameter = {
  name: ifMatchHeader,
  in: 'header',
  required: false,
  description: '`ETag` of the version to change. If the object has changed since, the call fails with 412.',
  schema: { type: 'string' },
};

function requestBody({ text }: Operation, body: Schema, components: Schemas) {
  const name = refName(body.$ref ?? '');
  const given = { ...schemaTexts[name]?.example, ...text.bodyExample };
  const example = objectExample(components[name]?.properties ?? {}, given, { schemas: components, texts: schemaTexts });
  return { required: true, content: { 'application/json': { schema: body, example } } };
}
