import {
  type Access,
  type Endpoint,
  type EndpointTable,
  endpointsWithKeys,
  exportMediaTypes,
  isAdmin,
  isRoot,
  scopesOf,
  totalHeader,
  totalTruncatedHeader,
} from '@headgate/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { awaitConfirmation } from '../platform/db/await-confirmation.ts';
import type { UserRow } from '../platform/db/rows.ts';
import { ApiError, type Language } from '../platform/errors/api-error.ts';
import { withActorAddress } from '../platform/runtime/actor-address.ts';
import { type IdentifiedUser, type RequestIdentity, requestClient, requestLanguage } from './client.ts';
import { isUnwrapped, sendUnwrapped } from './error-response.ts';
import { createEtagHandling } from './etag-handling.ts';
import type { ExportFile, Handlers, Page } from './handlers.ts';

/** Operations under the same first path segment share one strict rate limit. */
const groupOf = ({ path }: Endpoint): string => path.split('/')[2] ?? '';

type AnyHandler = (context: unknown) => unknown;

/** Mounts one route per endpoint: access check, parsing, handler, envelope. */
export function serveTable<T extends EndpointTable>(
  app: FastifyInstance,
  identity: RequestIdentity,
  table: T,
  handlers: Handlers<T>,
): void {
  for (const [name, endpoint] of Object.entries(table)) {
    // The context below is parsed with this endpoint's schemas, but TypeScript cannot link the two by name.
    const handler = handlers[name] as unknown as AnyHandler;
    const around = createEtagHandling(endpoint, app.edits);
    const config = endpoint.limit === 'critical' ? { criticalGroup: groupOf(endpoint) } : {};
    const serve = async (request: FastifyRequest, reply: FastifyReply) => {
      rejectCrossSite(request, endpoint);
      const identified = await identity.identify(request, reply);
      const caller = callerWithin(endpoint, identified);
      requireAccess(endpoint.access, caller);
      requireSecondFactor(endpoint.access, caller, identity);
      if (endpoint.proof && caller) await identity.requireProof(endpoint.proof, caller, request);
      const client = requestClient(request);
      const context = {
        params: parse(endpoint.params, request.params, request),
        query: parse(endpoint.query, request.query, request),
        body: parse(endpoint.body, bodyOf(endpoint, request), request),
        caller,
        client,
        session: identity.open(request, reply),
      };
      const acting = () => withActorAddress(client.address, async () => handler(context));
      const { result, unconfirmed } = await awaitConfirmation(() => around(context, { request, reply }, acting));
      if (endpoint.file) return sendFile(request, reply, result as ExportFile);
      const enveloped = envelope(endpoint, withoutKeys(endpoint, identified, result), reply);
      const reader = { language: client.language, isAdmin: isAdmin(caller) };
      if (!isUnwrapped(endpoint, request)) return withUnconfirmed(enveloped, unconfirmed, reader);
      return sendUnwrapped(nameUnconfirmed(reply, unconfirmed, reader), enveloped.data);
    };
    for (const url of urlsOf(endpoint)) app.route({ method: endpoint.method, url, config, handler: serve });
  }
}

const hasAccess: Readonly<Record<Access, (user: UserRow | undefined) => boolean>> = {
  visitor: () => true,
  user: (user) => user !== undefined,
  admin: isAdmin,
  root: isRoot,
};

function requireAccess(access: Access, caller: UserRow | undefined): void {
  if (hasAccess[access](caller)) return;
  throw new ApiError(caller === undefined ? 'notSignedIn' : 'notAllowed');
}

/** Rejects an admin who is required to have a second factor but has none. */
function requireSecondFactor(access: Access, caller: UserRow | undefined, identity: RequestIdentity): void {
  const isForAdmins = access === 'admin' || access === 'root';
  if (isForAdmins && caller && identity.mustSetUpSecondFactor(caller)) throw new ApiError('secondFactorRequired');
}

const issueMessage = { en: z.locales.en().localeError, zh: z.locales.zhCN().localeError };

function parse(schema: Endpoint['body'], value: unknown, request: FastifyRequest): unknown {
  if (!schema) return undefined;
  if (hasNullCharacter(value)) throw new ApiError('badInput', { detail: '\\u0000' });
  const parsed = schema.safeParse(value ?? {}, { error: issueMessage[requestLanguage(request)] });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.');
  throw new ApiError('badInput', { detail: [path, issue?.message].filter(Boolean).join(': ') });
}

/** PostgreSQL cannot store null characters, so they are rejected on both databases. */
function hasNullCharacter(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNullCharacter);
}

interface Envelope {
  readonly success: true;
  readonly message: string;
  readonly data?: unknown;
}

/** Wraps a result. Only fields in the endpoint's schema are sent. */
function envelope(endpoint: Endpoint, result: unknown, reply: FastifyReply): Envelope {
  if (endpoint.list) {
    const page = result as Page<unknown>;
    reply.header(totalHeader, page.total);
    if (page.isMore) reply.header(totalTruncatedHeader, 'true');
    return { success: true, message: '', data: endpoint.reply.parse(page.rows) };
  }
  if (endpoint.top) {
    const { data } = result as { data?: unknown };
    return {
      success: true,
      message: '',
      ...endpoint.top.parse(result),
      ...(data !== undefined && { data: endpoint.reply.parse(data) }),
    };
  }
  const data = endpoint.reply.parse(result);
  return { success: true, message: '', ...(data !== undefined && { data }) };
}

/**
 * The user on whose behalf an endpoint is called. A scoped access token is accepted only by endpoints in its scope;
 * public endpoints ignore it and treat the caller as a visitor.
 */
function callerWithin(endpoint: Endpoint, identified: IdentifiedUser | undefined): UserRow | undefined {
  if (!identified || identified.scope === 'all') return identified?.user;
  if (endpoint.access === 'visitor') return undefined;
  if (!scopesOf(endpoint).includes(identified.scope)) throw new ApiError('outOfScope');
  return identified.user;
}

/** Hides keys of tokens and codes from scoped access tokens. */
function withoutKeys(endpoint: Endpoint, identified: IdentifiedUser | undefined, result: unknown): unknown {
  if (!identified || identified.scope === 'all' || !endpointsWithKeys.has(endpoint)) return result;
  const { rows } = result as Page<readonly object[]>;
  return rows ? { ...(result as object), rows: rows.map(withoutKey) } : withoutKey(result as object);
}

const withoutKey = (row: object) => ({ ...row, key: '' });

/** Streams a file with backpressure; a failing file aborts the connection. */
function sendFile({ method }: FastifyRequest, reply: FastifyReply, file: ExportFile): FastifyReply {
  reply
    .type(exportMediaTypes[file.format])
    .header('content-disposition', `attachment; filename="${file.name}.${file.format}"`)
    .header(totalHeader, file.total);
  if (method !== 'HEAD') return reply.send(file.content);
  file.content.destroy();
  return reply.send();
}

interface UnconfirmedMessages {
  readonly named: (nodes: string) => string;
  readonly unnamed: string;
}

const unconfirmedMessages: Readonly<Record<Language, UnconfirmedMessages>> = {
  en: {
    named: (nodes) =>
      `Done, but not yet confirmed by ${nodes}: there it takes effect as soon as the node answers again`,
    unnamed: 'Done, but a part of the gateway does not answer: there it takes effect later',
  },
  zh: {
    named: (nodes) => `已完成，但节点 ${nodes} 尚未确认：该节点恢复响应后才会生效`,
    unnamed: '已完成，但网关的部分节点没有响应：在那里会稍后生效',
  },
};

interface Reader {
  readonly language: Language;
  readonly isAdmin: boolean;
}

/** Adds a message about a change that some nodes have not confirmed; only admins see the node names. */
function withUnconfirmed(enveloped: Envelope, nodes: readonly string[], { language, isAdmin }: Reader): object {
  if (nodes.length === 0) return enveloped;
  const messages = unconfirmedMessages[language];
  return {
    ...enveloped,
    message: isAdmin ? messages.named(nodes.join(', ')) : messages.unnamed,
    unconfirmed: isAdmin ? nodes : [],
  };
}

/**
 * Header for plain responses, which have no message: names of the nodes, URL-encoded because they may contain any
 * characters; `true` for users who are not admins.
 */
function nameUnconfirmed(reply: FastifyReply, nodes: readonly string[], { isAdmin }: Reader): FastifyReply {
  if (nodes.length === 0) return reply;
  return reply.header('x-headgate-unconfirmed', isAdmin ? nodes.map(encodeURIComponent).join(', ') : 'true');
}

/** URLs of an endpoint. `PUT /api/channel/` takes the id in the body; `PUT /api/channel/:id` is equivalent. */
export function urlsOf({ method, path, params, body }: Endpoint): readonly string[] {
  if (method !== 'PUT' || params || !body || !('id' in body.shape)) return [path];
  return [path, `${path.replace(/\/$/, '')}/:id(^\\d+$)`];
}

/** Body of a request, including the id from its path. */
function bodyOf({ params, body }: Endpoint, request: FastifyRequest): unknown {
  const id = (request.params as { readonly id?: string } | undefined)?.id;
  const given = request.body ?? {};
  if (id === undefined || params || !body || typeof given !== 'object' || Array.isArray(given)) return request.body;
  const named = (given as { readonly id?: unknown }).id;
  if (named !== undefined && String(named) !== id) throw new ApiError('badInput', { detail: 'id' });
  return { ...given, id: Number(id) };
}

/**
 * Rejects a write that a browser attributes to another site. A client without either header is not a browser.
 * Requests with an Authorization header do not use the cookie, so they are exempt, except on public endpoints, where
 * signing in or out changes the cookie in any case.
 */
function rejectCrossSite(request: FastifyRequest, endpoint: Endpoint): void {
  const changes = endpoint.method !== 'GET' || endpoint.changes === true;
  const isByToken = request.headers.authorization !== undefined && endpoint.access !== 'visitor';
  if (!changes || isByToken) return;
  if (endpoint.method === 'GET' && isLinkOrImage(request)) throw new ApiError('notByLink');
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new ApiError('crossSite');
  } else if (origin !== undefined && hostOf(origin) !== request.host) {
    throw new ApiError('crossSite');
  }
}

/**
 * Console pages show user-supplied text and images: neither those nor links in emails may change anything. Without TLS
 * browsers send no Sec-Fetch-Dest, so the Accept header decides.
 */
function isLinkOrImage({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined) return destination !== 'empty';
  return /text\/html|^image\//.test(headers.accept ?? '');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
