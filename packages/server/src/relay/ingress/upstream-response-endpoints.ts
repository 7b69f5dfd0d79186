import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@headgate/dialects';
import {
  type BufferShare,
  endpointKinds,
  RelayError,
  requestStoredResponse,
  responseTooLongError,
  type UpstreamServices,
} from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TokenCaller } from '../callers/token-caller.ts';
import { requireEndpoint } from '../callers/token-scope.ts';
import { defaultReaderTimeoutMs } from '../clients/http-client-sink.ts';
import type { Relay } from '../run/relay.ts';
import type { StoredResponseService } from '../stored-responses/stored-response-service.ts';
import type { UpstreamResponseService } from '../upstream-responses/upstream-response-service.ts';

interface Mounting {
  readonly relay: Relay;
  readonly keptResponses: UpstreamResponseService;
  readonly storedResponses: StoredResponseService;
  readonly upstreamServices: UpstreamServices;
  readonly guarded: RouteShorthandOptions;
  readonly callerOf: (request: FastifyRequest) => TokenCaller;
}

interface OneResponse {
  readonly Params: { readonly id: string };
}

type StoredResponseMethod = 'GET' | 'POST' | 'DELETE';

const path = '/v1/responses/:id';

/**
 * Reads responses from local storage, or from the upstream that created them, for the user who created them. Free,
 * but counts as an in-flight request.
 */
export function mountUpstreamResponses(app: FastifyInstance, mounting: Mounting): void {
  const { relay, keptResponses, storedResponses, upstreamServices, guarded, callerOf } = mounting;
  const serve =
    (method: StoredResponseMethod, below: string) =>
    async (request: FastifyRequest<OneResponse>, reply: FastifyReply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      requireEndpoint(caller.entry, endpointKinds.responses);
      const query = forwardedQuery(request.url);
      // Deleting is allowed even with an empty balance.
      if (method !== 'DELETE') caller.requireQuota();
      relay.admission.begin(caller);
      const share = upstreamServices.gathering.share();
      const gone = whenClosed(reply.raw, () => {
        share[Symbol.dispose]();
        relay.admission.end(caller);
      });
      const stored = await readStored(storedResponses, caller, { method, id, below, query, share });
      if (stored) return reply.send(stored);
      const channel = await keptResponses.channelOf(caller, id);
      if (!relay.routes.mayUse(caller, channel.id))
        throw new RelayError(
          403,
          'This API token is not allowed to use the channel that stores this response',
          'channel_not_allowed',
        );
      const body = await requestStoredResponse(upstreamServices, channel, {
        method,
        below: `/${id}${below}`,
        query,
        share,
        gone,
      });
      if (method === 'DELETE') await keptResponses.remove(caller, id);
      return reply.type('application/json').send(body);
    };
  app.get<OneResponse>(path, guarded, serve('GET', ''));
  app.delete<OneResponse>(path, guarded, serve('DELETE', ''));
  app.post<OneResponse>(`${path}/cancel`, guarded, serve('POST', '/cancel'));
  app.get<OneResponse>(`${path}/input_items`, guarded, serve('GET', '/input_items'));
}

interface StoredCall {
  readonly method: StoredResponseMethod;
  readonly id: string;
  readonly below: string;
  readonly query: string;
  /** Memory for the response body. */
  readonly share: BufferShare;
}

/** Response body for a locally stored response; undefined if this user has none with this id. */
async function readStored(
  stored: StoredResponseService,
  caller: TokenCaller,
  { method, id, below, query, share }: StoredCall,
): Promise<JsonObject | undefined> {
  if (method === 'DELETE')
    return (await stored.remove(caller, id)) ? { id, object: 'response', deleted: true } : undefined;
  const memory = {
    take: (bytes: number) => {
      if (!share.take(bytes)) throw responseTooLongError(false);
    },
  };
  if (below === '/input_items') return stored.inputOf(caller, id, { query: new URLSearchParams(query), memory });
  const response = await stored.response(caller, id, memory);
  if (response && method === 'POST')
    throw new RelayError(400, 'Cannot cancel a synchronous response.', null, 'invalid_request_error');
  return response;
}

/**
 * Calls back when the client has received everything, has disconnected or has stopped reading for too long; then also
 * aborts the signal.
 */
function whenClosed(response: ServerResponse, onClosed: () => void): AbortSignal {
  const gone = new AbortController();
  const close = () => {
    onClosed();
    gone.abort();
  };
  response.setTimeout(defaultReaderTimeoutMs, () => response.destroy());
  if (response.closed) close();
  else response.once('close', close);
  return gone.signal;
}

/** Paging and include parameters. Any other parameter could contain a key. */
const passedNames: ReadonlySet<string> = new Set(['include', 'include[]', 'after', 'before', 'limit', 'order']);

function forwardedQuery(url: string): string {
  const clientQuery = new URLSearchParams(url.split('?', 2)[1]);
  if ((clientQuery.get('stream') ?? 'false') !== 'false') {
    const rejected = new RelayError(400, 'stream is not supported here', null, 'invalid_request_error');
    rejected.param = 'stream';
    throw rejected;
  }
  return new URLSearchParams([...clientQuery].filter(([name]) => passedNames.has(name))).toString();
}
