import type { ServerResponse } from 'node:http';
import {
  type ClientSink,
  type EndpointKind,
  endpointKinds,
  RelayError,
  readRequest,
  relayCall,
  type Upstreams,
} from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RelayService } from './relay-service.ts';
import { requireModel } from './token-check.ts';

/** Pictures travel inside requests. */
const bodyLimitBytes = 64 * 1024 * 1024;

/** Mounts OpenAI's endpoints; bodies stay bytes, replies are written past the framework. */
export function relayRoutes(relay: RelayService, upstreams: Upstreams) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    for (const kind of Object.values(endpointKinds)) {
      app.post(kind.path, { schema: { hide: true } }, (request, reply) =>
        serve({ relay, upstreams, kind }, request, reply),
      );
    }
    app.get('/v1/models', { schema: { hide: true } }, async (request) => {
      const admitted = await relay.admit(request.headers.authorization, request.ip);
      return { object: 'list', data: relay.models(admitted).map(modelRow) };
    });
    app.get<{ Params: { id: string } }>('/v1/models/:id', { schema: { hide: true } }, async (request) => {
      const admitted = await relay.admit(request.headers.authorization, request.ip);
      const { id } = request.params;
      if (relay.models(admitted).includes(id)) return modelRow(id);
      throw new RelayError(404, `The model '${id}' does not exist`, 'model_not_found', 'invalid_request_error');
    });
  };
}

const modelRow = (id: string) => ({ id, object: 'model', created: 1_626_777_600, owned_by: 'headgate' });

interface Serving {
  readonly relay: RelayService;
  readonly upstreams: Upstreams;
  readonly kind: EndpointKind;
}

async function serve({ relay, upstreams, kind }: Serving, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const admitted = await relay.admit(request.headers.authorization, request.ip);
  const parsed = readRequest(kind, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
  requireModel(admitted.entry, parsed.model);
  const client = new HttpClientSink(reply, request.id);
  await relayCall(relay.portsFor(admitted), upstreams, {
    caller: admitted.caller,
    request: parsed,
    client,
    requestId: request.id,
  });
}

/** Writes straight to the socket: the framework's own way would copy and schedule every chunk. */
class HttpClientSink implements ClientSink {
  readonly #reply: FastifyReply;
  readonly #response: ServerResponse;
  readonly #requestId: string;
  readonly #abort = new AbortController();

  constructor(reply: FastifyReply, requestId: string) {
    this.#reply = reply;
    this.#response = reply.raw;
    this.#requestId = requestId;
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) this.#abort.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    this.#reply.hijack();
    this.#response.writeHead(status, { ...headers, 'x-request-id': this.#requestId });
  }

  write(bytes: Buffer): boolean {
    return this.#response.write(bytes);
  }

  onDrained(resume: () => void): void {
    this.#response.once('drain', resume);
  }

  end(bytes?: Buffer): void {
    if (bytes) this.#response.end(bytes);
    else this.#response.end();
  }
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const relayError = asRelayError(error);
  if (relayError.status === 500) request.log.error({ err: error }, 'relay failed');
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
