import { type Provider, providers } from '@headgate/providers';
import type { Reservation } from './books/reservation.ts';
import { chooseChannel } from './choose-channel.ts';
import type { ClientSink } from './client-sink.ts';
import { estimatePrompt, estimateTokens } from './count-tokens.ts';
import { collect, readJsonReply } from './deliver-json.ts';
import { deliverStream, streamHead } from './deliver-stream.ts';
import type { Attempt, Caller, Outcome, Ports, RelayChannel, Route } from './ports.ts';
import { type Price, priceOf, quotaOf, type TokenCount } from './price/price.ts';
import type { RelayRequest } from './read-request.ts';
import { clientLeft, RelayError } from './relay-error.ts';
import type { UpstreamResponse, Upstreams } from './upstream.ts';
import { UpstreamFailure } from './upstream.ts';
import { isRetried, readRetryAfter, upstreamError } from './upstream-error.ts';
import { type PatchedRequest, patchRequest } from './write-request.ts';

export interface RelayCall {
  readonly caller: Caller;
  readonly request: RelayRequest;
  readonly client: ClientSink;
  readonly requestId: string;
}

/** A request on its way through one channel. */
interface Sending {
  readonly channel: RelayChannel;
  readonly patched: PatchedRequest;
  readonly reservation: Reservation;
}

/** A try that gave the client nothing. */
interface FailedTry {
  /** Of the upstream; 0 when it did not answer. */
  readonly status: number;
  readonly error: RelayError;
  /** Whether another channel may do better. */
  readonly isRetried: boolean;
  /** What has to be paid for it all the same. */
  readonly used?: TokenCount;
}

const largestErrorBody = 1024 * 1024;
const nothing: TokenCount = { prompt: 0, completion: 0 };

/** One request's life: hold, pick, send, deliver, settle. Settled once, whatever happens in between. */
export async function relayCall(ports: Ports, upstreams: Upstreams, call: RelayCall): Promise<void> {
  const { caller, request } = call;
  const route = ports.route(caller, request.model);
  if (!route) throw new RelayError(503, `No channel serves the model ${request.model} to you`, 'no_channel');
  try {
    const failure = await new Life(ports, upstreams, call, route).run();
    if (failure) throw failure;
  } catch (error) {
    // The parser takes any depth; what walks through the body afterwards does not.
    const isTooDeep = error instanceof RangeError && error.message.includes('call stack');
    throw isTooDeep ? new RelayError(400, 'The body is nested too deeply', null, 'invalid_request_error') : error;
  }
}

class Life {
  readonly #ports: Ports;
  readonly #upstreams: Upstreams;
  readonly #call: RelayCall;
  readonly #route: Route;
  readonly #attempts: Attempt[] = [];
  readonly #startedAt: number;
  readonly #promptTokens: number;
  #isSettled = false;

  constructor(ports: Ports, upstreams: Upstreams, call: RelayCall, route: Route) {
    this.#ports = ports;
    this.#upstreams = upstreams;
    this.#call = call;
    this.#route = route;
    this.#startedAt = ports.clock();
    this.#promptTokens = estimatePrompt(call.request);
  }

  /** Undefined when the client has its reply; else why it has none. */
  async run(): Promise<RelayError | undefined> {
    const reservation = this.#reserve();
    try {
      return await this.#tryChannels(reservation);
    } catch (error) {
      // A fault of our own: what was held must not stay held.
      if (!this.#isSettled) await this.#settle(reservation, undefined, nothing, new RelayError(500, 'Internal error'));
      throw error;
    }
  }

  #reserve(): Reservation {
    const { request, caller } = this.#call;
    const assumed = request.kind.answersText ? this.#ports.assumedCompletionTokens() : 0;
    const completion = (request.completionLimit ?? assumed) * request.choices;
    const points = quotaOf({ prompt: this.#promptTokens, completion }, this.#priceOn(this.#route.channels[0]));
    const reservation = caller.reserve(points);
    if (reservation === 'user') throw new RelayError(402, 'Your quota is not enough', 'insufficient_user_quota');
    if (reservation === 'token')
      throw new RelayError(402, 'The quota of this token is not enough', 'insufficient_token_quota');
    return reservation;
  }

  #priceOn(channel: RelayChannel | undefined): Price {
    return priceOf(this.#call.request.model, channel?.type ?? 0, this.#route.group, this.#ports.ratios());
  }

  async #tryChannels(reservation: Reservation): Promise<RelayError | undefined> {
    const tried = new Set<number>();
    let last: (FailedTry & { sending: Sending }) | undefined;
    for (let left = this.#ports.retries(); left >= 0; left -= 1) {
      const channel = chooseChannel(this.#route.channels, tried, this.#ports.roll());
      if (!channel) break;
      tried.add(channel.id);
      const sending = { channel, reservation, patched: patchRequest(this.#call.request, channel, true) };
      const failed = await this.#try(sending);
      if (!failed) return undefined;
      last = { ...failed, sending };
      if (!failed.isRetried) break;
    }
    const error = last?.error ?? new RelayError(503, 'No channel is left to try', 'no_channel');
    await this.#settle(reservation, last?.used && last.sending, last?.used ?? nothing, error);
    return error;
  }

  /** Undefined when the client has its reply, whole or broken off. */
  async #try(sending: Sending): Promise<FailedTry | undefined> {
    const began = this.#ports.clock();
    const failed = await this.#exchange(sending).catch((error: unknown) => this.#failedTry(error));
    if (failed && failed.error.code !== 'client_left') {
      const { status, error } = failed;
      const ms = Math.round(this.#ports.clock() - began);
      this.#attempts.push({ channel: sending.channel.id, status, reason: error.message, ms });
    }
    return failed;
  }

  #failedTry(error: unknown): FailedTry {
    if (!(error instanceof UpstreamFailure)) throw error;
    if (this.#call.client.signal.aborted) {
      const used = error.hadRequest && { used: { prompt: this.#promptTokens, completion: 0 } };
      return { status: 0, error: clientLeft(), isRetried: false, ...used };
    }
    const failure = new RelayError(502, `The upstream could not be reached: ${error.message}`, 'upstream_unreachable');
    return { status: 0, error: failure, isRetried: true };
  }

  async #exchange(sending: Sending): Promise<FailedTry | undefined> {
    const { client, request } = this.#call;
    const response = await this.#upstreams.open(this.#encode(sending.channel, sending.patched), client.signal);
    const { status, headers } = response;
    if (status >= 200 && status < 300) {
      return request.isStream ? this.#deliverStream(sending, response) : this.#deliverJson(sending, response);
    }
    const error = upstreamError(status, await collect(response, largestErrorBody), sending.channel);
    error.retryAfter = readRetryAfter(headers['retry-after']);
    return { status, error, isRetried: isRetried(status) };
  }

  #encode(channel: RelayChannel, { bytes }: PatchedRequest) {
    const provider: Provider | undefined = providers[channel.type as keyof typeof providers];
    return {
      method: 'POST',
      url: (channel.baseUrl || provider?.baseUrl || '') + this.#call.request.kind.path,
      headers: {
        'content-type': 'application/json',
        accept: this.#call.request.isStream ? 'text/event-stream' : 'application/json',
        authorization: `Bearer ${channel.key}`,
      },
      body: bytes,
    };
  }

  async #deliverJson(sending: Sending, response: UpstreamResponse): Promise<FailedTry | undefined> {
    const { client, request } = this.#call;
    const reply = await readJsonReply(response, sending.channel, request.kind).catch(asRelayError);
    if (reply instanceof RelayError) return { status: response.status, error: reply, isRetried: true };
    const { body, usage, textBytes } = reply;
    const counted = usage ?? { prompt: this.#promptTokens, completion: estimateTokens(textBytes) };
    await this.#settle(sending.reservation, sending, counted, undefined);
    client.start(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
    client.end(body);
    return undefined;
  }

  async #deliverStream(sending: Sending, response: UpstreamResponse): Promise<FailedTry | undefined> {
    const { client, request, requestId } = this.#call;
    const { channel, reservation } = sending;
    const price = this.#priceOn(channel);
    const { isStarted, tail, usage, failure, stoppedBy } = await deliverStream({
      ...{ response, channel, client, requestId },
      promptTokens: this.#promptTokens,
      hidesUsage: !request.wantsUsage,
      mayGoOn: (completion) => reservation.extendTo(quotaOf({ prompt: this.#promptTokens, completion }, price)),
    });
    if (failure && !isStarted) {
      const used = stoppedBy === 'client' && { used: usage };
      return { status: response.status, error: failure, isRetried: stoppedBy === 'upstream', ...used };
    }
    await this.#settle(reservation, sending, usage, failure);
    if (!isStarted) client.start(200, streamHead);
    client.end(tail);
    return undefined;
  }

  #settle(reservation: Reservation, sending: Sending | undefined, used: TokenCount, failure: RelayError | undefined) {
    this.#isSettled = true;
    const { caller, request, requestId } = this.#call;
    const price = this.#priceOn(sending?.channel ?? this.#route.channels[0]);
    const quota = quotaOf(used, price);
    const upstreamModel = sending?.patched.model;
    const outcome: Outcome = {
      caller,
      channel: sending?.channel.id ?? 0,
      model: request.model,
      quota,
      promptTokens: used.prompt,
      completionTokens: used.completion,
      isStream: request.isStream,
      isFailure: failure !== undefined,
      elapsedMs: Math.round(this.#ports.clock() - this.#startedAt),
      requestId,
      systemPromptReset: sending?.patched.systemPromptReset ?? false,
      content: failure?.message ?? '',
      detail: {
        ...price,
        group: this.#route.group,
        ...(upstreamModel !== undefined && upstreamModel !== request.model && { upstream_model: upstreamModel }),
        ...(this.#attempts.length > 0 && { attempts: this.#attempts }),
      },
    };
    return this.#ports.settle(reservation, outcome);
  }
}

function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  throw error;
}
