import {
  type EndpointKind,
  endpointKinds,
  type Outside,
  RelayError,
  readForm,
  readRequest,
  relayCall,
} from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowAnyOrigin } from './any-origin.ts';
import { subscriptionReply, usageReply } from './billing-report.ts';
import { HttpClientSink } from './http-client-sink.ts';
import { refuseUnserved } from './not-implemented.ts';
import { proxyRoutes } from './proxy-routes.ts';
import type { Admitted, RelayService } from './relay-service.ts';
import { acceptBytes } from './request-bytes.ts';
import { requireModel } from './token-check.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the relay; undefined elsewhere. */
    admitted: Admitted | undefined;
  }
}

const hidden = { schema: { hide: true } } as const;

/** Mounts OpenAI's endpoints; bodies stay bytes, replies are written past the framework. */
export function relayRoutes(relay: RelayService, outside: Outside) {
  return async (app: FastifyInstance): Promise<void> => {
    acceptBytes(app);
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    allowAnyOrigin(app);
    app.decorateRequest('admitted', undefined);
    const admit = async (request: FastifyRequest) => {
      request.admitted = await relay.admit(request.headers.authorization, request.ip);
    };
    // Before the body is read: a stranger's is not worth the memory.
    const guarded = { ...hidden, onRequest: admit };
    for (const kind of Object.values(endpointKinds)) {
      app.post(kind.path, guarded, (request, reply) => serve({ relay, outside, kind }, request, reply));
    }
    app.post<{ Params: { model: string } }>('/v1/engines/:model/embeddings', guarded, (request, reply) =>
      serve({ relay, outside, kind: endpointKinds.embeddings, model: request.params.model }, request, reply),
    );
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
    proxyRoutes(app, { relay, outside, admit });
    refuseUnserved(app, admit);
  };
}

const modelRow = (id: string) => ({ id, object: 'model', created: 1_626_777_600, owned_by: 'headgate' });

export function callerOf({ admitted }: FastifyRequest): Admitted {
  if (!admitted) throw new Error('This route lets in whoever comes.');
  return admitted;
}

interface Serving {
  readonly relay: RelayService;
  readonly outside: Outside;
  readonly kind: EndpointKind;
  /** The one the address names, for when the body names none. */
  readonly model?: string;
}

async function serve(serving: Serving, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { relay, outside, kind, model: pathModel } = serving;
  const admitted = callerOf(request);
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const contentType = request.headers['content-type'];
  const parsed = kind.isForm ? await readForm(kind, bytes, contentType) : readRequest(kind, bytes, { pathModel });
  requireModel(admitted.entry, parsed.model);
  await relayCall(relay.portsFor(admitted), outside, {
    caller: admitted.caller,
    request: parsed,
    client: new HttpClientSink(reply, request.id),
    requestId: request.id,
  });
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const relayError = asRelayError(error);
  if (relayError.status === 500) request.log.error({ err: error }, 'relay failed');
  if (relayError.retryAfter !== undefined) reply.header('retry-after', relayError.retryAfter);
  return reply.code(relayError.status).send(relayError.body(String(request.id)));
}

function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new RelayError(statusCode, message ?? 'The request is not valid', null, 'invalid_request_error');
  }
  return new RelayError(500, 'Internal error');
}
