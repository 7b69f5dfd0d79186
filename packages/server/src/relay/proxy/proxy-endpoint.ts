import {
  disconnectCause,
  failedAttempt,
  type RelayChannel,
  RelayError,
  type UpstreamRequest,
  type UpstreamServices,
} from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readKeyLocation } from '../../catalog/channels/key-location.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import { readCredentials } from '../callers/token-check.ts';
import { HttpClientSink } from '../clients/http-client-sink.ts';
import { readApiKey } from '../clients/read-api-key.ts';
import { asRelayError } from '../clients/relay-error-response.ts';
import type { RunningRequests } from '../clients/running-requests.ts';
import { runWithinLimits } from '../limit-counters/run-within-limits.ts';
import type { PayloadLogger } from '../payload-logging/payload-logger.ts';
import type { Relay } from '../run/relay.ts';
import { parseProxyTarget, proxyUrl } from './proxy-address.ts';
import { proxyBody, proxyQuery, proxyRequestHeaders } from './proxy-request.ts';
import { forwardResponse } from './proxy-response.ts';

interface ProxyCallDependencies {
  readonly relay: Relay;
  readonly upstreamServices: UpstreamServices;
  readonly running: RunningRequests;
  /** Copies payloads that will be stored. */
  readonly bodyKeeper: Pick<PayloadLogger, 'begin'>;
  readonly admit: (request: FastifyRequest) => Promise<void>;
}

const nothing = Buffer.alloc(0);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const prefixes = ['/v1/proxy', '/v1/oneapi/proxy'] as const;

/** Forwards requests unchanged to a channel's base URL, for endpoints outside the supported APIs. */
export function mountProxyRoutes(app: FastifyInstance, dependencies: ProxyCallDependencies): void {
  for (const prefix of prefixes) {
    app.route<{ Params: { id: string } }>({
      method: [...methods],
      url: `${prefix}/:id/*`,
      onRequest: dependencies.admit,
      handler: (request, reply) => forwardCounted(dependencies, request, reply),
    });
  }
}

type ProxyRequest = FastifyRequest<{ Params: { id: string } }>;

/** Forwards a request and counts it as in flight until it is logged. */
async function forwardCounted(
  dependencies: ProxyCallDependencies,
  request: ProxyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { relay } = dependencies;
  const { caller } = request;
  if (!caller) throw new Error('This route does not authenticate its caller.');
  relay.admission.begin(caller);
  try {
    await pass(dependencies, request, reply);
  } finally {
    relay.admission.end(caller);
  }
}

async function pass(dependencies: ProxyCallDependencies, request: ProxyRequest, reply: FastifyReply): Promise<void> {
  const { relay } = dependencies;
  const { caller, id: requestId } = request;
  const channel = caller && relay.routes.proxyChannel(caller, Number(request.params.id));
  if (!caller || !channel) throw new RelayError(404, 'Proxy channel not found', 'no_channel');
  const sent = requestFor(request, caller, channel);
  const requested = { model: '', group: caller.groups[0] ?? '', channels: [channel] };
  const limits = relay.ports.limits(caller, requested);
  const onRejected = (error: unknown) => relay.admission.rejected(caller.entry, { error, model: '', requestId });
  await runWithinLimits({ limits, channel: channel.id, onRejected }, () =>
    send(dependencies, { caller, channel, sent, request, reply }),
  );
}

interface ProxyCall {
  readonly caller: TokenCaller;
  readonly channel: RelayChannel;
  readonly sent: UpstreamRequest;
  readonly request: ProxyRequest;
  readonly reply: FastifyReply;
}

async function send(
  { relay, upstreamServices, running, bodyKeeper }: ProxyCallDependencies,
  { caller, channel, sent, request, reply }: ProxyCall,
): Promise<void> {
  const { method, id: requestId } = request;
  const reservation = await relay.proxies.reserve(caller);
  const began = performance.now();
  const onFault = (error: unknown) => request.log.error({ err: error }, 'relay failed');
  const client = new HttpClientSink(reply.raw, { requestId, onFault });
  const requested = Buffer.isBuffer(request.body) ? request.body : nothing;
  caller.capture = client.copy = bodyKeeper.begin(caller, { requestId, headers: request.headers, body: requested });
  running.begin(client);
  let status = 0;
  let failure: RelayError | undefined;
  try {
    const response = await upstreamServices.upstreams.open(sent, client.disconnect, channel);
    status = response.status;
    reply.hijack();
    failure = await forwardResponse(response, client, channel).catch((error: unknown) => {
      onFault(error);
      return asRelayError(error);
    });
  } catch (error) {
    failure = client.disconnect.aborted
      ? disconnectCause(client.disconnect).failure
      : failedAttempt(error, channel).error;
    throw failure;
  } finally {
    const elapsedMs = Math.round(performance.now() - began);
    const call = { reservation, requestId, status, method, elapsedMs, failure };
    await relay.proxies.settle(caller, channel, call).finally(() => {
      client.copy?.end(status);
      running.end(client);
    });
  }
  if (failure) client.abort();
  else client.end();
}

/** Upstream request for the channel's base URL, without session data of the client. */
function requestFor(request: FastifyRequest, { entry }: TokenCaller, channel: RelayChannel): UpstreamRequest {
  const { method, headers } = request;
  const token = readCredentials(readApiKey(headers, request.originalUrl)).key;
  const target = parseProxyTarget(request.originalUrl);
  const body = proxyBody(entry, { method, target, body: Buffer.isBuffer(request.body) ? request.body : undefined });
  const key = keyLocation(channel);
  const query = [proxyQuery(target.query, token, key.parameter), key.query].filter((part) => part !== '').join('&');
  return {
    method,
    url: proxyUrl(channel.baseUrl, target, query),
    headers: { ...proxyRequestHeaders(headers, token, entry), ...key.headers },
    body,
    keepsEncoding: true,
  };
}

/** Where a proxy channel's key is placed in the request. */
interface KeyPlacement {
  readonly headers: Readonly<Record<string, string>>;
  /** Name and encoded text of the query parameter; empty if the key is in a header. */
  readonly parameter: string;
  readonly query: string;
}

/** Places the key in the configured header or query parameter; in `Authorization` by default. */
export function keyLocation({ other, key }: Pick<RelayChannel, 'other' | 'key'>): KeyPlacement {
  const location = readKeyLocation(other);
  if (!location)
    throw new RelayError(
      503,
      'The key location of the channel is invalid; an admin has to edit the channel',
      'channel_not_set_up',
    );
  if ('header' in location) return { headers: { [location.header]: key }, parameter: '', query: '' };
  const { parameter } = location;
  return { headers: {}, parameter, query: `${parameter}=${encodeURIComponent(key)}` };
}
