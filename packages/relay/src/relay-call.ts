import type { Reservation } from './books/reservation.ts';
import type { RelayCall } from './call.ts';
import { chooseChannel } from './choose-channel.ts';
import { encodingOf } from './decoded-response.ts';
import { deliverBytes, drawsInEvents, endBytes } from './deliver-bytes.ts';
import { deliverLong, type LongReply, usedByLength } from './deliver-long.ts';
import { deliverStream, headOf } from './deliver-stream.ts';
import { type EarlyEnd, earlyEnd } from './early-end.ts';
import { encodedTry, type FailedTry, failedTry, refusedTry, unbegunTry, unreadableTry } from './failed-try.ts';
import { FetchedImages } from './fetched-images.ts';
import { type Foreseen, foresee } from './foresee.ts';
import { Holding } from './hold/holding.ts';
import { partingOf } from './leaving.ts';
import { outcomeOf } from './outcome-of.ts';
import type { Outside } from './outside.ts';
import type { Attempt, Caller, Ports, RelayChannel, Route } from './ports.ts';
import { type Prepared, type Preparing, prepare } from './prepare-request.ts';
import { type Price, priceOf, type TokenCount } from './price/price.ts';
import { readUsage } from './read-usage.ts';
import { refuseUnpriced } from './refuse-unpriced.ts';
import { RelayError } from './relay-error.ts';
import { withoutServerTools } from './server-tools.ts';
import { StreamMeter } from './stream-meter.ts';
import type { StreamReader } from './stream-reader.ts';
import { mayBeWhole, streamReaderOf } from './stream-reader-of.ts';
import type { AnswerLength } from './tokens/answer-length.ts';
import { OwnCount } from './tokens/own-count.ts';
import { isTooDeep, tooDeep } from './too-deep.ts';
import { UpstreamFailure, type UpstreamResponse } from './upstream-exchange.ts';
import { usedAtFault } from './used-at-fault.ts';
import { readWhole, type WholeReply } from './whole-reply.ts';

const nothing: TokenCount = { prompt: 0, completion: 0 };
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One request's life: hold, pick, send, deliver, settle. Settled once, whatever happens in between. */
export function relayCall<By extends Caller>(ports: Ports<By>, outside: Outside, call: RelayCall<By>): Promise<void> {
  const { caller } = call;
  const allowed = ports.unpricedFieldsAllowed();
  const request = withoutServerTools(call.request, allowed);
  refuseUnpriced(request, allowed);
  const route = ports.route(caller, request.model);
  if (!route) throw new RelayError(503, `No channel serves the model ${request.model} to you`, 'no_channel');
  try {
    return new Life(ports, outside, { ...call, request }, route).run();
  } catch (error) {
    throw isTooDeep(error) ? tooDeep() : error;
  }
}

/** What an upstream says of who asks, or of what is asked for. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404]);

type FailedWay = FailedTry & { readonly prepared: Prepared | undefined };

class Life<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #outside: Outside;
  readonly #call: RelayCall<By>;
  readonly #route: Route;
  readonly #attempts: Attempt[] = [];
  readonly #startedAt: number;
  readonly #foreseen: Foreseen;
  readonly #own: OwnCount;
  readonly #preparing: Preparing;
  /** Tokens that all answers may have by the request's own words. */
  readonly #limit: number | undefined;
  #isSettled = false;
  /** The way that has led to an answer, and how long that is as a stream. */
  #answering: Prepared | undefined;
  #length: AnswerLength | undefined;

  constructor(ports: Ports<By>, outside: Outside, call: RelayCall<By>, route: Route) {
    this.#ports = ports;
    this.#outside = outside;
    this.#call = call;
    this.#route = route;
    this.#startedAt = ports.clock();
    const { credentials, fetcher } = outside;
    this.#preparing = { credentials, images: new FetchedImages(fetcher, call.memory) };
    this.#foreseen = foresee(call.request, route.channels, ports.assumptions());
    const { most, least, used } = this.#foreseen;
    this.#limit = call.request.completionLimit === undefined ? undefined : (least ?? most).completion;
    this.#own = new OwnCount(outside, {
      ...{ request: call.request, prompt: used.prompt, limit: this.#limit, isEstimate: ports.estimatesTokens() },
    });
  }

  /** Ends when the client has its reply, whole or broken off; throws why it has none. */
  async run(): Promise<void> {
    const { request, caller } = this.#call;
    const holding = new Holding({
      ...{ request, caller, foreseen: this.#foreseen, own: this.#own, channels: this.#route.channels },
      priceOn: (channel) => this.#priceOn(channel),
    });
    const reservation = holding.reserveAtOnce() ?? (await holding.reserveClosely());
    let last: FailedWay | undefined;
    try {
      const tried = new Set<number>();
      for (let left = this.#ports.retries(this.#call.caller); left >= 0; left -= 1) {
        const channel = this.#choose(tried);
        if (!channel) break;
        tried.add(channel.id);
        last = await this.#try(channel, reservation);
        if (!last) return;
        if (!last.isRetried) break;
      }
    } catch (error) {
      throw await this.#brokeDown(reservation, error);
    }
    throw await this.#giveUp(reservation, last);
  }

  /** A fault of our own: what was held must not stay held, and what was delivered is paid. */
  async #brokeDown(reservation: Reservation, error: unknown): Promise<unknown> {
    const fault = earlyEnd(new RelayError(500, 'Internal error'), 'server');
    const used = this.#call.client.isStarted ? usedAtFault(this.#foreseen, this.#length) : nothing;
    if (!this.#isSettled) await this.#settle(reservation, this.#answering, used, fault);
    return isTooDeep(error) ? tooDeep() : error;
  }

  async #giveUp(reservation: Reservation, last: FailedWay | undefined): Promise<RelayError> {
    const error = last?.error ?? new RelayError(503, 'No channel is left to try', 'no_channel');
    const used = last?.used && (await this.#own.ofPrompt(last.used));
    await this.#settle(reservation, used && last?.prepared, used ?? nothing, earlyEnd(error, last?.endedBy));
    return error;
  }

  #priceOn(channel: RelayChannel | undefined): Price {
    return priceOf(this.#call.request.model, channel?.type ?? 0, this.#route.group, this.#ports.ratios());
  }

  /** One that rests is taken only when nothing else is left. */
  #choose(tried: ReadonlySet<number>): RelayChannel | undefined {
    const { channels } = this.#route;
    const awake = this.#outside.resting.awake(channels, this.#ports.clock());
    return chooseChannel(awake, tried, this.#ports.roll()) ?? chooseChannel(channels, tried, this.#ports.roll());
  }

  /** Undefined when the client has its reply, whole or broken off. */
  async #try(channel: RelayChannel, reservation: Reservation): Promise<FailedWay | undefined> {
    const began = this.#ports.clock();
    const { client, request } = this.#call;
    let prepared: Prepared | undefined;
    let failed: FailedTry | undefined;
    let answered: number | undefined;
    try {
      if (this.#call.isHeavy) await this.#outside.turns.next();
      const preparing = prepare(request, channel, this.#preparing);
      prepared = preparing instanceof Promise ? await preparing : preparing;
      client.ignored = [...(request.leftOut ?? []), ...prepared.ignored];
      const response = await this.#outside.upstreams.open(prepared.request, client.leaving, channel);
      answered = response.status;
      failed = await this.#deliver(reservation, prepared, response);
    } catch (error) {
      failed = this.#failedTry(error, channel, answered);
    }
    if (failed) this.#attempted(failed, channel, began, prepared);
    else this.#outside.resting.succeeded(channel.id);
    if (failed?.status === 401 && prepared) this.#outside.credentials.forget(prepared.view);
    return failed && { ...failed, prepared };
  }

  #attempted(failed: FailedTry, channel: RelayChannel, began: number, prepared: Prepared | undefined): void {
    const { status, error } = failed;
    if (error.code === 'client_left' || error.code === 'server_shutting_down') return;
    const now = this.#ports.clock();
    this.#attempts.push({ channel: channel.id, status, reason: error.message, ms: Math.round(now - began) });
    if (!failed.isChannelFault) return;
    const hasClientHeaders = prepared !== undefined && Object.keys(prepared.view.clientHeaders).length > 0;
    // What is forbidden with a header of the client's may be allowed to everybody else.
    const mayBeTheClients = hasClientHeaders && refusals.has(status);
    if (!mayBeTheClients) this.#outside.resting.failed(channel.id, now, (error.retryAfter ?? 0) * 1000);
    this.#ports.channelFailed(channel, { status, error, hasClientHeaders });
  }

  /** `answered` is the status of the head that came; undefined when none did. */
  #failedTry(error: unknown, channel: RelayChannel, answered: number | undefined): FailedTry {
    const hasLeft = error instanceof UpstreamFailure && this.#call.client.leaving.aborted;
    if (!hasLeft) return failedTry(error, channel);
    const { by, failure } = partingOf(this.#call.client.leaving);
    const isBegun = answered === undefined ? error.hadRequest : isSuccess(answered);
    // Who is sent away by us has got nothing.
    const used = by === 'client' && isBegun && { used: this.#foreseen.used };
    return { status: 0, error: failure, isRetried: false, isChannelFault: false, endedBy: by, ...used };
  }

  #deliver(reservation: Reservation, prepared: Prepared, response: UpstreamResponse): Promise<FailedTry | undefined> {
    const { request, requestId } = this.#call;
    if (!isSuccess(response.status)) return refusedTry(prepared, response);
    this.#answering = prepared;
    if (request.kind.answers === 'bytes' || drawsInEvents(request, response))
      return this.#deliverBytes(reservation, prepared, response);
    const encoding = encodingOf(response);
    if (encoding !== undefined) return encodedTry(response, encoding, prepared.channel);
    const length = request.isStream ? this.#own.lengthFor(prepared.channel.id) : undefined;
    this.#length = length;
    const reader = length && streamReaderOf(prepared.wire, { request, requestId, length, channel: prepared.channel });
    return reader
      ? this.#deliverStream(reservation, prepared, response, reader)
      : this.#deliverWhole(reservation, prepared, response);
  }

  async #deliverWhole(
    reservation: Reservation,
    prepared: Prepared,
    response: UpstreamResponse,
    begun?: Buffer,
  ): Promise<FailedTry | undefined> {
    const { client, request, requestId } = this.#call;
    const { upstreams, gathering } = this.#outside;
    using share = gathering.share();
    const reading = { request, prepared, requestId, upstreams, signal: client.leaving, share, begun };
    let reply: WholeReply | LongReply;
    try {
      reply = await readWhole(reading, response);
    } catch (error) {
      return unreadableTry(error, prepared.channel, response.status, this.#foreseen.used);
    }
    // Waited for here: until then its beginning is kept.
    if ('begun' in reply) return await this.#deliverLong(reservation, prepared, response, reply);
    const { body, contentType, told, heard, said } = reply;
    const isToldAll = request.kind.costs === 'tokens' ? this.#own.ofTold(told) : heard;
    const counted = isToldAll ?? (await this.#own.ofWhole(this.#foreseen.used, told, said()));
    await this.#settle(reservation, prepared, counted, undefined);
    client.start(200, { 'content-type': contentType, 'content-length': String(body.length) });
    client.end(body);
    return undefined;
  }

  async #deliverLong(
    reservation: Reservation,
    prepared: Prepared,
    response: UpstreamResponse,
    reply: LongReply,
  ): Promise<undefined> {
    const { client, request } = this.#call;
    const { tail, usage, bytes, failure, stoppedBy } = await deliverLong({
      ...reply,
      response,
      client,
      channel: prepared.channel,
    });
    const told = request.kind.costs === 'tokens' ? this.#own.ofTold(readUsage(usage, request)) : undefined;
    const used = told ?? usedByLength(await this.#own.ofPrompt(this.#foreseen.used), request, bytes);
    await this.#settle(reservation, prepared, used, earlyEnd(failure, stoppedBy));
    if (failure) client.breakOff();
    else client.end(Buffer.concat(tail));
    return undefined;
  }

  async #deliverBytes(
    reservation: Reservation,
    prepared: Prepared,
    response: UpstreamResponse,
  ): Promise<FailedTry | undefined> {
    const { client, request } = this.#call;
    const { used } = this.#foreseen;
    const job = { response, client, channel: prepared.channel, draws: request.kind.costs === 'images' };
    const { isStarted, failure, problemStatus, stoppedBy, isFree } = await deliverBytes(job);
    // Who reads an error may leave at once; the error was first.
    const endedBy = problemStatus === undefined ? stoppedBy : 'upstream';
    if (failure && !isStarted) {
      const isFault = stoppedBy === 'upstream' && failure.status !== 400;
      const paid = stoppedBy === 'client' && { used };
      const status = problemStatus ?? response.status;
      return { status, error: failure, isRetried: isFault, isChannelFault: isFault, endedBy, ...paid };
    }
    await this.#settle(reservation, prepared, isFree ? nothing : used, earlyEnd(failure, endedBy));
    if (!isStarted) client.start(200, { 'content-type': 'application/octet-stream' });
    endBytes(job, { stoppedBy, failure }, this.#call.requestId);
    return undefined;
  }

  async #deliverStream(
    reservation: Reservation,
    prepared: Prepared,
    response: UpstreamResponse,
    reader: StreamReader,
  ): Promise<FailedTry | undefined> {
    const { caller, client, request, requestId } = this.#call;
    const { channel } = prepared;
    const { length } = reader;
    const { prompt } = this.#foreseen.used;
    const price = this.#priceOn(channel);
    const meter = new StreamMeter({ reservation, price, caller, length, own: this.#own, prompt, limit: this.#limit });
    const delivery = await deliverStream({
      response,
      reader,
      channel,
      client,
      requestId,
      meter,
      dialect: request.kind.dialect,
      mayBeWhole: mayBeWhole(prepared.wire),
    });
    if ('begun' in delivery) {
      length.drop();
      return await this.#deliverWhole(reservation, prepared, response, delivery.begun);
    }
    const { isStarted, tail, failure, stoppedBy, toldOf, isUnpaid } = delivery;
    const told = readUsage(reader.usage, request);
    if (!failure) this.#outside.telling.ended(channel.id, told.completion !== undefined);
    if (failure && !isStarted) {
      length.drop();
      return unbegunTry({ ...delivery, failure }, reader, response.status, this.#foreseen.used);
    }
    const counted = await this.#own.ofStream({ told, length, toldOf });
    // What the quota did not cover was not delivered.
    const used = isUnpaid ? meter.affordable(counted) : counted;
    await this.#settle(reservation, prepared, used, earlyEnd(failure, stoppedBy));
    if (!isStarted) client.start(200, headOf(reader));
    client.end(tail);
    return undefined;
  }

  #settle(reservation: Reservation, prepared: Prepared | undefined, used: TokenCount, end: EarlyEnd | undefined) {
    const price = this.#priceOn(prepared?.channel ?? this.#route.channels[0]);
    const elapsedMs = Math.round(this.#ports.clock() - this.#startedAt);
    const outcome = outcomeOf(this.#call, { prepared, used, end, price, elapsedMs, attempts: this.#attempts });
    this.#isSettled = true;
    return this.#ports.settle(reservation, outcome);
  }
}
