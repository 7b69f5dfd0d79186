import { usedAtFault } from '../metering/used-at-fault.ts';
import { type EarlyEnd, earlyEnd } from '../ports/early-end.ts';
import type { Caller, Ports, Route } from '../ports/ports.ts';
import type { RelayChannel, RelayKeys } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import { isTooDeep, tooDeep } from '../ports/too-deep.ts';
import type { Prepared } from '../prepare/prepare-request.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { ChannelChoice } from '../routing/channel-choice.ts';
import { isKeyStatus } from '../routing/choose-key.ts';
import type { RetryBudget } from '../routing/retry-budget.ts';
import { tryKeys } from '../routing/try-keys.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';
import { AnswerDelivery } from './answer-delivery.ts';
import {
  type AskedChannel,
  ChannelAsking,
  isAnswer,
  isGood,
  isSuccess,
  type PendingChannel,
} from './channel-asking.ts';
import { keptAnswer, withoutOthers } from './earlier-answer.ts';
import { type FailedTry, refusedTry } from './failed-try.ts';
import { hedge } from './hedge.ts';
import { admitWithin, expectedUse, withinChannelLimits } from './limited-run.ts';
import type { ModelChain } from './model-chain.ts';
import { ModelTerms } from './model-terms.ts';
import { termsOfNext } from './next-model.ts';
import { outcomeOf } from './outcome-of.ts';
import type { RelayCall } from './relay-call.ts';
import { channelsDown } from './require-route.ts';
import { storeAnswer } from './stored-context.ts';
import { sentOf } from './traced-request.ts';
import { type FailedWay, TryReports } from './try-reports.ts';
import type { UpstreamServices } from './upstream-services.ts';

/** What the tries of one model share. */
interface Way {
  readonly reservation: Reservation;
  readonly choice: ChannelChoice;
  readonly tried: Set<number>;
}

/** One request's life: hold, pick, send, deliver, settle. Settled once, whatever happens in between. */
export class RelayRun<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly #call: RelayCall<By>;
  readonly #chain: ModelChain;
  readonly #asking: ChannelAsking<By>;
  readonly #reports: TryReports<By>;
  readonly #startedAt: number;
  readonly #first: ModelTerms<By>;
  /** Of the model that is asked for now. */
  #terms: ModelTerms<By>;
  /** The parts in the limits of each model that was asked for. */
  readonly #parts: RequestLimits[] = [];
  /** Undefined where nothing is ever tried twice. */
  #budget: RetryBudget | undefined;
  #isBudgetSpent = false;
  #isSettled = false;
  /** Delivery of the upstream that answers; undefined while none does. */
  #delivery: AnswerDelivery | undefined;
  #last: FailedWay | undefined;
  /** The channel that was tried last; 0 while none was. */
  #lastTried = 0;

  constructor(
    ports: Ports<By>,
    services: UpstreamServices,
    call: RelayCall<By>,
    { route, chain }: { readonly route: Route; readonly chain: ModelChain },
  ) {
    this.#ports = ports;
    this.#services = services;
    this.#call = call;
    this.#chain = chain;
    this.#startedAt = ports.clock();
    this.#asking = new ChannelAsking(ports, services, call);
    this.#reports = new TryReports(ports, services, { model: chain.asked, startedAt: this.#startedAt });
    this.#first = new ModelTerms(ports, services, call, route);
    this.#terms = this.#first;
    if (call.limits) this.#parts.push(call.limits);
  }

  /** However it ended. */
  endLimits(): void {
    for (const part of this.#parts) part.end();
  }

  /** Ends when the client has its reply, whole or broken off; throws why it has none. */
  async run(): Promise<void> {
    const { holding, route } = this.#first;
    const { limits } = this.#call;
    const admitting = limits && admitWithin(limits, this.#call, expectedUse(this.#first.estimate, holding));
    if (admitting instanceof Promise) await admitting;
    const reservation = holding.reserveAtOnce() ?? (await holding.reserveClosely());
    if (limits) reservation.limitTo(limits.mostPoints);
    const retries = this.#ports.retries(this.#call.caller);
    if (retries > 0 || route.rule) this.#openBudget();
    try {
      if (await this.#isServed(reservation, retries)) return;
      if (await this.#isServedByAnother(reservation, retries)) return;
    } catch (error) {
      throw await this.#brokeDown(reservation, error);
    }
    throw await this.#giveUp(reservation, this.#last);
  }

  /** Whether one of the channels of the model has served: then the client has its reply, whole or broken off. */
  async #isServed(reservation: Reservation, retries: number): Promise<boolean> {
    const choosing = this.#terms.choice(this.#call.caller.userId);
    const choice = choosing instanceof Promise ? await choosing : choosing;
    const tried = new Set<number>();
    for (let left = retries; left >= 0; left -= 1) {
      const channel = choice.next(tried);
      if (!channel || !this.#mayAsk()) return false;
      tried.add(channel.id);
      this.#lastTried = channel.id;
      const way = { reservation, choice, tried };
      this.#last = await (this.#limits?.isOfChannels
        ? withinChannelLimits(this.#limits, channel.id, () => this.#tryOn(channel, way))
        : this.#tryOn(channel, way));
      if (!this.#last) return true;
      if (!this.#last.isRetried) return false;
    }
    return false;
  }

  /** Whether one of the models has served that may do so in the first one's place. */
  async #isServedByAnother(reservation: Reservation, retries: number): Promise<boolean> {
    for (const model of this.#chain.fallbacks) {
      if (this.#last && !this.#last.isRetried) return false;
      if (!(await this.#goOnWith(model, reservation))) continue;
      if (await this.#isServed(reservation, retries)) return true;
    }
    return false;
  }

  #openBudget(): void {
    this.#budget = this.#services.retryBudgets.of(this.#first.request.model);
    this.#budget.began(this.#ports.clock());
  }

  /** Whether an upstream may be asked: the first always, others while retries are few. */
  #mayAsk(): boolean {
    if (this.#asking.count === 0 || !this.#budget) return true;
    this.#isBudgetSpent = !this.#budget.take(this.#ports.clock(), this.#ports.retryShare());
    return !this.#isBudgetSpent;
  }

  /** Whether the request can be served by this model in place of the one before: it has channels, and can be paid. */
  async #goOnWith(model: string, reservation: Reservation): Promise<boolean> {
    if (this.#isBudgetSpent) return false;
    const asking = { ports: this.#ports, services: this.#services, call: this.#call };
    const terms = await termsOfNext(asking, model, { reservation, earlier: this.#parts.at(-1) });
    if (!terms) return false;
    if (terms.call.limits) this.#parts.push(terms.call.limits);
    this.#terms = terms;
    return true;
  }

  /** Of the model that is asked for now. */
  get #limits(): RequestLimits | undefined {
    return this.#terms.call.limits;
  }

  /** A fault of our own: what was held must not stay held, and what was delivered is paid. */
  async #brokeDown(reservation: Reservation, error: unknown): Promise<unknown> {
    const fault = earlyEnd(new RelayError(500, 'Internal error'), 'server');
    const { estimate } = this.#terms;
    const used = this.#call.client.isStarted ? usedAtFault(estimate, this.#delivery?.length) : noTokens;
    if (!this.#isSettled) await this.#settle(reservation, this.#delivery?.prepared, used, fault);
    const told = isTooDeep(error) ? tooDeep() : error;
    if (told instanceof RelayError) told.isRecorded = true;
    return told;
  }

  async #giveUp(reservation: Reservation, last: FailedWay | undefined): Promise<RelayError> {
    const failure = last?.error ?? this.#limits?.noRoom() ?? channelsDown('No channel is left to try');
    const error = last?.isRetried ? withoutOthers(failure, this.#call.request) : failure;
    const used = last?.used && (await this.#terms.own.ofPrompt(last.used));
    // What nobody served is written down as it was asked for.
    if (!used) this.#terms = this.#first;
    await this.#settle(
      reservation,
      used && last?.prepared,
      used ?? noTokens,
      earlyEnd(error, last?.endedBy, last?.status),
    );
    error.isRecorded = true;
    return error;
  }

  #tryOn(channel: RelayChannel, way: Way): Promise<FailedWay | undefined> {
    return channel.keys ? this.#tryKeys(channel, channel.keys, way) : this.#try(channel, way);
  }

  async #tryKeys(channel: RelayChannel, keys: RelayKeys, way: Way): Promise<FailedWay | undefined> {
    const given = { keys, rests: this.#services.keyRests, choice: way.choice, now: this.#ports.clock() };
    const failed = await tryKeys(given, (key) => this.#try(key.channel, way));
    if (failed && isKeyStatus(failed.status))
      this.#ports.channelFailed(channel, this.#reports.failureOf(failed, this.#terms));
    return failed;
  }

  /** Undefined when the client has its reply, whole or broken off. */
  async #try(channel: RelayChannel, way: Way): Promise<FailedWay | undefined> {
    if (this.#terms.route.rule?.hedgeMs) return this.#tryHedged(channel, way);
    const { loads } = this.#services;
    loads.begun(channel.id);
    try {
      return await this.#conclude(await this.#asking.ask(channel, this.#terms), way.reservation);
    } finally {
      loads.ended(channel.id);
    }
  }

  async #tryHedged(channel: RelayChannel, way: Way): Promise<FailedWay | undefined> {
    const { last, failed, lost } = await hedge({
      first: this.#asking.askPending(channel, this.#terms),
      afterMs: this.#terms.route.rule?.hedgeMs ?? 0,
      second: () => this.#second(way),
      isGood,
    });
    if (failed) await this.#conclude(failed, way.reservation);
    if (lost) this.#lost(lost);
    const { loads } = this.#services;
    loads.begun(last.channel.id);
    try {
      return await this.#conclude(last, way.reservation);
    } finally {
      loads.ended(last.channel.id);
    }
  }

  #lost(lost: PendingChannel): void {
    this.#reports.lost(lost, this.#terms);
    const end = ({ traced, prepared }: AskedChannel) =>
      traced?.end({ status: 0, error: undefined, sent: sentOf(prepared) });
    // What else it comes to is nobody's any more.
    lost.asked.then(end, () => undefined);
  }

  /** Another channel, asked while the first is silent; undefined when there is none, or no more may be asked. */
  #second({ choice, tried }: Way): PendingChannel | undefined {
    // Only the first is counted in the limits of its channel.
    if (this.#limits) return undefined;
    const other = choice.next(tried);
    if (!other || !this.#mayAsk()) return undefined;
    tried.add(other.id);
    const key = other.keys && choice.key(other.keys, () => true);
    return this.#asking.askPending(key?.channel ?? other, this.#terms);
  }

  /** What became of an answer whose head has come. */
  async #receive(
    { channel, prepared }: AskedChannel,
    answer: UpstreamResponse,
    reservation: Reservation,
  ): Promise<FailedTry | undefined> {
    if (!prepared) return undefined;
    try {
      return await (isSuccess(answer.status)
        ? this.#deliver(reservation, prepared, answer)
        : refusedTry(prepared, answer));
    } catch (error) {
      return this.#asking.failedTry(error, channel, this.#terms, answer.status);
    }
  }

  /** Undefined when the client has its reply, whole or broken off. */
  async #conclude(asked: AskedChannel, reservation: Reservation): Promise<FailedWay | undefined> {
    const { prepared, answer } = asked;
    const failed = isAnswer(answer) ? await this.#receive(asked, answer, reservation) : answer;
    const status = failed?.status ?? (isAnswer(answer) ? answer.status : 0);
    asked.traced?.end({ status, error: failed?.error, sent: sentOf(prepared) });
    if (failed) this.#reports.failed({ ...failed, prepared }, asked, this.#terms);
    else this.#reports.answered(asked, this.#terms, this.#call.client.startedAt);
    if (failed?.status === 401 && prepared) this.#services.credentials.forget(prepared.view);
    return failed && { ...failed, prepared };
  }

  #deliver(reservation: Reservation, prepared: Prepared, response: UpstreamResponse): Promise<FailedTry | undefined> {
    const terms = this.#terms;
    const { client } = this.#call;
    const { call, estimate, own, limit } = terms;
    client.ignored = [...(call.request.leftOut ?? []), ...prepared.ignored];
    if (this.#isChained) client.servedModel = call.request.model;
    const delivery = new AnswerDelivery({
      call,
      services: this.#services,
      estimate,
      own,
      limit,
      price: () => terms.priceOn(prepared.channel),
      reservation,
      prepared,
      response,
      settle: (used, end) => this.#settle(reservation, prepared, used, end),
      store: (answer) => storeAnswer(this.#ports, call, prepared, answer),
    });
    this.#delivery = delivery;
    return delivery.run();
  }

  /** Whether another model may serve than the one that was asked for. */
  get #isChained(): boolean {
    const { asked, fallbacks } = this.#chain;
    return fallbacks.length > 0 || asked !== this.#first.request.model;
  }

  /** What is settled before its head is made comes in one piece, or not at all. */
  get #firstByteMs(): number {
    const { startedAt } = this.#call.client;
    return startedAt === undefined ? 0 : Math.max(1, Math.round(startedAt - this.#startedAt));
  }

  #settle(reservation: Reservation, prepared: Prepared | undefined, used: TokenCount, end: EarlyEnd | undefined) {
    const { call, route, estimate } = this.#terms;
    const price = this.#terms.priceOn(prepared?.channel ?? route.channels[0]);
    const elapsedMs = Math.round(this.#ports.clock() - this.#startedAt);
    const answered = { prepared, used, keptAs: this.#delivery?.keptAs, attachedTokens: estimate.attachedTokens };
    const kept = keptAnswer(call.request, answered);
    const outcome = outcomeOf(call, {
      prepared,
      used,
      end,
      price,
      elapsedMs,
      firstByteMs: this.#firstByteMs,
      group: route.group,
      asked: this.#chain.asked,
      kept,
      attempts: this.#reports.attempts,
      hedges: this.#reports.hedges,
      isBudgetSpent: this.#isBudgetSpent,
      lastTried: this.#lastTried,
      pointsPerDollar: this.#ports.ratios().QuotaPerUnit,
    });
    this.#isSettled = true;
    this.#call.trace?.settled(outcome);
    this.#limits?.used(used.prompt + used.completion);
    return this.#ports.settle(reservation, outcome);
  }
}
