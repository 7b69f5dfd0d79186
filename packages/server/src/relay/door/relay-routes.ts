import { anthropicMessages, type Dialect, dialects, ollamaChat, openaiChat } from '@headgate/dialects';
import { RelayError, type UpstreamServices } from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyReader } from '../../http/bodies/body-reader.ts';
import { subscriptionReply, usageReply } from '../callers/billing-report.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import { presentedKey } from '../clients/presented-key.ts';
import { failureReply } from '../clients/relay-failure.ts';
import { admitBrowsers } from '../clients/relay-headers.ts';
import type { RunningCalls } from '../clients/running-calls.ts';
import type { BodyKeeper } from '../payload-logging/body-keeper.ts';
import { passProxyCalls } from '../proxy/proxy-calls.ts';
import type { Relay } from '../run/relay.ts';
import type { StoredResponseService } from '../stored-responses/stored-response-service.ts';
import type { KeptResponseService } from '../upstream-responses/kept-response-service.ts';
import { mountKeptResponses } from './kept-responses.ts';
import { isAnthropic, mountModels } from './model-lists.ts';
import { refuseUnserved } from './not-implemented.ts';
import { mountOllama } from './ollama-lists.ts';
import { acceptBytes } from './request-bytes.ts';
import { mountTokenCounts } from './token-counts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the relay; undefined elsewhere. */
    caller: TokenCaller | undefined;
  }
}

interface RelayRoutesDependencies {
  readonly relay: Relay;
  readonly keptResponses: KeptResponseService;
  readonly storedResponses: StoredResponseService;
  readonly upstreamServices: UpstreamServices;
  readonly running: RunningCalls;
  readonly bodies: BodyReader;
  readonly bodyKeeper: Pick<BodyKeeper, 'begin'>;
}

/** Mounts what of the APIs is called rarely; the rest comes in by the relay's own door. */
export function relayRoutes(dependencies: RelayRoutesDependencies) {
  const { relay, keptResponses, storedResponses, upstreamServices, running, bodies, bodyKeeper } = dependencies;
  return async (app: FastifyInstance): Promise<void> => {
    acceptBytes(app, bodies, callerOf);
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    admitBrowsers(app);
    app.decorateRequest('caller', undefined);
    const admit = async (request: FastifyRequest) => {
      request.caller = await relay.admission.authenticate(presentedKey(request.headers, request.url), () => request.ip);
    };
    // Before the body is read: a stranger's is not worth the memory.
    const guarded = { onRequest: admit };
    mountModels(app, { relay, guarded, callerOf });
    mountOllama(app, { relay, upstreamServices, guarded, callerOf });
    mountTokenCounts(app, { relay, upstreamServices, guarded, callerOf });
    for (const path of ['/dashboard/billing', '/v1/dashboard/billing']) {
      const report = async (request: FastifyRequest) => relay.info.billing(callerOf(request));
      app.get(`${path}/subscription`, guarded, async (request) => subscriptionReply(await report(request)));
      app.get(`${path}/usage`, guarded, async (request) => usageReply(await report(request)));
    }
    app.get('/v1/responses', guarded, async (_request, reply) => {
      // Codex asks for a socket first; at this answer it asks by HTTP at once.
      reply.headers({ upgrade: 'HTTP/1.1', 'x-should-retry': 'false' });
      throw new RelayError(426, 'Responses are served by POST, not by a socket', 'upgrade_required');
    });
    mountKeptResponses(app, { relay, keptResponses, storedResponses, upstreamServices, guarded, callerOf });
    passProxyCalls(app, { relay, upstreamServices, running, bodyKeeper, admit });
    refuseUnserved(app, admit);
  };
}

function callerOf({ caller }: FastifyRequest): TokenCaller {
  if (!caller) throw new Error('This route lets in whoever comes.');
  return caller;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = failureReply(error, {
    request: request.raw,
    requestId: request.id,
    dialect: dialectOf(request),
    logger: request.server.log,
  });
  return reply.code(status).headers(headers).send(body);
}

/** The dialect in which a failure is told. */
function dialectOf(request: FastifyRequest): Dialect {
  const asked = Object.values(dialects).find(({ path }) => request.url.startsWith(path));
  if (asked) return asked;
  if (request.url.startsWith('/api/')) return ollamaChat;
  return isAnthropic(request) ? anthropicMessages : openaiChat;
}
