import { type Outside, RelayError } from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyReader } from '../bodies/body-reader.ts';
import { allowAnyOrigin } from './any-origin.ts';
import { subscriptionReply, usageReply } from './billing-report.ts';
import { refuseUnserved } from './not-implemented.ts';
import { presentedKey } from './presented-key.ts';
import { passProxyCalls } from './proxy-calls.ts';
import { asRelayError, isOurFault } from './relay-failure.ts';
import type { RelayService } from './relay-service.ts';
import { acceptBytes } from './request-bytes.ts';
import type { RunningCalls } from './running-calls.ts';
import type { TokenCaller } from './token-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the relay; undefined elsewhere. */
    caller: TokenCaller | undefined;
  }
}

interface Parts {
  readonly relay: RelayService;
  readonly outside: Outside;
  readonly running: RunningCalls;
  readonly bodies: BodyReader;
}

const hidden = { schema: { hide: true } } as const;

/** Mounts what of OpenAI's API is called rarely; the rest comes in by the relay's own door. */
export function relayRoutes({ relay, outside, running, bodies }: Parts) {
  return async (app: FastifyInstance): Promise<void> => {
    acceptBytes(app, bodies, callerOf);
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    allowAnyOrigin(app);
    app.decorateRequest('caller', undefined);
    const admit = async (request: FastifyRequest) => {
      request.caller = await relay.admit(presentedKey(request.headers, request.url), () => request.ip);
    };
    // Before the body is read: a stranger's is not worth the memory.
    const guarded = { ...hidden, onRequest: admit };
    app.get('/v1/models', guarded, async (request) => {
      return { object: 'list', data: relay.models(callerOf(request)).map(modelRow) };
    });
    app.get<{ Params: { id: string } }>('/v1/models/:id', guarded, async (request) => {
      const { id } = request.params;
      if (relay.models(callerOf(request)).includes(id)) return modelRow(id);
      throw new RelayError(404, `The model '${id}' does not exist`, 'model_not_found', 'invalid_request_error');
    });
    for (const path of ['/dashboard/billing', '/v1/dashboard/billing']) {
      const report = async (request: FastifyRequest) => relay.billing(callerOf(request));
      app.get(`${path}/subscription`, guarded, async (request) => subscriptionReply(await report(request)));
      app.get(`${path}/usage`, guarded, async (request) => usageReply(await report(request)));
    }
    passProxyCalls(app, { relay, outside, running, admit });
    refuseUnserved(app, admit);
  };
}

const modelRow = (id: string) => ({ id, object: 'model', created: 1_626_777_600, owned_by: 'headgate' });

function callerOf({ caller }: FastifyRequest): TokenCaller {
  if (!caller) throw new Error('This route lets in whoever comes.');
  return caller;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const relayError = asRelayError(error);
  if (isOurFault(error, relayError)) request.log.error({ err: error }, 'relay failed');
  // The rest of a body that nobody will read would be taken for the next request.
  if (!request.raw.complete) reply.header('connection', 'close');
  if (relayError.retryAfter !== undefined) reply.header('retry-after', relayError.retryAfter);
  return reply.code(relayError.status).send(relayError.body(String(request.id)));
}
