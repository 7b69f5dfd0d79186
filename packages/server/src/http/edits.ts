import { type Endpoint, editedBy, etagHeader, ifMatchHeader, ignoresIfMatch } from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserRow } from '../platform/db/rows.ts';
import type { EditService } from '../platform/edits/edit-service.ts';
import type { ThingId } from '../platform/edits/thing-edit.ts';
import { Refusal } from '../platform/errors/refusal.ts';

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
type Around = (called: Called, exchange: Exchange, act: Act) => Promise<unknown>;

const justAct: Around = (_called, _exchange, act) => act();

const refuseIfMatch: Around = async (_called, { request }, act) => {
  if (request.headers[ifMatchHeader] !== undefined) throw new Refusal('ifMatchUnheeded');
  return act();
};

/** The id from the path or the body, otherwise the caller's. */
function idOf({ params, body, caller }: Called): number {
  const named = { ...(body as { id?: number } | undefined), ...(params as { id?: number } | undefined) };
  return named.id ?? caller?.id ?? 0;
}

/** Wraps an endpoint: reads return an ETag; writes check If-Match and return the new ETag. */
export function editsOf(endpoint: Endpoint, edits: EditService | undefined): Around {
  const edited = editedBy(endpoint);
  if (ignoresIfMatch(endpoint)) return refuseIfMatch;
  if (!edited || !edits) return justAct;
  return async (called, { request, reply }, act) => {
    const subject: ThingId = { thing: edited.thing, id: idOf(called) };
    if (!edited.isRead) {
      const { result, etag } = await edits.change(subject, request.headers[ifMatchHeader], act);
      if (endpoint.method !== 'DELETE') setEtag(reply, etag);
      return result;
    }
    // Read before the response: after a concurrent change the ETag is then outdated, which rejects an edit, and never
    // too new.
    const etag = await edits.etag(subject);
    const result = await act();
    setEtag(reply, etag);
    return result;
  };
}

function setEtag(reply: FastifyReply, etag: string | undefined): void {
  if (etag !== undefined) reply.header(etagHeader, etag);
}
