import type { Caller, Ports, Route } from '../ports/ports.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { RetryBudget } from '../routing/retry-budget.ts';
import { AttemptReports, type FailedChannelAttempt } from './attempt-reports.ts';
import { ChannelRequests } from './channel-requests.ts';
import { ModelAttempts, type RequestContext } from './model-attempts.ts';
import type { ModelChain } from './model-chain.ts';
import { ModelConditions } from './model-conditions.ts';
import { admitWithinLimits, expectedUsage, nextModelConditions } from './next-model.ts';
import type { RelayCall } from './relay-call.ts';
import { RunSettlement } from './run-settlement.ts';
import type { UpstreamServices } from './upstream-services.ts';

/**
 * One relayed request: reserve, route, attempt, deliver, settle. It is settled exactly once, regardless of failures in
 * between.
 */
export class RelayRun<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly #call: RelayCall<By>;
  readonly #chain: ModelChain;
  readonly #context: RequestContext<By>;
  readonly #settlement: RunSettlement<By>;
  /** Terms of the model that is being tried. */
  #terms: ModelConditions<By>;
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
    const first = new ModelConditions(ports, services, call, route);
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

  /** Resolves when the client has its response, complete or aborted. Throws if there is no response. */
  async run(): Promise<void> {
    const reservation = await this.#reserve();
    try {
      if (await this.#attemptModels(reservation)) return;
    } catch (error) {
      throw await this.#settlement.settleFault(reservation, this.#terms, error);
    }
    throw await this.#settlement.settleFailure(reservation, this.#terms, this.#last);
  }

  /** Must be called regardless of how the request ends. */
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

  /** Tries the first model, then the fallback models. Returns true if the client has its response. */
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

  /** Routes the request to another model. Returns false if the model has no channels or the balance is too low. */
  async #routeTo(model: string, reservation: Reservation): Promise<boolean> {
    if (this.#settlement.isRetryBudgetSpent) return false;
    const run = { ports: this.#ports, services: this.#services, call: this.#call };
    const terms = await nextModelConditions(run, model, { reservation, earlier: this.#limits.at(-1) });
    if (!terms) return false;
    if (terms.call.limits) this.#limits.push(terms.call.limits);
    this.#terms = terms;
    return true;
  }

  /** The first attempt is always allowed, others within the retry budget. */
  #mayAttempt(): boolean {
    if (this.#context.requests.count === 0 || !this.#retryBudget) return true;
    const mayRetry = this.#retryBudget.take(this.#ports.clock(), this.#ports.retryShare());
    this.#settlement.isRetryBudgetSpent = !mayRetry;
    return mayRetry;
  }
}
