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
import { RelayError } from './relay-error.ts';
import type { UpstreamResponse, Upstreams } from './upstream.ts';
import { UpstreamFailure } from './upstream.ts';
import { isRetried, upstreamError } from './upstream-error.ts';
import { type PatchedRequest, patchRequest } from './write-request.ts';

export interface RelayCall {
  readonly caller: Caller;
  readonly request: RelayRequest;
  readonly client: ClientSink;
  readonly requestId: string;
}

interface Answered {
  readonly channel: RelayChannel;
  readonly patched: PatchedRequest;
  readonly response: UpstreamResponse;
}

const largestErrorBody = 1024 * 1024;

/** One request's life: hold, pick, send, deliver, settle. Settled once, whatever happens in between. */
export async function relayCall(ports: Ports, upstreams: Upstreams, call: RelayCall): Promise<void> {
  const { caller, request } = call;
  const route = ports.route(caller, request.model);
  if (!route) throw new RelayError(503, `No channel serves the model ${request.model} to you`, 'no_channel');
  const life = new Life(ports, upstreams, call, route);
  const failure = await life.run();
  if (failure) throw failure;
}

class Life {
  readonly #ports: Ports;
  readonly #upstreams: Upstreams;
  readonly #call: RelayCall;
  readonly #route: Route;
  readonly #attempts: Attempt[] = [];
  readonly #startedAt: number;
  readonly #promptTokens: number;

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
    let answered: Answered | undefined;
    try {
      answered = await this.#firstThatAnswers();
      return this.#call.request.isStream
        ? await this.#deliverStream(reservation, answered)
        : await this.#deliverJson(reservation, answered);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      await this.#settle(reservation, answered, { prompt: 0, completion: 0 }, error);
      return error;
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

  async #firstThatAnswers(): Promise<Answered> {
    const failed = new Set<number>();
    let last: RelayError | undefined;
    for (let left = this.#ports.retries(); left >= 0; left -= 1) {
      const channel = chooseChannel(this.#route.channels, failed, this.#ports.roll());
      if (!channel) break;
      failed.add(channel.id);
      const outcome = await this.#attempt(channel);
      if (!(outcome instanceof RelayError)) return outcome;
      last = outcome;
      if (!isRetried(this.#attempts.at(-1)?.status ?? 0) && this.#attempts.at(-1)?.status !== 0) break;
    }
    throw last ?? new RelayError(503, 'No channel is left to try', 'no_channel');
  }

  async #attempt(channel: RelayChannel): Promise<Answered | RelayError> {
    const { request, client } = this.#call;
    const began = this.#ports.clock();
    const note = (status: number, reason: string) =>
      this.#attempts.push({ channel: channel.id, status, reason, ms: Math.round(this.#ports.clock() - began) });
    const patched = patchRequest(request, channel, true);
    try {
      const response = await this.#upstreams.open(this.#encode(channel, patched), client.signal);
      if (response.status >= 200 && response.status < 300) return { channel, patched, response };
      const error = upstreamError(response.status, await collect(response, largestErrorBody), channel);
      note(response.status, error.message);
      return error;
    } catch (error) {
      if (client.signal.aborted) throw new RelayError(499, 'The client left', 'client_left');
      if (!(error instanceof UpstreamFailure)) throw error;
      note(0, error.message);
      return new RelayError(502, `The upstream could not be reached: ${error.message}`, 'upstream_unreachable');
    }
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

  async #deliverJson(reservation: Reservation, answered: Answered): Promise<undefined> {
    const { client } = this.#call;
    const { body, usage, textBytes } = await readJsonReply(answered.response).catch((error: unknown) => {
      if (!(error instanceof UpstreamFailure)) throw error;
      throw new RelayError(502, `The upstream broke off: ${error.message}`, 'upstream_broke');
    });
    const counted = usage ?? { prompt: this.#promptTokens, completion: estimateTokens(textBytes) };
    await this.#settle(reservation, answered, counted, undefined);
    client.start(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
    client.end(body);
    return undefined;
  }

  async #deliverStream(reservation: Reservation, answered: Answered): Promise<RelayError | undefined> {
    const { client, request, requestId } = this.#call;
    const price = this.#priceOn(answered.channel);
    const { isStarted, tail, usage, failure } = await deliverStream({
      response: answered.response,
      client,
      promptTokens: this.#promptTokens,
      hidesUsage: !request.wantsUsage,
      mayGoOn: (completion) => reservation.extendTo(quotaOf({ prompt: this.#promptTokens, completion }, price)),
    });
    await this.#settle(reservation, answered, usage, failure);
    if (failure && !isStarted) return failure;
    if (!isStarted) client.start(200, streamHead);
    client.end(failure ? Buffer.from(`data: ${JSON.stringify(failure.body(requestId))}\n\n`) : tail);
    return undefined;
  }

  #settle(reservation: Reservation, answered: Answered | undefined, used: TokenCount, failure: RelayError | undefined) {
    const { caller, request, requestId } = this.#call;
    const price = this.#priceOn(answered?.channel ?? this.#route.channels[0]);
    const quota = quotaOf(used, price);
    const upstreamModel = answered?.patched.model;
    const outcome: Outcome = {
      caller,
      channel: answered?.channel.id ?? 0,
      model: request.model,
      quota,
      promptTokens: used.prompt,
      completionTokens: used.completion,
      isStream: request.isStream,
      isFailure: failure !== undefined,
      elapsedMs: Math.round(this.#ports.clock() - this.#startedAt),
      requestId,
      systemPromptReset: answered?.patched.systemPromptReset ?? false,
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
