import {
  type Endpoint,
  editTargetOf,
  errorCodeHeader,
  etagHeader,
  totalHeader,
  totalTruncatedHeader,
} from '@headgate/contract';
import { apiErrorCodes } from '../../platform/errors/api-error.ts';
import type { Operation, OperationSchemas } from './component-schemas.ts';
import { buildExample } from './example.ts';
import { type Content, type DocumentedOperation, refName, refTo, type Schema, type Schemas } from './schema.ts';
import { schemaTexts } from './texts/schema-texts.ts';

/** Schemas of the envelope around every response that is not a file. */
export const envelopeSchemas: Schemas = {
  ErrorCode: {
    type: 'string',
    enum: [...apiErrorCodes],
    description:
      'Stable error code. Codes are never renamed; new ones may be added. Every code is explained in the troubleshooting guide.',
  },
  Success: {
    type: 'object',
    description: 'Fields of every successful response.',
    properties: {
      success: { type: 'boolean', const: true, description: 'True: the call succeeded.' },
      message: {
        type: 'string',
        description: 'Usually empty. Explains what is still pending when `unconfirmed` is present.',
      },
      unconfirmed: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Present when the change is stored but other nodes have not confirmed it in time; they apply it later. Lists their names for admins, empty for other users.',
      },
    },
    required: ['success', 'message'],
  },
  Error: {
    type: 'object',
    description: 'An error. The `X-Error-Code` header carries its code.',
    properties: {
      success: { type: 'boolean', const: false, description: 'False: the call failed and changed nothing.' },
      message: {
        type: 'string',
        description: 'What went wrong, in English, or in Chinese with `Accept-Language: zh`.',
      },
    },
    required: ['success', 'message'],
  },
};

const errorRef: Schema = { $ref: refTo('Error') };
const errorExample = (message: string) => ({ success: false, message });

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });

export const sharedHeaders = {
  ErrorCode: {
    description: 'Error code, present on every error regardless of its status.',
    schema: { $ref: refTo('ErrorCode') },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt. Sent with 429 and 503.',
    schema: { type: 'integer' },
  },
  ETag: {
    description: 'Version of the editable fields. Send it back as `If-Match` to change or delete only this version.',
    schema: { type: 'string' },
  },
  TotalCount: { description: 'Total number of rows, across all pages.', schema: { type: 'integer' } },
  TotalMore: {
    description: '`true` when there are more rows than `X-Total-Count`, because counting stopped early.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

const errorHeaders = { [errorCodeHeader]: headerRef('ErrorCode') };
const retryHeaders = { ...errorHeaders, 'retry-after': headerRef('RetryAfter') };

const errorResponse = (description: string, headers: object, message: string) => ({
  description,
  headers,
  content: { 'application/json': { schema: errorRef, example: errorExample(message) } },
});

export const sharedResponses = {
  ClientError: errorResponse(
    'The request was rejected: invalid input (400), not logged in (401), not allowed (403), not found (404) or rate limited (429). Some errors have status 200.',
    retryHeaders,
    'Invalid parameter: id',
  ),
  ServerError: errorResponse(
    'The gateway failed (500) or is temporarily unable to serve the call (503).',
    retryHeaders,
    'Internal error. Request id: 0190b1c2-7d3e-7a41-9f52-3c1d2e4f5a6b',
  ),
  PreconditionFailed: errorResponse(
    'The object has changed since the `ETag` in `If-Match` was read. Nothing was changed.',
    errorHeaders,
    'Changed since it was last read.',
  ),
} as const;

const responseRef = (name: keyof typeof sharedResponses) => ({ $ref: `#/components/responses/${name}` });

/** True for changes that accept `If-Match`. */
export const acceptsIfMatch = (endpoint: Endpoint): boolean => editTargetOf(endpoint)?.isRead === false;

function headersOf(endpoint: Endpoint): object {
  return {
    ...((endpoint.list || endpoint.file) && { [totalHeader]: headerRef('TotalCount') }),
    ...(endpoint.list && { [totalTruncatedHeader]: headerRef('TotalMore') }),
    ...(editTargetOf(endpoint) && endpoint.method !== 'DELETE' && { [etagHeader]: headerRef('ETag') }),
    ...errorHeaders,
  };
}

export function operationResponses(
  operation: Operation,
  schemas: OperationSchemas,
  components: Schemas,
): DocumentedOperation['responses'] {
  const { endpoint } = operation;
  const content = endpoint.file ? fileContent(schemas, components) : envelopeContent(operation, schemas, components);
  return {
    200: {
      description: endpoint.file ? fileDescription : 'The result, or an error with `success: false`.',
      headers: headersOf(endpoint),
      content,
    },
    ...(acceptsIfMatch(endpoint) && { 412: responseRef('PreconditionFailed') }),
    '4XX': responseRef('ClientError'),
    '5XX': responseRef('ServerError'),
  };
}

function envelopeContent({ text, endpoint }: Operation, { data, top }: OperationSchemas, components: Schemas): Content {
  const success: Schema = { $ref: refTo('Success') };
  const description = text.data ?? components[refName(data?.$ref ?? '')]?.description;
  const described = data && { ...data, ...(description !== undefined && { description }) };
  const withData: Schema | undefined = described && {
    type: 'object',
    properties: { data: described },
    // Some operations omit the data, such as a login that still needs a second factor, so it is optional.
    ...(!endpoint.top && { required: ['data'] }),
  };
  const source = { schemas: { ...components, ...envelopeSchemas }, texts: schemaTexts };
  const example = {
    success: true,
    message: '',
    ...(top && (buildExample(top, source) as object)),
    ...(data && { data: text.dataExample ?? buildExample(data, source) }),
  };
  const allOf = [success, top, withData].filter((part) => part !== undefined);
  const whole: Schema = allOf.length === 1 ? success : { allOf };
  return { 'application/json': { schema: { oneOf: [whole, errorRef] }, example } };
}

const fileDescription =
  'The file, streamed. Its last line says whether the file is complete; a broken transfer has no such line.';

function fileContent({ data = {} }: OperationSchemas, components: Schemas): Content {
  const source = { schemas: components, texts: schemaTexts };
  return {
    'text/csv': { schema: { type: 'string', description: 'A header line, one line per row, and a closing line.' } },
    'application/x-ndjson': {
      schema: { ...data, description: 'One line of the file. The last line is `{"complete": true, "rows": 42}`.' },
      example: buildExample(data, source),
    },
  };
}
