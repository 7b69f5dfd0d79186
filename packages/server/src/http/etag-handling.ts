import {
  type EditTarget,
  type Endpoint,
  editTargetOf,
  etagHeader,
  ifMatchHeader,
  rejectsIfMatch,
} from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserRow } from '../platform/db/rows.ts';
import type { EditService } from '../platform/edits/edit-service.ts';
import type { EditedRowId } from '../platform/edits/edited-row-id.ts';
import { ApiError } from '../platform/errors/api-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set once, before any table is served. */
    readonly edits?: EditService;
  }
}

interface Called {
  readonly params: unknown;
  readonly body: unknown;
  readonly caller: UserRow | undefined;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Act = () => Promise<unknown>;
type EndpointWrapper = (called: Called, exchange: Exchange, act: Act) => Promise<unknown>;

const withoutEtag: EndpointWrapper = (_called, _exchange, act) => act();

const rejectIfMatch: EndpointWrapper = async (_called, { request }, act) => {
  if (request.headers[ifMatchHeader] !== undefined) throw new ApiError('ifMatchUnheeded');
  return act();
};

type Ids = Readonly<Record<string, number | undefined>>;

/** The object with the id from the body or the end of the path, or the caller; within the organization of the path. */
function subjectOf({ thing, key }: EditTarget, { path }: Endpoint, { params, body, caller }: Called): EditedRowId {
  const [given, named] = [(body ?? {}) as Ids, (params ?? {}) as Ids];
  const last = [...path.matchAll(/:(\w+)/g)].at(-1)?.[1] ?? '';
  return { thing, id: given[key] ?? named[last] ?? caller?.id ?? 0, within: named['id'] ?? 0 };
}

/** Wraps an endpoint: reads return an ETag; writes check If-Match and return the new ETag. */
export function createEtagHandling(endpoint: Endpoint, edits: EditService | undefined): EndpointWrapper {
  const edited = editTargetOf(endpoint);
  if (rejectsIfMatch(endpoint)) return rejectIfMatch;
  if (!edited || !edits) return withoutEtag;
  return async (called, { request, reply }, act) => {
    const subject = subjectOf(edited, endpoint, called);
    if (!edited.isRead) {
      const { result, etag } = await edits.change(subject, request.headers[ifMatchHeader], act);
      if (endpoint.method !== 'DELETE') setEtag(reply, etag);
      return result;
    }
    // Read before the response: if the object changes concurrently, the ETag is outdated and the next edit is
    // rejected.
    const etag = await edits.etag(subject);
    const result = await act();
    setEtag(reply, etag);
    return result;
  };
}

function setEtag(reply: FastifyReply, etag: string | undefined): void {
  if (etag !== undefined) reply.header(etagHeader, etag);
}
