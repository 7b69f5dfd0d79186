import type { Caller, Ports, Route } from '../ports/ports.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { RetryBudget } from '../routing/retry-budget.ts';
import { AttemptReports, type FailedChannelAttempt } from './attempt-reports.ts';
import { ChannelRequests } from './channel-requests.ts';
import { ModelAttempts, type RunContext } from './model-attempts.ts';
import type { ModelChain } from './model-chain.ts';
import { ModelTerms } from './model-terms.ts';
import { admitWithinLimits, expectedUsage, nextModelTerms } from './next-model.ts';
import type { RelayCall } from './relay-call.ts';
import { RunSettlement } from './run-settlement.ts';
import type { UpstreamServices } from './upstream-services.ts';

/**
 * One relayed request: reserve, route, attempt, deliver, settle. It is settled exactly once, whatever fails in
 * between.
 */
export class RelayRun<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly #call: RelayCall<By>;
  readonly #chain: ModelChain;
  readonly #context: RunContext<By>;
  readonly #settlement: RunSettlement<By>;
  /** Terms of the model that is being tried. */
  #terms: ModelTerms<By>;
  /** The request's share of the limits of each attempted model. */
  readonly #limits: RequestLimits[] = [];
  /** Undefined without retries. */
  #retryBudget: RetryBudget | undefined;
  #last: FailedChannelAttempt | undefined;

  constructor(
    ports: Ports<By>,
    services: UpstreamServices,
    call: RelayCall<By>,
    { route, chain }: { readonly route: Route; readonly chain: ModelChain },
  ) {
    const startedAt = ports.clock();
    const first = new ModelTerms(ports, services, call, route);
    const requests = new ChannelRequests(ports, services, call);
    const reports = new AttemptReports(ports, services, { model: chain.requested, startedAt });
    const settlement = new RunSettlement(ports, { call, first, requestedModel: chain.requested, startedAt }, reports);
    this.#ports = ports;
    this.#services = services;
    this.#call = call;
    this.#chain = chain;
    this.#settlement = settlement;
    this.#terms = first;
    if (call.limits) this.#limits.push(call.limits);
    this.#context = {
      ports,
      services,
      requests,
      reports,
      settlement,
      isChained: chain.fallbacks.length > 0 || chain.requested !== first.request.model,
      mayAttempt: () => this.#mayAttempt(),
    };
  }

  /** Resolves when the client has its response, complete or aborted. Throws when there is no response. */
  async run(): Promise<void> {
    const reservation = await this.#reserve();
    try {
      if (await this.#attemptModels(reservation)) return;
    } catch (error) {
      throw await this.#settlement.settleFault(reservation, this.#terms, error);
    }
    throw await this.#settlement.settleFailure(reservation, this.#terms, this.#last);
  }

  /** Must be called however the request ends. */
  endLimits(): void {
    for (const limits of this.#limits) limits.end();
  }

  /** Reserves quota within the caller's limits. */
  async #reserve(): Promise<Reservation> {
    const { requestReservation, estimate, call } = this.#terms;
    const { limits } = call;
    if (limits) await admitWithinLimits(limits, call, expectedUsage(estimate, requestReservation));
    const reservation = requestReservation.reserveAtOnce() ?? (await requestReservation.reserveClosely());
    if (limits) reservation.limitTo(limits.maxPoints);
    return reservation;
  }

  /** Tries the first model, then the fallback models. Returns true when the client has its response. */
  async #attemptModels(reservation: Reservation): Promise<boolean> {
    const retries = this.#ports.retries(this.#call.caller);
    const { route, request } = this.#terms;
    if (retries > 0 || route.rule) this.#retryBudget = this.#services.retryBudgets.of(request.model);
    this.#retryBudget?.began(this.#ports.clock());
    if (await this.#attemptModel(reservation, retries)) return true;
    for (const model of this.#chain.fallbacks) {
      if (this.#last && !this.#last.isRetryable) return false;
      if (!(await this.#routeTo(model, reservation))) continue;
      if (await this.#attemptModel(reservation, retries)) return true;
    }
    return false;
  }

  async #attemptModel(reservation: Reservation, retries: number): Promise<boolean> {
    const choosing = this.#terms.choice(this.#call.caller.userId);
    const choice = choosing instanceof Promise ? await choosing : choosing;
    const attempts = new ModelAttempts(this.#context, this.#terms, reservation, choice);
    const isDelivered = await attempts.run(retries);
    this.#last = attempts.last ?? this.#last;
    return isDelivered;
  }

  /** Routes the request to another model. Returns false when the model has no channels or the balance is too low. */
  async #routeTo(model: string, reservation: Reservation): Promise<boolean> {
    if (this.#settlement.isRetryBudgetSpent) return false;
    const run = { ports: this.#ports, services: this.#services, call: this.#call };
    const terms = await nextModelTerms(run, model, { reservation, earlier: this.#limits.at(-1) });
    if (!terms) return false;
    if (terms.call.limits) this.#limits.push(terms.call.limits);
    this.#terms = terms;
    return true;
  }

<<<<<<< HEAD
  /** The first attempt is always allowed, others within the retry budget. */
  #mayAttempt(): boolean {
    if (this.#context.requests.count === 0 || !this.#retryBudget) return true;
    const mayRetry = this.#retryBudget.take(this.#ports.clock(), this.#ports.retryShare());
    this.#settlement.isRetryBudgetSpent = !mayRetry;
    return mayRetry;
=======
  /** Limits of the model that is being tried. */
  get #limits(): RequestLimits | undefined {
    return this.#terms.call.limits;
  }

  #attemptChannel(channel: RelayChannel, attempts: Attempts): Promise<FailedChannelAttempt | undefined> {
    return channel.keys ? this.#attemptKeys(channel, channel.keys, attempts) : this.#attempt(channel, attempts);
  }

  async #attemptKeys(
    channel: RelayChannel,
    keys: RelayKeys,
    attempts: Attempts,
  ): Promise<FailedChannelAttempt | undefined> {
    const given = { keys, rests: this.#services.keyRests, choice: attempts.choice, now: this.#ports.clock() };
    const failed = await attemptEachKey(given, (key) => this.#attempt(key.channel, attempts));
    if (failed && isKeyStatus(failed.status))
      this.#ports.channelFailed(channel, this.#reports.failureOf(failed, this.#terms));
    return failed;
  }

  /** Undefined when the client has its response, complete or aborted. */
  async #attempt(channel: RelayChannel, attempts: Attempts): Promise<FailedChannelAttempt | undefined> {
    if (this.#terms.route.rule?.hedgeMs) return this.#attemptHedged(channel, attempts);
    return this.#underLoad(channel, async () =>
      this.#finishAttempt(await this.#asking.ask(channel, this.#terms), attempts.reservation),
    );
  }

  async #attemptHedged(channel: RelayChannel, attempts: Attempts): Promise<FailedChannelAttempt | undefined> {
    const { last, failed, lost } = await hedge({
      first: this.#asking.askPending(channel, this.#terms),
      afterMs: this.#terms.route.rule?.hedgeMs ?? 0,
      second: () => this.#hedgeWith(attempts),
      isSuccessful: isSuccessfulAttempt,
    });
    if (failed) await this.#finishAttempt(failed, attempts.reservation);
    if (lost) this.#reportLost(lost);
    return this.#underLoad(last.channel, () => this.#finishAttempt(last, attempts.reservation));
  }

  /** Counts the request as in-flight on the channel while it runs. */
  async #underLoad<T>({ id }: RelayChannel, work: () => Promise<T>): Promise<T> {
    this.#services.loads.begun(id);
    try {
      return await work();
    } finally {
      this.#services.loads.ended(id);
    }
  }

  #reportLost(lost: PendingChannel): void {
    this.#reports.lost(lost, this.#terms);
    const end = ({ traced, prepared }: AttemptedChannel) =>
      traced?.end({ status: 0, error: undefined, sent: sentRequestOf(prepared) });
    // The result of the canceled attempt is not used.
    lost.requested.then(end, () => undefined);
  }

  /**
   * Starts a hedged attempt on another channel; undefined when there is no channel or no further attempt is allowed.
   */
  #hedgeWith({ choice, tried }: Attempts): PendingChannel | undefined {
    // Channel limits count the first attempt only.
    if (this.#limits) return undefined;
    const other = choice.next(tried);
    if (!other || !this.#mayAttempt()) return undefined;
    tried.add(other.id);
    const key = other.keys && choice.key(other.keys, () => true);
    return this.#asking.askPending(key?.channel ?? other, this.#terms);
  }

  /** Handles a response whose headers have arrived. */
  async #receive(attempted: AttemptedChannel, reply: UpstreamResponse, reserved: Reservation): Promise<MaybeFailed> {
    const { channel, prepared } = attempted;
    if (!prepared) return undefined;
    try {
      return await (isSuccess(reply.status)
        ? this.#deliver(reserved, prepared, reply)
        : rejectedAttempt(prepared, reply));
    } catch (error) {
      return this.#asking.failedTry(error, channel, this.#terms, reply.status);
    }
  }

  /** Undefined when the client has its response, complete or aborted. */
  async #finishAttempt(
    requested: AttemptedChannel,
    reservation: Reservation,
  ): Promise<FailedChannelAttempt | undefined> {
    const { prepared, answer } = requested;
    this.#lastBegan = requested.began;
    const failed = isUpstreamResponse(answer) ? await this.#receive(requested, answer, reservation) : answer;
    const status = failed?.status ?? (isUpstreamResponse(answer) ? answer.status : 0);
    requested.traced?.end({ status, error: failed?.error, sent: sentRequestOf(prepared) });
    if (failed) this.#reports.failed({ ...failed, prepared }, requested, this.#terms);
    else this.#reports.answered(requested, this.#terms, this.#call.client.startedAt);
    if (failed?.status === 401 && prepared) this.#services.credentials.forget(prepared.view);
    return failed && { ...failed, prepared };
  }

  #deliver(reservation: Reservation, prepared: PreparedRequest, response: UpstreamResponse): Promise<MaybeFailed> {
    const terms = this.#terms;
    const { client } = this.#call;
    const { call, estimate, own, limit } = terms;
    client.ignored = [...(call.request.dropped ?? []), ...prepared.ignored];
    if (this.#isChained) client.servedModel = call.request.model;
    const delivery = new ResponseDelivery({
      call,
      services: this.#services,
      estimate,
      own,
      limit,
      price: () => terms.priceOn(prepared.channel),
      reservation,
      prepared,
      response,
      ports: this.#ports,
      settle: (used, end) => this.#settle(reservation, prepared, used, end),
      store: (reply) => storeResponse(this.#ports, call, prepared, reply),
    });
    this.#delivery = delivery;
    return delivery.run();
  }

  /** Whether a fallback model may serve the request. */
  get #isChained(): boolean {
    const { requested, fallbacks } = this.#chain;
    return fallbacks.length > 0 || requested !== this.#first.request.model;
  }

  /** 0 when the response was settled before its headers were sent. */
  get #firstByteMs(): number {
    const { startedAt } = this.#call.client;
    return startedAt === undefined ? 0 : Math.max(1, Math.round(startedAt - this.#startedAt));
  }

  /** Settles after an internal error: releases the reservation and charges the delivered part. */
  async #settleFault(reservation: Reservation, error: unknown): Promise<unknown> {
    const fault = earlyEnd(new RelayError(500, 'Internal error'), 'server');
    const { estimate } = this.#terms;
    const used = this.#call.client.isStarted ? usageAfterError(estimate, this.#delivery?.length) : noTokens;
    if (!this.#isSettled) await this.#settle(reservation, this.#delivery?.prepared, used, fault);
    const clientError = isTooDeepError(error) ? tooDeepError() : error;
    if (clientError instanceof RelayError) clientError.isRecorded = true;
    return clientError;
  }

  async #settleFailure(reservation: Reservation, last: FailedChannelAttempt | undefined): Promise<RelayError> {
    const failure = last?.error ?? this.#limits?.noRoom() ?? channelsDownError('No channel left to try');
    const error = last?.isRetryable ? withNoRetryReason(failure, this.#call.request) : failure;
    const used = last?.used && (await this.#terms.own.ofPrompt(last.used));
    // A request that no channel served is logged with the requested model.
    if (!used) this.#terms = this.#first;
    const end = earlyEnd(error, last?.endedBy, last?.status);
    await this.#settle(reservation, used && last?.prepared, used ?? noTokens, end);
    error.isRecorded = true;
    return error;
  }

  #settle(reservation: Reservation, prepared: PreparedRequest | undefined, used: TokenCount, end?: EarlyEnd) {
    const { call, route, estimate } = this.#terms;
    const price = this.#terms.priceOn(prepared?.channel ?? route.channels[0]);
    const elapsedMs = Math.round(this.#ports.clock() - this.#startedAt);
    const answered = { prepared, used, keptAs: this.#delivery?.keptAs, attachedTokens: estimate.attachedTokens };
    const kept = storedResponseOf(call.request, answered);
    const outcome = outcomeOf(call, {
      prepared,
      used,
      end,
      price,
      elapsedMs,
      firstByteMs: this.#firstByteMs,
      group: route.group,
      requested: this.#chain.requested,
      kept,
      ...{ attempts: this.#reports.attempts, hedges: this.#reports.hedges },
      isBudgetSpent: this.#isRetryBudgetSpent,
      ...{ lastTried: this.#lastTried, limits: this.#limits?.counted },
      lastStart: Math.round(this.#lastBegan - this.#startedAt),
      pointsPerDollar: this.#ports.ratios().QuotaPerUnit,
    });
    this.#isSettled = true;
    this.#call.trace?.settled(outcome);
    this.#limits?.reportUsage(used.prompt + used.completion);
    return this.#ports.settle(reservation, outcome);
>>>>>>> main
  }
}
