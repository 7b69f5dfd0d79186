import { rateLimitResetMs } from '@headgate/dialects';
import { defaultMessage } from '@headgate/providers';
import type { AttemptTrace as TracedAttempt } from '../ports/call-trace.ts';
import { ClientDisconnect, type DisconnectSignal, disconnectCause } from '../ports/client-sink.ts';
import type { Caller, Ports } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { FetchedImages } from '../prepare/fetched-images.ts';
import { type PrepareDependencies, type PreparedRequest, prepareRequest } from '../prepare/prepare-request.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { UpstreamConnectionError, type UpstreamResponse } from '../upstream/upstream-exchange.ts';
import { waitForFirstByte } from '../upstream/wait-for-first-byte.ts';
import { type FailedAttempt, failedAttempt, rejectedAttempt } from './failed-attempt.ts';
import type { PendingAttempt } from './hedge.ts';
import type { ModelConditions } from './model-conditions.ts';
import type { RelayCall } from './relay-call.ts';
import { withHeaders } from './traced-request.ts';
import type { UpstreamServices } from './upstream-services.ts';

/** Result of one upstream request: the response, or the reason for the failure. */
export interface AttemptedChannel {
  readonly channel: RelayChannel;
  readonly startedAt: number;
  readonly prepared: PreparedRequest | undefined;
  readonly result: UpstreamResponse | FailedAttempt;
  readonly respondedAt: number;
  /** Cooldown requested by the upstream, in milliseconds. */
  readonly cooldownMs: number;
  /** Undefined if the request is not traced. */
  readonly traced: TracedAttempt | undefined;
}

/** Error response that may indicate that the server lacks the endpoint. */
interface RejectedRequest extends Pick<AttemptedChannel, 'traced'> {
  readonly prepared: PreparedRequest;
  readonly response: UpstreamResponse;
}

const everyEndpoint = { has: () => true };

export type PendingChannel = PendingAttempt<AttemptedChannel> & Pick<AttemptedChannel, 'channel' | 'startedAt'>;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
export const isUpstreamResponse = (result: AttemptedChannel['result']): result is UpstreamResponse => 'read' in result;
export const isSuccessfulAttempt = ({ result }: AttemptedChannel): boolean =>
  isUpstreamResponse(result) && isSuccess(result.status);

/** Sends one request to channels. */
export class ChannelRequests<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly #call: RelayCall<By>;
  readonly #preparing: PrepareDependencies;
  /** Number of upstream requests. */
  count = 0;

  constructor(ports: Ports<By>, services: UpstreamServices, call: RelayCall<By>) {
    this.#ports = ports;
    this.#services = services;
    this.#call = call;
    const { credentials, fetcher, missingEndpoints: missing } = services;
    const { memory } = call;
    const unpricedFieldsAllowed = ports.unpricedFieldsAllowed();
    this.#preparing = {
      credentials,
      images: new FetchedImages(fetcher, memory),
      memory,
      missing,
      unpricedFieldsAllowed,
    };
  }

  /** Rejects only on an internal error. */
  async send(
    channel: RelayChannel,
    terms: ModelConditions<By>,
    disconnect: DisconnectSignal = this.#call.client.disconnect,
  ): Promise<AttemptedChannel> {
    const startedAt = this.#ports.clock();
    if (channel.keyId !== undefined) this.#ports.keyUsed(channel.keyId);
    let prepared: PreparedRequest | undefined;
    let result: AttemptedChannel['result'];
    const traced = this.#call.trace?.attempt(channel);
    try {
      if (this.#call.isHeavy) await this.#services.turns.next();
      const preparing = prepareRequest(terms.request, channel, this.#preparing);
      prepared = preparing instanceof Promise ? await preparing : preparing;
      this.count += 1;
      const { request } = prepared;
      const response = await this.#services.upstreams.open(withHeaders(request, traced?.headers), disconnect, channel);
      result = response;
      if (mayBeMissingEndpoint(terms.request, prepared, response))
        ({ prepared, result } = await this.#viaChatEndpoint({ prepared, response, traced }, terms, disconnect));
    } catch (error) {
      result = this.failedAttempt(error, channel, terms);
    }
    const cooldownMs = isUpstreamResponse(result) ? rateLimitResetMs(result.headers, Date.now()) : 0;
    return { channel, startedAt, prepared, result, respondedAt: this.#ports.clock(), cooldownMs, traced };
  }

  /** Returns the chat endpoint's response if the server lacks the native endpoint; otherwise the first response. */
  async #viaChatEndpoint(
    { prepared: native, response: missingResponse, traced }: RejectedRequest,
    terms: ModelConditions<By>,
    disconnect: DisconnectSignal,
  ): Promise<Pick<AttemptedChannel, 'result'> & { readonly prepared: PreparedRequest }> {
    const { channel } = native;
    const { upstreams, missingEndpoints } = this.#services;
    const rejected = { prepared: native, result: await rejectedAttempt(native, missingResponse) };
    const missing = missingResource(rejected.result);
    if (missing === 'other') return rejected;
    const prepared = await prepareRequest(terms.request, channel, { ...this.#preparing, missing: everyEndpoint });
    const result = await upstreams.open(withHeaders(prepared.request, traced?.headers), disconnect, channel);
    const { kind, model } = terms.request;
    if (isSuccess(result.status) && missing === 'endpoint') missingEndpoints.note(channel, kind.name, model);
    if (!isMissingStatus(result.status)) return { prepared, result };
    result.abort();
    return rejected;
  }

  /** Sends a request that can be canceled; the attempt counts as responded when the first bytes arrive. */
  sendPending(channel: RelayChannel, terms: ModelConditions<By>): PendingChannel {
    const disconnect = new ClientDisconnect();
    const { client } = this.#call;
    const { loads } = this.#services;
    if (client.disconnect.aborted) disconnect.leave();
    else client.disconnect.addEventListener('abort', () => disconnect.leave());
    const startedAt = this.#ports.clock();
    loads.begun(channel.id);
    const attempted = this.send(channel, terms, disconnect)
      .then(async (each) => {
        if (!isUpstreamResponse(each.result) || !isSuccess(each.result.status)) return each;
        return { ...each, result: await waitForFirstByte(each.result), respondedAt: this.#ports.clock() };
      })
      .finally(() => loads.ended(channel.id));
    return { attempted, channel, startedAt, cancel: () => disconnect.leave() };
  }

  /** `answered` is the status of the response headers; undefined without any. */
  failedAttempt(error: unknown, channel: RelayChannel, terms: ModelConditions<By>, responded?: number): FailedAttempt {
    const { disconnect } = this.#call.client;
    const hasDisconnected = error instanceof UpstreamConnectionError && disconnect.aborted;
    if (!hasDisconnected) return failedAttempt(error, channel);
    const { by, failure } = disconnectCause(disconnect);
    const isBegun = responded === undefined ? error.hadRequest : isSuccess(responded);
    // A client that the server disconnected is not charged, because it received nothing.
    const used = by === 'client' && isBegun && { used: terms.estimate.used };
    return { status: 0, error: failure, isRetryable: false, isChannelFault: false, endedBy: by, ...used };
  }
}

/** Statuses of a server that lacks an endpoint. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

const isMissingStatus = (status: number): boolean => missingStatuses.has(status);

/** True if the server may lack the endpoint and its chat endpoint can serve the request instead. */
function mayBeMissingEndpoint(request: RelayRequest, { wire }: PreparedRequest, { status }: UpstreamResponse): boolean {
  if (wire.kind !== 'pass' || !wire.isOptional || !isMissingStatus(status)) return false;
  return !request.earlier && !request.previousResponse;
}

const namesAnother =
  /\b(model|deployment|item|response with id|assistant|file with id)\b|_not_found$|DeploymentNotFound/i;
const namesEndpoint = /\b(url|uri|path|route|endpoint|page)\b|^((file|resource) )?not found\.?$/i;

/**
 * Classifies a 404, 405 or 501. `other`: another resource was not found, such as the model. `unclear`: the chat
 * endpoint may serve the request, but the result is not remembered.
 */
function missingResource({ status, error }: FailedAttempt): 'endpoint' | 'other' | 'unclear' {
  if (status !== 404) return 'endpoint';
  const { message, code } = error;
  if (namesAnother.test(message) || (code !== null && namesAnother.test(code))) return 'other';
  // HTML pages and plain text contain no error message: they come from a web server without this path.
  return namesEndpoint.test(message) || message === defaultMessage(status) ? 'endpoint' : 'unclear';
}
