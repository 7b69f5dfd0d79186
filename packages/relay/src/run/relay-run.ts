import { saidRestMs } from '@headgate/dialects';
import { cachingOf } from '../metering/caching-of.ts';
import type { UsageEstimate } from '../metering/estimated-usage.ts';
import { Holding } from '../metering/holding.ts';
import { OwnCount } from '../metering/own-count.ts';
import { estimateUsage, limitsItself } from '../metering/usage-estimate.ts';
import { usedAtFault } from '../metering/used-at-fault.ts';
import { whoEnded } from '../ports/client-gone.ts';
import { type EarlyEnd, earlyEnd } from '../ports/early-end.ts';
import type { Attempt, Caller, ChannelFailure, Ports, Route } from '../ports/ports.ts';
import type { RelayChannel, RelayKeys } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { isTooDeep, tooDeep } from '../ports/too-deep.ts';
import { FetchedImages } from '../prepare/fetched-images.ts';
import { type Prepared, type Preparing, prepare } from '../prepare/prepare-request.ts';
import { type Caching, type Price, priceOf, type SavedRatios } from '../quota/price.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import { chooseChannel } from '../routing/choose-channel.ts';
import { isKeyStatus, withFreeKey } from '../routing/choose-key.ts';
import { tryKeys } from '../routing/try-keys.ts';
import { UpstreamFailure, type UpstreamResponse } from '../upstream/upstream-exchange.ts';
import { AnswerDelivery } from './answer-delivery.ts';
import { keptAnswer, withoutOthers } from './earlier-answer.ts';
import { type FailedTry, failedTry, refusedTry } from './failed-try.ts';
import { admitWithin, expectedUse, withinChannelLimits, withRoom } from './limited-run.ts';
import { outcomeOf } from './outcome-of.ts';
import type { RelayCall } from './relay-call.ts';
import { sentOf, withHeaders } from './traced-request.ts';
import type { UpstreamServices } from './upstream-services.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** What an upstream says of who asks, or of what is asked for. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404]);

const noChannel = { type: 0 };

interface KnownPrice {
  readonly channel: RelayChannel | undefined;
  readonly ratios: SavedRatios;
  readonly price: Price;
}

type FailedWay = FailedTry & { readonly prepared: Prepared | undefined };

/** One request's life: hold, pick, send, deliver, settle. Settled once, whatever happens in between. */
export class RelayRun<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly #call: RelayCall<By>;
  readonly #route: Route;
  readonly #attempts: Attempt[] = [];
  readonly #startedAt: number;
  readonly #estimate: UsageEstimate;
  readonly #own: OwnCount;
  readonly #preparing: Preparing;
  /** Tokens that all answers may have by the request's own words. */
  readonly #limit: number | undefined;
  /** Looked for where it matters. */
  #caching: Caching | undefined;
  /** The price that was looked for last, and what for. */
  #price: KnownPrice | undefined;
  #isSettled = false;
  /** Delivery of the upstream that answers; undefined while none does. */
  #delivery: AnswerDelivery | undefined;
  /** The channel that was tried last; 0 while none was. */
  #lastTried = 0;

  constructor(ports: Ports<By>, services: UpstreamServices, call: RelayCall<By>, route: Route) {
    this.#ports = ports;
    this.#services = services;
    this.#call = call;
    this.#route = route;
    this.#startedAt = ports.clock();
    const { credentials, fetcher } = services;
    this.#preparing = { credentials, images: new FetchedImages(fetcher, call.memory) };
    this.#estimate = estimateUsage(call.request, route.channels, ports.assumptions());
    const { most, least, used } = this.#estimate;
    this.#limit = limitsItself(call.request) ? (least ?? most).completion : undefined;
    this.#own = new OwnCount(services, {
      request: call.request,
      prompt: used.prompt,
      limit: this.#limit,
      isEstimate: ports.estimatesTokens(),
    });
  }

  /** Ends when the client has its reply, whole or broken off; throws why it has none. */
  async run(): Promise<void> {
    const { request, caller } = this.#call;
    const holding = new Holding({
      request,
      caller,
      estimate: this.#estimate,
      own: this.#own,
      channels: this.#route.channels,
      priceOn: (channel) => this.#priceOn(channel),
    });
    const { limits } = this.#call;
    if (limits) await admitWithin(limits, this.#call, expectedUse(this.#estimate, holding));
    const reservation = holding.reserveAtOnce() ?? (await holding.reserveClosely());
    let last: FailedWay | undefined;
    try {
      const tried = new Set<number>();
      for (let left = this.#ports.retries(this.#call.caller); left >= 0; left -= 1) {
        const channel = this.#choose(tried);
        if (!channel) break;
        tried.add(channel.id);
        this.#lastTried = channel.id;
        last = await withinChannelLimits(this.#call.limits, channel.id, () =>
          channel.keys ? this.#tryKeys(channel, channel.keys, reservation) : this.#try(channel, reservation),
        );
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
    const used = this.#call.client.isStarted ? usedAtFault(this.#estimate, this.#delivery?.length) : noTokens;
    if (!this.#isSettled) await this.#settle(reservation, this.#delivery?.prepared, used, fault);
    const told = isTooDeep(error) ? tooDeep() : error;
    if (told instanceof RelayError) told.isRecorded = true;
    return told;
  }

  async #giveUp(reservation: Reservation, last: FailedWay | undefined): Promise<RelayError> {
    const failure =
      last?.error ?? this.#call.limits?.noRoom() ?? new RelayError(503, 'No channel is left to try', 'no_channel');
    const error = last?.isRetried ? withoutOthers(failure, this.#call.request) : failure;
    const used = last?.used && (await this.#own.ofPrompt(last.used));
    await this.#settle(
      reservation,
      used && last?.prepared,
      used ?? noTokens,
      earlyEnd(error, last?.endedBy, last?.status),
    );
    error.isRecorded = true;
    return error;
  }

  #priceOn(channel: RelayChannel | undefined): Price {
    const ratios = this.#ports.ratios();
    if (this.#price?.channel !== channel || this.#price?.ratios !== ratios)
      this.#price = { channel, ratios, price: this.#lookUpPrice(channel, ratios) };
    return this.#price.price;
  }

  #lookUpPrice(channel: RelayChannel | undefined, ratios: SavedRatios): Price {
    const { request } = this.#call;
    const price = priceOf(request.model, channel ?? noChannel, this.#route.group, ratios);
    if (!price.byCaching) return price;
    this.#caching ??= cachingOf(request);
    return price.byCaching[this.#caching];
  }

  /** The next channel; one that cools down only when nothing else is left. */
  #choose(tried: ReadonlySet<number>): RelayChannel | undefined {
    const { channels } = this.#route;
    const { cooldowns, keyRests } = this.#services;
    const now = this.#ports.clock();
    const free = withRoom(channels, this.#call.limits);
    const available = withFreeKey(cooldowns.available(free, now), keyRests, now);
    return chooseChannel(available, tried, this.#ports.roll()) ?? chooseChannel(free, tried, this.#ports.roll());
  }

  async #tryKeys(channel: RelayChannel, keys: RelayKeys, reservation: Reservation): Promise<FailedWay | undefined> {
    const failed = await tryKeys(keys, this.#services.keyRests, this.#ports.clock(), (key) =>
      this.#try(key.channel, reservation),
    );
    if (failed && isKeyStatus(failed.status)) this.#ports.channelFailed(channel, this.#failureOf(failed));
    return failed;
  }

  /** Undefined when the client has its reply, whole or broken off. */
  async #try(channel: RelayChannel, reservation: Reservation): Promise<FailedWay | undefined> {
    const began = this.#ports.clock();
    const { client, request } = this.#call;
    if (channel.keyId !== undefined) this.#ports.keyUsed(channel.keyId);
    let prepared: Prepared | undefined;
    let failed: FailedTry | undefined;
    let answered: number | undefined;
    const traced = this.#call.trace?.attempt(channel);
    let restMs = 0;
    try {
      if (this.#call.isHeavy) await this.#services.turns.next();
      const preparing = prepare(request, channel, this.#preparing);
      prepared = preparing instanceof Promise ? await preparing : preparing;
      client.ignored = [...(request.leftOut ?? []), ...prepared.ignored];
      const response = await this.#services.upstreams.open(
        withHeaders(prepared.request, traced?.headers),
        client.gone,
        channel,
      );
      answered = response.status;
      restMs = saidRestMs(response.headers, Date.now());
      failed = isSuccess(answered)
        ? await this.#deliver(reservation, prepared, response)
        : await refusedTry(prepared, response);
    } catch (error) {
      failed = this.#failedTry(error, channel, answered);
    }
    traced?.end({ status: failed?.status ?? answered ?? 0, error: failed?.error, sent: sentOf(prepared) });
    if (failed) this.#attempted({ ...failed, prepared }, channel, began);
    else this.#answered(channel, restMs);
    if (failed?.status === 401 && prepared) this.#services.credentials.forget(prepared.view);
    return failed && { ...failed, prepared };
  }

  /** `restMs`: for how long it wants to be left alone, by its own word. */
  #answered({ id, keyId }: RelayChannel, restMs: number): void {
    this.#services.cooldowns.succeeded(id);
    if (keyId !== undefined) this.#services.keyRests.succeeded(keyId);
    if (restMs === 0) return;
    const [rests, resting] = keyId === undefined ? [this.#services.cooldowns, id] : [this.#services.keyRests, keyId];
    rests.usedUp(resting, this.#ports.clock(), restMs);
  }

  #attempted(failed: FailedWay, channel: RelayChannel, began: number): void {
    const { status, error } = failed;
    if (error.code === 'client_left' || error.code === 'server_shutting_down') return;
    const now = this.#ports.clock();
    const ms = Math.round(now - began);
    const start = Math.round(began - this.#startedAt);
    const { id, keyId } = channel;
    this.#attempts.push({ channel: id, ...(keyId && { key: keyId }), status, reason: error.message, start, ms });
    if (!failed.isChannelFault) return;
    const failure = this.#failureOf(failed);
    const isOfKey = keyId !== undefined && isKeyStatus(status);
    const [rests, resting] = isOfKey ? [this.#services.keyRests, keyId] : [this.#services.cooldowns, id];
    if (!failure.mayBeTheClients) rests.failed(resting, now, (error.retryAfter ?? 0) * 1000);
    if (isOfKey) this.#ports.keyFailed(channel, failure);
    else this.#ports.channelFailed(channel, failure);
  }

  #failureOf({ status, error, prepared }: FailedWay): ChannelFailure {
    const hasClientHeaders = prepared !== undefined && Object.keys(prepared.view.clientHeaders).length > 0;
    // What is forbidden with a header of the client's may be allowed to everybody else.
    const mayBeTheClients = hasClientHeaders && refusals.has(status);
    return { status, error, model: this.#call.request.model, hasClientHeaders, mayBeTheClients };
  }

  /** `answered` is the status of the head that came; undefined when none did. */
  #failedTry(error: unknown, channel: RelayChannel, answered: number | undefined): FailedTry {
    const hasLeft = error instanceof UpstreamFailure && this.#call.client.gone.aborted;
    if (!hasLeft) return failedTry(error, channel);
    const { by, failure } = whoEnded(this.#call.client.gone);
    const isBegun = answered === undefined ? error.hadRequest : isSuccess(answered);
    // Who is sent away by us has got nothing.
    const used = by === 'client' && isBegun && { used: this.#estimate.used };
    return { status: 0, error: failure, isRetried: false, isChannelFault: false, endedBy: by, ...used };
  }

  #deliver(reservation: Reservation, prepared: Prepared, response: UpstreamResponse): Promise<FailedTry | undefined> {
    const delivery = new AnswerDelivery({
      call: this.#call,
      services: this.#services,
      estimate: this.#estimate,
      own: this.#own,
      limit: this.#limit,
      price: () => this.#priceOn(prepared.channel),
      reservation,
      prepared,
      response,
      settle: (used, end) => this.#settle(reservation, prepared, used, end),
    });
    this.#delivery = delivery;
    return delivery.run();
  }

  /** What is settled before its head is made comes in one piece, or not at all. */
  get #firstByteMs(): number {
    const { startedAt } = this.#call.client;
    return startedAt === undefined ? 0 : Math.max(1, Math.round(startedAt - this.#startedAt));
  }

  #settle(reservation: Reservation, prepared: Prepared | undefined, used: TokenCount, end: EarlyEnd | undefined) {
    const price = this.#priceOn(prepared?.channel ?? this.#route.channels[0]);
    const elapsedMs = Math.round(this.#ports.clock() - this.#startedAt);
    const answered = { prepared, used, keptAs: this.#delivery?.keptAs, attachedTokens: this.#estimate.attachedTokens };
    const kept = keptAnswer(this.#call.request, answered);
    const outcome = outcomeOf(this.#call, {
      prepared,
      used,
      end,
      price,
      elapsedMs,
      firstByteMs: this.#firstByteMs,
      group: this.#route.group,
      kept,
      attempts: this.#attempts,
      lastTried: this.#lastTried,
      pointsPerDollar: this.#ports.ratios().QuotaPerUnit,
    });
    this.#isSettled = true;
    this.#call.trace?.settled(outcome);
    this.#call.limits?.used(used.prompt + used.completion);
    return this.#ports.settle(reservation, outcome);
  }
}
