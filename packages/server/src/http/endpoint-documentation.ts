import {
  apiTables,
  type Endpoint,
  editedBy,
  etagHeader,
  ifMatchHeader,
  moreHeader,
  refusalHeader,
  scopesOf,
  totalHeader,
} from '@headgate/contract';
import { z } from 'zod';
import { refusalCodes } from '../platform/errors/refusal.ts';

export const groupOf = ({ path }: Endpoint): string => path.split('/')[2] ?? '';

/** Operation ids of generated clients, such as userSearch. */
const operationIds: ReadonlyMap<Endpoint, string> = new Map(
  Object.entries(apiTables).flatMap(([table, rows]) =>
    Object.entries(rows).map(([row, endpoint]) => [endpoint, `${table}${row[0]?.toUpperCase()}${row.slice(1)}`]),
  ),
);

/** OpenAPI documentation of an endpoint. */
export function documentationOf(endpoint: Endpoint) {
  const { params, query, body, reply, top, summary, access } = endpoint;
  return {
    summary,
    operationId: operationIds.get(endpoint) ?? `${endpoint.method} ${endpoint.path}`,
    tags: [groupOf(endpoint)],
    security: securityOf(endpoint),
    'x-access': access,
    ...(endpoint.proof && { 'x-proof': endpoint.proof }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(isGuarded(endpoint) && { headers: ifMatchDocumentation }),
    [responseHeaders]: {
      200: { ...headersOf(endpoint), ...ofRefusals },
      412: ofRefusals,
      '4xx': { ...ofRefusals, ...ofDelays },
      '5xx': { ...ofRefusals, ...ofDelays },
    },
    response: {
      200: endpoint.file ? fileDocumentation(reply) : envelopeDocumentation(reply, top),
      ...(isGuarded(endpoint) && { 412: staleDocumentation }),
      '4xx': refusalDocumentation,
      '5xx': failureDocumentation,
    },
  };
}

/** Property under which an endpoint passes its response headers, by status, to the document. */
export const responseHeaders = 'responseHeaders';

type HeaderDocumentation = ({ readonly type: 'string' | 'integer' | 'boolean' } | { readonly $ref: string }) & {
  readonly description: string;
};

/** Shared schemas that operations refer to. */
export const sharedSchemas = {
  RefusalCode: {
    type: 'string' as const,
    enum: [...refusalCodes],
    description: 'Why a call was refused. None of these words is ever renamed; new ones may come',
  },
};

const totalDocumentation: HeaderDocumentation = { type: 'integer', description: 'How many rows there are in all' };
const moreDocumentation: HeaderDocumentation = {
  type: 'boolean',
  description: 'True when there are more rows than were counted',
};
const refusalHeaderDocumentation: HeaderDocumentation = {
  $ref: '#/components/schemas/RefusalCode',
  description: 'Of a refusal, whatever its status: why, in a word that never changes',
};
const ofRefusals = { [refusalHeader]: refusalHeaderDocumentation };
const delayDocumentation: HeaderDocumentation = {
  type: 'integer',
  description: 'With 429 and 503: after how many seconds to try again',
};
const ofDelays = { 'retry-after': delayDocumentation };
const etagDocumentation: HeaderDocumentation = {
  type: 'string',
  description: 'Names what of the thing can be edited; another as soon as any of it is',
};

function headersOf(endpoint: Endpoint): Readonly<Record<string, HeaderDocumentation>> {
  return {
    ...((endpoint.list || endpoint.file) && { [totalHeader]: totalDocumentation }),
    ...(endpoint.list && { [moreHeader]: moreDocumentation }),
    ...(editedBy(endpoint) && endpoint.method !== 'DELETE' && { [etagHeader]: etagDocumentation }),
  };
}

const isGuarded = (endpoint: Endpoint): boolean => editedBy(endpoint)?.isRead === false;

const ifMatchDocumentation = z.object({
  [ifMatchHeader]: z
    .string()
    .optional()
    .describe('The ETag that was read: where it is another by now, nothing is changed'),
});

/** Any one of them grants access; a name after `accessToken` is a required scope. */
function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.access === 'visitor') return [];
  return [{ session: [] }, ...scopesOf(endpoint).map((scope) => ({ accessToken: [scope] }))];
}

const refusalDocumentation = z
  .object({ success: z.literal(false), message: z.string() })
  .describe('Refused, in words; some refusals have the status 200');

const failureDocumentation = refusalDocumentation.describe('It failed here, or cannot be done at the moment');

const staleDocumentation = refusalDocumentation.describe('Somebody else has changed it since; nothing was changed');

function envelopeDocumentation(reply: Endpoint['reply'], top: Endpoint['top']) {
  const data = reply.def.type === 'undefined' ? {} : { data: reply };
  const unconfirmed = z.optional(z.array(z.string()));
  return z.object({ success: z.boolean(), message: z.string(), ...top?.shape, ...data, unconfirmed });
}

const fileDocumentation = (line: Endpoint['reply']) => ({
  description: 'A file; its last line tells that it is whole',
  content: { 'text/csv': { schema: z.string() }, 'application/x-ndjson': { schema: line } },
});
