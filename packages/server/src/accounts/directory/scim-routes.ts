import { scimPath } from '@headgate/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestClient } from '../../http/client.ts';
import { describeError } from '../../http/error-response.ts';
import { awaitConfirmation } from '../../platform/db/await-confirmation.ts';
import { ApiError, type ApiErrorCode } from '../../platform/errors/api-error.ts';
import { withActorAddress } from '../../platform/runtime/actor-address.ts';
import type { DirectoryGroupService } from './directory-group-service.ts';
import type { DirectoryUserService } from './directory-user-service.ts';
import { errorBody, ScimError, type ScimType } from './scim-error.ts';
import {
  defaultScimPage,
  groupResource,
  listResponse,
  maxScimPage,
  resourceTypes,
  schemas,
  scimBase,
  selectAttributes,
  serviceProviderConfig,
  userResource,
} from './scim-resources.ts';
import type { ScimTokenService } from './scim-token-service.ts';

interface ScimServices {
  readonly scimTokens: Pick<ScimTokenService, 'organizationOf'>;
  readonly directoryUsers: DirectoryUserService;
  readonly directoryGroups: DirectoryGroupService;
}

type Query = Readonly<Record<string, unknown>>;

/** An authenticated request of a directory. */
interface Call {
  readonly organization: number;
  /** ID in the path; -1 if it is not an id of this API. */
  readonly id: number;
  readonly query: Query;
  readonly body: unknown;
  /** URL of the SCIM API. */
  readonly base: string;
  readonly reply: FastifyReply;
}

type Handler = (call: Call) => unknown;

const mediaType = 'application/scim+json; charset=utf-8';

/** The SCIM 2.0 API (RFC 7644) for directories of organizations. */
export function scimRoutes(app: FastifyInstance, services: ScimServices): void {
  app.register(
    (scope, _, done) => {
      const parse = scope.getDefaultJsonParser('error', 'error');
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(['application/scim+json', 'application/json'], (request, _payload, parsed) => {
        app.readBodyText(request, { isJson: true }).then((text) => parse(request, text, parsed), parsed);
      });
      scope.setErrorHandler(respondToError);
      const add: Add = (method, url, handle) =>
        scope.route({ method, url, handler: (request, reply) => serve(services, handle, request, reply) });
      addDiscovery(add);
      addUsers(add, services.directoryUsers);
      addGroups(add, services.directoryGroups);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) add(method, '/*', rejectUnknown);
      done();
    },
    { prefix: scimPath },
  );
}

async function serve({ scimTokens }: ScimServices, handle: Handler, request: FastifyRequest, reply: FastifyReply) {
  const organization = await scimTokens.organizationOf(request.headers.authorization);
  const { id = '' } = request.params as { readonly id?: string };
  const call = {
    organization,
    id: /^\d{1,15}$/.test(id) ? Number(id) : -1,
    query: request.query as Query,
    body: request.body,
    base: scimBase(`${request.protocol}://${request.host}`),
    reply: reply.type(mediaType),
  };
  const { address } = requestClient(request);
  // Changes are applied on every node before the response, as in the management API.
  const { result } = await awaitConfirmation(() => withActorAddress(address, async () => handle(call)));
  return result ?? reply.code(204).send();
}

type Add = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, handle: Handler) => unknown;

function addDiscovery(add: Add): void {
  const pageOf = (resources: readonly object[]) => listResponse({ total: resources.length, startIndex: 1, resources });
  add('GET', '/ServiceProviderConfig', ({ base }) => serviceProviderConfig(base));
  add('GET', '/ResourceTypes', ({ base }) => pageOf(resourceTypes(base)));
  add('GET', '/Schemas', ({ base }) => pageOf(schemas(base)));
  for (const { id } of [...resourceTypes('')])
    add('GET', `/ResourceTypes/${id}`, ({ base }) => named(resourceTypes(base), id));
  for (const { id } of [...schemas('')])
    add('GET', `/Schemas/${id.replaceAll(':', '::')}`, ({ base }) => named(schemas(base), id));
}

const rejectUnknown: Handler = () => {
  throw new ScimError(404, 'This endpoint does not exist.');
};

const named = (resources: readonly { readonly id: string }[], id: string) => resources.find((each) => each.id === id);

function addUsers(add: Add, users: DirectoryUserService): void {
  add('GET', '/Users', async ({ organization, query, base }) => {
    const { startIndex, slice } = sliceOf(query);
    const { rows, total } = await users.page(organization, filterOf(query), slice);
    const resources = rows.map((row) => selectAttributes(userResource(row, base), query));
    return listResponse({ total, startIndex, resources });
  });
  add('POST', '/Users', async ({ organization, query, body, base, reply }) => {
    const row = await users.create(organization, body);
    reply.code(201).header('location', `${base}/Users/${row.id}`);
    return selectAttributes(userResource(row, base), query);
  });
  add('GET', '/Users/:id', async ({ organization, id, query, base }) =>
    selectAttributes(userResource(await users.get(organization, id), base), query),
  );
  add('PUT', '/Users/:id', async ({ organization, id, query, body, base }) =>
    selectAttributes(userResource(await users.replace(organization, id, body), base), query),
  );
  add('PATCH', '/Users/:id', async ({ organization, id, query, body, base }) =>
    selectAttributes(userResource(await users.patch(organization, id, body), base), query),
  );
  add('DELETE', '/Users/:id', ({ organization, id }) => users.remove(organization, id));
}

function addGroups(add: Add, groups: DirectoryGroupService): void {
  add('GET', '/Groups', async ({ organization, query, base }) => {
    const { startIndex, slice } = sliceOf(query);
    const { rows, total } = await groups.page(organization, filterOf(query), slice);
    const resources = rows.map((row) => selectAttributes(groupResource(row, base), query));
    return listResponse({ total, startIndex, resources });
  });
  add('POST', '/Groups', async ({ organization, query, body, base, reply }) => {
    const created = await groups.create(organization, body);
    reply.code(201).header('location', `${base}/Groups/${created.group.id}`);
    return selectAttributes(groupResource(created, base), query);
  });
  add('GET', '/Groups/:id', async ({ organization, id, query, base }) =>
    selectAttributes(groupResource(await groups.get(organization, id), base), query),
  );
  add('PUT', '/Groups/:id', async ({ organization, id, query, body, base }) =>
    selectAttributes(groupResource(await groups.replace(organization, id, body), base), query),
  );
  // Without a body, because a group may have thousands of members.
  add('PATCH', '/Groups/:id', async ({ organization, id, body }) => {
    await groups.patch(organization, id, body);
  });
  add('DELETE', '/Groups/:id', ({ organization, id }) => groups.remove(organization, id));
}

function filterOf({ filter = '' }: Query): string {
  if (typeof filter === 'string') return filter;
  throw new ScimError(400, 'filter is invalid.', 'invalidFilter');
}

/** `startIndex` counts from 1; values below are 1 (RFC 7644, section 3.4.2.4). */
function sliceOf({ startIndex, count }: Query) {
  const first = Math.max(integerOf(startIndex, 1), 1);
  const limit = Math.min(Math.max(integerOf(count, defaultScimPage), 0), maxScimPage);
  return { startIndex: first, slice: { offset: first - 1, limit } };
}

function integerOf(value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  const text = String(value);
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimError(400, 'startIndex and count must be integers.', 'invalidValue');
}

/** SCIM status for errors that have status 200 in the management API. */
const statuses: Readonly<Partial<Record<ApiErrorCode, readonly [status: number, type?: ScimType]>>> = {
  notFound: [404],
  unknownUser: [404],
  usernameTaken: [409, 'uniqueness'],
  lastOwner: [409],
  tooManyMembers: [400, 'tooMany'],
};

function respondToError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.type(mediaType);
  if (!request.raw.complete) reply.header('connection', 'close');
  if (error instanceof ScimError) {
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(error.status).send(errorBody(error.status, error.message, error.scimType));
  }
  const { status, code, message, retryAfter } = describeError(error, request);
  const [known, type] = error instanceof ApiError ? (statuses[error.code] ?? []) : [];
  const responded = known ?? (status === 200 ? 400 : status);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.header('x-error-code', code);
  return reply.code(responded).send(errorBody(responded, message, status === 400 ? 'invalidSyntax' : type));
}
