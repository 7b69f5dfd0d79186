import type { Caller, Ports } from '../ports/ports.ts';
import type { RelayChannel, RelayKey, RelayKeys } from '../ports/relay-channel.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { ChannelChoice } from '../routing/channel-choice.ts';
import { isKeyErrorStatus } from '../routing/choose-key.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';
import type { AttemptReports, FailedChannelAttempt } from './attempt-reports.ts';
import {
  type AttemptedChannel,
  type ChannelRequests,
  isSuccess,
  isSuccessfulAttempt,
  isUpstreamResponse,
  type PendingChannel,
} from './channel-requests.ts';
import { type FailedAttempt, rejectedAttempt } from './failed-attempt.ts';
import { hedge } from './hedge.ts';
import type { ModelConditions } from './model-conditions.ts';
import { withinChannelLimits } from './next-model.ts';
import { ResponseDelivery } from './response-delivery.ts';
import type { RunSettlement } from './run-settlement.ts';
import { storeResponse } from './stored-context.ts';
import { sentRequestOf } from './traced-request.ts';
import type { UpstreamServices } from './upstream-services.ts';

/** State shared by the attempts of all models of a request. */
export interface RequestContext<By extends Caller> {
  readonly ports: Ports<By>;
  readonly services: UpstreamServices;
  readonly requests: ChannelRequests<By>;
  readonly reports: AttemptReports<By>;
  readonly settlement: RunSettlement<By>;
  /** True if a fallback model may serve the request. */
  readonly isChained: boolean;
  /** Takes an attempt from the retry budget; false if it is used up. */
  mayAttempt(): boolean;
}

type Failed = FailedChannelAttempt | undefined;

/** Maximum number of keys of one channel that a request tries. */
const maxKeysTried = 5;

/**
 * Attempts to serve a request with one model: channel by channel, and key by key on each channel, until a response is
 * delivered. Methods that attempt return undefined if the client has its response, complete or aborted.
 */
export class ModelAttempts<By extends Caller> {
  readonly #run: RequestContext<By>;
  readonly #terms: ModelConditions<By>;
  readonly #reservation: Reservation;
  readonly #choice: ChannelChoice;
  readonly #tried = new Set<number>();
  /** The last failure; undefined before the first attempt. */
  last: Failed;

  constructor(run: RequestContext<By>, terms: ModelConditions<By>, reservation: Reservation, choice: ChannelChoice) {
    this.#run = run;
    this.#terms = terms;
    this.#reservation = reservation;
    this.#choice = choice;
  }

  /** Tries channels in turn. Returns true if the client has its response, complete or aborted. */
  async run(retries: number): Promise<boolean> {
    const { limits } = this.#terms.call;
    for (let left = retries; left >= 0; left -= 1) {
      const channel = this.#nextChannel();
      if (!channel) return false;
      this.#run.settlement.lastChannel = channel.id;
      this.last = await (limits?.hasChannelLimits
        ? withinChannelLimits(limits, channel.id, () => this.#attemptChannel(channel))
        : this.#attemptChannel(channel));
      if (!this.last) return true;
      if (!this.last.isRetryable) return false;
    }
    return false;
  }

  #nextChannel(): RelayChannel | undefined {
    const channel = this.#choice.next(this.#tried);
    if (!channel || !this.#run.mayAttempt()) return undefined;
    this.#tried.add(channel.id);
    return channel;
  }

  #attemptChannel(channel: RelayChannel): Promise<Failed> {
    return channel.keys ? this.#attemptKeys(channel, channel.keys) : this.#attempt(channel);
  }

  /**
   * Tries the keys of a channel in turn while the upstream rejects the key. This does not count as a retry, because one
   * rejected key does not mean that the channel fails. After the first attempt, keys that are cooling down are skipped,
   * to avoid sending more requests to a provider that limits their rate.
   */
  async #attemptKeys(channel: RelayChannel, keys: RelayKeys): Promise<Failed> {
    const { ports, services, reports } = this.#run;
    const now = ports.clock();
    const tried = new Set<number>();
    const isFree = ({ id }: RelayKey) => !tried.has(id) && !services.keyCooldowns.isCooling(id, now);
    let key = this.#choice.key(keys, isFree) ?? this.#choice.key(keys, () => true);
    let failed: Failed;
    while (key) {
      failed = await this.#attemptKey(key);
      if (!failed || !isKeyErrorStatus(failed.status)) return failed;
      tried.add(key.id);
      key = tried.size < maxKeysTried ? this.#choice.key(keys, isFree) : undefined;
    }
    if (failed) ports.channelFailed(channel, reports.failureOf(failed, this.#terms));
    return failed;
  }

  async #attemptKey({ channel, load }: RelayKey): Promise<Failed> {
    load.inFlight += 1;
    load.begun += 1;
    try {
      return await this.#attempt(channel);
    } finally {
      load.inFlight -= 1;
    }
  }

  async #attempt(channel: RelayChannel): Promise<Failed> {
    const { hedgeMs = 0 } = this.#terms.route.rule ?? {};
    if (hedgeMs > 0) return this.#attemptHedged(channel, hedgeMs);
    return this.#whileInFlight(channel, async () =>
      this.#finishAttempt(await this.#run.requests.send(channel, this.#terms)),
    );
  }

  async #attemptHedged(channel: RelayChannel, afterMs: number): Promise<Failed> {
    const { last, failed, lost } = await hedge({
      first: this.#run.requests.sendPending(channel, this.#terms),
      afterMs,
      second: () => this.#hedgedRequest(),
      isSuccessful: isSuccessfulAttempt,
    });
    if (failed) await this.#finishAttempt(failed);
    if (lost) this.#reportCanceled(lost);
    return this.#whileInFlight(last.channel, () => this.#finishAttempt(last));
  }

  /** Starts an attempt on another channel; undefined if there is none or no further attempt is allowed. */
  #hedgedRequest(): PendingChannel | undefined {
    // The channel's limits count only the first attempt.
    if (this.#terms.call.limits) return undefined;
    const other = this.#nextChannel();
    const key = other?.keys && this.#choice.key(other.keys, () => true);
    return other && this.#run.requests.sendPending(key?.channel ?? other, this.#terms);
  }

  #reportCanceled(canceled: PendingChannel): void {
    this.#run.reports.canceled(canceled, this.#terms);
    const end = ({ traced, prepared }: AttemptedChannel) =>
      traced?.end({ status: 0, error: undefined, sent: sentRequestOf(prepared) });
    // The result of the canceled attempt is not used.
    canceled.attempted.then(end, () => undefined);
  }

  /** Counts the request as in-flight on the channel while it runs. */
  async #whileInFlight<T>({ id }: RelayChannel, work: () => Promise<T>): Promise<T> {
    const { loads } = this.#run.services;
    loads.begun(id);
    try {
      return await work();
    } finally {
      loads.ended(id);
    }
  }

  /** Delivers the response of an attempt, and reports how it ended. */
  async #finishAttempt(attempted: AttemptedChannel): Promise<Failed> {
    const { settlement, reports, services } = this.#run;
    const { prepared, result, traced } = attempted;
    const { client } = this.#terms.call;
    settlement.lastAttemptAt = attempted.startedAt;
    const failed = isUpstreamResponse(result) ? await this.#receive(attempted, result) : result;
    const status = failed?.status ?? (isUpstreamResponse(result) ? result.status : 0);
    traced?.end({ status, error: failed?.error, sent: sentRequestOf(prepared) });
    if (!failed) {
      reports.succeeded(attempted, this.#terms, client.startedAt);
      return undefined;
    }
    const failedAttempt = { ...failed, prepared };
    reports.failed(failedAttempt, attempted, this.#terms);
    if (failed.status === 401 && prepared) services.credentials.forget(prepared.view);
    return failedAttempt;
  }

  /** Handles a response whose headers have arrived. */
  async #receive(attempted: AttemptedChannel, response: UpstreamResponse): Promise<FailedAttempt | undefined> {
    const { channel, prepared } = attempted;
    if (!prepared) return undefined;
    try {
      if (!isSuccess(response.status)) return await rejectedAttempt(prepared, response);
      const delivery = this.#delivery({ prepared, response });
      this.#run.settlement.delivery = delivery;
      return await delivery.run();
    } catch (error) {
      return this.#run.requests.failedAttempt(error, channel, this.#terms, response.status);
    }
  }

  #delivery({ prepared, response }: Pick<ConstructorParameters<typeof ResponseDelivery>[0], 'prepared' | 'response'>) {
    const { ports, services, settlement, isChained } = this.#run;
    const terms = this.#terms;
    const { call, estimate, counter, limit } = terms;
    const { client, request } = call;
    client.ignored = [...(request.dropped ?? []), ...prepared.ignored];
    if (isChained) client.servedModel = request.model;
    return new ResponseDelivery({
      call,
      services,
      estimate,
      counter,
      limit,
      price: () => terms.priceOn(prepared.channel),
      reservation: this.#reservation,
      prepared,
      response,
      ports,
      settle: (used, end) => settlement.settle(this.#reservation, { terms, prepared, used, end }),
      store: (respond) => storeResponse(ports, call, prepared, respond),
    });
  }
}
