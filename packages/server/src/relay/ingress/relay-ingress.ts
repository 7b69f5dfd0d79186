import { randomUUIDv7 } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect, RequestUrlInfo } from '@headgate/dialects';
import {
  type EndpointKind,
  errorDialectOf,
  type RequestMemoryLimit,
  readForm,
  readLargeRequest,
  readRequest,
  relayCall,
  type UpstreamServices,
} from '@headgate/relay';
import type { FastifyBaseLogger } from 'fastify';
import type { BodyReader, ReceivedBody } from '../../http/bodies/body-reader.ts';
import { respondBeforeBody } from '../../http/bodies/early-response.ts';
import type { IngressTrace, Tracer } from '../../observability/traces/tracer.ts';
import type { ServedRequest } from '../../platform/logging/log-lines.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import { requireEndpoint } from '../callers/token-scope.ts';
import { rejectBrowserContent } from '../clients/browser-guard.ts';
import { HttpClientSink } from '../clients/http-client-sink.ts';
import { readApiKey } from '../clients/read-api-key.ts';
import { asRelayError, errorResponse } from '../clients/relay-error-response.ts';
import type { RunningRequests } from '../clients/running-requests.ts';
import type { TrafficMirror } from '../mirror/traffic-mirror.ts';
import type { PayloadLogger } from '../payload-logging/payload-logger.ts';
import type { Relay } from '../run/relay.ts';
import type { RequestTagger } from '../tags/request-tagger.ts';
import { type RequestedEndpoint, requestedEndpoint } from './requested-endpoint.ts';

interface RelayIngressDependencies {
  readonly relay: Relay;
  readonly upstreamServices: UpstreamServices;
  readonly running: RunningRequests;
  /** Undefined if tracing is off. */
  readonly tracer?: Tracer | undefined;
  readonly bodies: BodyReader;
  /** Copies payloads that will be stored. */
  readonly bodyKeeper: Pick<PayloadLogger, 'begin'>;
  readonly tags: Pick<RequestTagger, 'tag'>;
  readonly mirror: Pick<TrafficMirror, 'offer'>;
  readonly logger: FastifyBaseLogger;
  /** Called after a response is closed. */
  readonly onServed: (served: ServedRequest) => void;
  /** Client address, taking trusted proxies into account. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** How long a client may stop reading; the sink's default if undefined. */
  readonly readerPatienceMs?: number | undefined;
}

interface Identified {
  readonly requestId: string;
  readonly trace: IngressTrace | undefined;
}

/** Serves the hot endpoints before Fastify, whose hooks and parsing would cost more than the relay itself. */
export class RelayIngress {
  readonly #dependencies: RelayIngressDependencies;

  constructor(dependencies: RelayIngressDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns true if the request is served here. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'POST') return false;
    const requested = requestedEndpoint(request.url ?? '');
    if (!requested) return false;
    const began = performance.now();
    // Contains the start time, so that the log row can be found without an index.
    const requestId = randomUUIDv7();
    const { logger, onServed, running, readerPatienceMs } = this.#dependencies;
    const trace = this.#dependencies.tracer?.begin(request.headers, {
      kind: requested.kind,
      requestId,
      startMs: began,
    });
    const onFault = (error: unknown) => logger.error({ err: error, reqId: requestId }, 'relay failed');
    const { requestIdHeader } = errorDialectOf(requested.kind);
    const responseOptions = { requestId, requestIdHeader, patienceMs: readerPatienceMs, onFault };
    const client = new HttpClientSink(response, responseOptions, () => {
      const ms = Math.round(performance.now() - began);
      onServed({ reqId: requestId, path: requested.kind.path, statusCode: response.statusCode, ms });
      trace?.closed(response.headersSent ? response.statusCode : undefined);
    });
    running.begin(client);
    void this.#serve(requested, response, client, { requestId, trace });
    return true;
  }

  async #serve(
    { kind, address }: RequestedEndpoint,
    response: ServerResponse<IncomingMessage>,
    client: HttpClientSink,
    { requestId, trace }: Identified,
  ): Promise<void> {
    const { relay, upstreamServices, running, bodies, bodyKeeper, tags } = this.#dependencies;
    const { req: request } = response;
    const { headers } = request;
    const addressOf = () => this.#dependencies.addressOf(request);
    let begun: TokenCaller | undefined;
    let model = '';
    let body: ReceivedBody | undefined;
    try {
      rejectBrowserContent(headers);
      // Authenticated before the body is read, so that unauthenticated requests use no memory.
      const admitting = relay.admission.authenticate(readApiKey(headers, request.url), addressOf);
      const admitted = admitting instanceof Promise ? await admitting : admitting;
      relay.admission.begin(admitted);
      begun = admitted;
      body = await bodies.read(request, {
        owner: admitted.user,
        isJson: !kind.isForm,
        beforeLarge: () => admitted.requireQuota(),
      });
      if (body.isHeavy) await upstreamServices.turns.next();
      const reading = readParsed(kind, body, headers, address);
      const plain = reading instanceof Promise ? await reading : reading;
      const parsed = body.exponents > 0 ? { ...plain, exponents: body.exponents } : plain;
      if (body.isHeavy) await upstreamServices.turns.next();
      model = parsed.model;
      const caller = relay.admission.checkAgain(admitted, addressOf);
      requireEndpoint(caller.entry, parsed.kind);
      const admittedRequest = relay.routes.admit(caller, tags.tag(caller, parsed));
      caller.capture = client.copy = bodyKeeper.begin(caller, { requestId, headers, body: body.bytes });
      const { isHeavy } = body;
      const memory = new BodyMemory(body);
      await relayCall(relay.ports, upstreamServices, {
        caller,
        request: admittedRequest,
        client,
        requestId,
        memory,
        isHeavy,
        trace,
      });
      this.#dependencies.mirror.offer(caller, admittedRequest, requestId);
    } catch (error) {
      trace?.rejected(error, model);
      if (begun) relay.admission.rejected(begun.entry, { error, model, requestId });
      this.#respondError(error, { response, client, dialect: errorDialectOf(kind), requestId });
    } finally {
      client.copy?.end(client.status);
      body?.release();
      if (begun) relay.admission.end(begun);
      running.end(client);
      trace?.served(response.closed);
    }
  }

  /** If sending the error fails too, only this connection is closed. */
  #respondError(error: unknown, { response, client, dialect, requestId }: Failed): void {
    const { logger } = this.#dependencies;
    try {
      const { status, headers, body } = errorResponse(error, { request: response.req, requestId, dialect, logger });
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(status, headers);
      respondBeforeBody(response, body);
      client.copy?.push(Buffer.from(body));
    } catch (fault) {
      response.destroy();
      logger.error({ err: fault, reqId: requestId }, 'an error response could not be sent');
    }
  }
}

interface Failed {
  readonly response: ServerResponse<IncomingMessage>;
  readonly client: HttpClientSink;
  readonly dialect: Dialect;
  readonly requestId: string;
}

/** Counts memory for everything fetched for a request as part of its body. */
class BodyMemory implements RequestMemoryLimit {
  readonly #body: ReceivedBody;

  constructor(body: ReceivedBody) {
    this.#body = body;
  }

  take(bytes: number): void {
    asRelay(() => this.#body.take(bytes));
  }

  cover(bytes: number): void {
    asRelay(() => this.#body.countUpTo(bytes));
  }
}

function asRelay(count: () => void): void {
  try {
    count();
  } catch (error) {
    throw asRelayError(error);
  }
}

/** Parses the request. Returns a promise only for forms and large bodies. */
function readParsed(kind: EndpointKind, body: ReceivedBody, headers: IncomingHttpHeaders, address: RequestUrlInfo) {
  if (kind.isForm) return readForm(kind, body.bytes, headers);
  return body.longStrings.length > 0
    ? readLargeRequest(kind, body, headers, address)
    : readRequest(kind, body.bytes, headers, address);
}
