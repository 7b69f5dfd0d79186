import type { ServerResponse } from 'node:http';
import { askKept, endpointKinds, RelayError, type UpstreamServices } from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TokenCaller } from '../callers/token-caller.ts';
import { requireEndpoint } from '../callers/token-scope.ts';
import { usualPatienceMs } from '../clients/http-client-sink.ts';
import type { KeptResponseService } from '../kept/kept-response-service.ts';
import type { RelayService } from '../relay-service.ts';

interface Mounting {
  readonly relay: RelayService;
  readonly keptResponses: KeptResponseService;
  readonly upstreamServices: UpstreamServices;
  readonly guarded: RouteShorthandOptions;
  readonly callerOf: (request: FastifyRequest) => TokenCaller;
}

interface OneResponse {
  readonly Params: { readonly id: string };
}

type KeptMethod = 'GET' | 'POST' | 'DELETE';

const path = '/v1/responses/:id';

/**
 * What OpenAI keeps is asked for where it was made, for the user it was made for. That is free, but it is a request under
 * way like any other.
 */
export function mountKeptResponses(app: FastifyInstance, mounting: Mounting): void {
  const { relay, keptResponses, upstreamServices, guarded, callerOf } = mounting;
  const serve =
    (method: KeptMethod, below: string) => async (request: FastifyRequest<OneResponse>, reply: FastifyReply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      requireEndpoint(caller.entry, endpointKinds.responses);
      const query = keptQuery(request.url);
      // Who has nothing left may still be rid of what is kept.
      if (method !== 'DELETE') caller.requireQuota();
      relay.begin(caller);
      const share = upstreamServices.gathering.share();
      const gone = whenClosed(reply.raw, () => {
        share[Symbol.dispose]();
        relay.end(caller);
      });
      const channel = await keptResponses.channelOf(caller, id);
      if (!relay.mayUse(caller, channel.id))
        throw new RelayError(403, 'The token may not use the channel that keeps it', 'channel_not_allowed');
      const body = await askKept(upstreamServices, channel, { method, below: `/${id}${below}`, query, share, gone });
      if (method === 'DELETE') await keptResponses.remove(caller, id);
      return reply.type('application/json').send(body);
    };
  app.get<OneResponse>(path, guarded, serve('GET', ''));
  app.delete<OneResponse>(path, guarded, serve('DELETE', ''));
  app.post<OneResponse>(`${path}/cancel`, guarded, serve('POST', '/cancel'));
  app.get<OneResponse>(`${path}/input_items`, guarded, serve('GET', '/input_items'));
}

/** Calls back when the client has all, or is gone, or takes nothing for too long; the signal says so too. */
function whenClosed(response: ServerResponse, onClosed: () => void): AbortSignal {
  const gone = new AbortController();
  const close = () => {
    onClosed();
    gone.abort();
  };
  response.setTimeout(usualPatienceMs, () => response.destroy());
  if (response.closed) close();
  else response.once('close', close);
  return gone.signal;
}

/** Which page of a list, and what to tell of it; any other word may be a key. */
const passedNames: ReadonlySet<string> = new Set(['include', 'include[]', 'after', 'before', 'limit', 'order']);

function keptQuery(url: string): string {
  const asked = new URLSearchParams(url.split('?', 2)[1]);
  if ((asked.get('stream') ?? 'false') !== 'false') {
    const refused = new RelayError(400, 'stream is not supported here', null, 'invalid_request_error');
    refused.param = 'stream';
    throw refused;
  }
  return new URLSearchParams([...asked].filter(([name]) => passedNames.has(name))).toString();
}
