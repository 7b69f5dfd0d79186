import { anthropicMessages, type Dialect, dialects, ollamaChat, openaiChat } from '@headgate/dialects';
import { RelayError, type UpstreamServices } from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyReader } from '../../http/bodies/body-reader.ts';
import { subscriptionResponse, usageResponse } from '../callers/billing-report.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import { readApiKey } from '../clients/read-api-key.ts';
import { allowCrossOrigin, errorResponse } from '../clients/relay-error-response.ts';
import type { RunningRequests } from '../clients/running-requests.ts';
import type { PayloadLogger } from '../payload-logging/payload-logger.ts';
import { mountProxyRoutes } from '../proxy/proxy-endpoint.ts';
import type { Relay } from '../run/relay.ts';
import type { StoredResponseService } from '../stored-responses/stored-response-service.ts';
import type { UpstreamResponseService } from '../upstream-responses/upstream-response-service.ts';
import { isAnthropicRequest, mountModelLists, mountOllamaLists } from './model-lists.ts';
import { rejectUnsupported } from './not-implemented.ts';
import { acceptRawBodies } from './raw-bodies.ts';
import { mountTokenCounts } from './token-counts.ts';
import { mountUpstreamResponses } from './upstream-response-endpoints.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Caller of a relay route; undefined on other routes. */
    caller: TokenCaller | undefined;
  }
}

interface RelayRoutesDependencies {
  readonly relay: Relay;
  readonly keptResponses: UpstreamResponseService;
  readonly storedResponses: StoredResponseService;
  readonly upstreamServices: UpstreamServices;
  readonly running: RunningRequests;
  readonly bodies: BodyReader;
  readonly bodyKeeper: Pick<PayloadLogger, 'begin'>;
}

/** Mounts rarely used API endpoints. The others are served by the relay ingress. */
export function relayRoutes(dependencies: RelayRoutesDependencies) {
  const { relay, keptResponses, storedResponses, upstreamServices, running, bodies, bodyKeeper } = dependencies;
  return async (app: FastifyInstance): Promise<void> => {
    acceptRawBodies(app, bodies, callerOf);
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
    allowCrossOrigin(app);
    app.decorateRequest('caller', undefined);
    const admit = async (request: FastifyRequest) => {
      request.caller = await relay.admission.authenticate(readApiKey(request.headers, request.url), () => request.ip);
    };
    // Runs before the body is read, so that unauthenticated requests use no memory.
    const guarded = { onRequest: admit };
    mountModelLists(app, { relay, guarded, callerOf });
    mountOllamaLists(app, { relay, upstreamServices, guarded, callerOf });
    mountTokenCounts(app, { relay, upstreamServices, guarded, callerOf });
    for (const path of ['/dashboard/billing', '/v1/dashboard/billing']) {
      const report = async (request: FastifyRequest) => relay.info.billing(callerOf(request));
      app.get(`${path}/subscription`, guarded, async (request) => subscriptionResponse(await report(request)));
      app.get(`${path}/usage`, guarded, async (request) => usageResponse(await report(request)));
    }
    app.get('/v1/responses', guarded, async (_request, reply) => {
      // Codex tries a WebSocket first and switches to HTTP on this response.
      reply.headers({ upgrade: 'HTTP/1.1', 'x-should-retry': 'false' });
      throw new RelayError(
        426,
        'WebSocket connections are not supported at /v1/responses; use POST',
        'upgrade_required',
      );
    });
    mountUpstreamResponses(app, { relay, keptResponses, storedResponses, upstreamServices, guarded, callerOf });
    mountProxyRoutes(app, { relay, upstreamServices, running, bodyKeeper, admit });
    rejectUnsupported(app, admit);
  };
}

function callerOf({ caller }: FastifyRequest): TokenCaller {
  if (!caller) throw new Error('This route does not authenticate its caller.');
  return caller;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = errorResponse(error, {
    request: request.raw,
    requestId: request.id,
    dialect: dialectOf(request),
    logger: request.server.log,
  });
  return reply.code(status).headers(headers).send(body);
}

/** Dialect of error responses. */
function dialectOf(request: FastifyRequest): Dialect {
  const requested = Object.values(dialects).find(({ path }) => request.url.startsWith(path));
  if (requested) return requested;
  if (request.url.startsWith('/api/')) return ollamaChat;
  return isAnthropicRequest(request) ? anthropicMessages : openaiChat;
}
