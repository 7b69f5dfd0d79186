import type { UsageEstimate } from '../metering/estimated-usage.ts';
import type { Caller, Outcome, Ports } from '../ports/ports.ts';
import {
  type EarlyTermination,
  earlyTermination,
  isTooDeepError,
  RelayError,
  tooDeepError,
} from '../ports/relay-error.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import { costOf } from '../quota/cost.ts';
import { priceAt } from '../quota/price.ts';
import { tierRatio } from '../quota/price-conditions.ts';
import { noTokens, quotaOf, type TokenCount } from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import type { ResponseLength } from '../tokens/response-length.ts';
import type { AttemptReports, FailedChannelAttempt } from './attempt-reports.ts';
import { chargeDetail } from './charge-detail.ts';
import type { ModelConditions } from './model-conditions.ts';
import { explainNoRetry, storedResponseOf } from './previous-response.ts';
import type { RelayCall } from './relay-call.ts';
import { channelsDownError } from './require-route.ts';
import type { ResponseDelivery } from './response-delivery.ts';

/** The request as its client sent it. */
interface SettledRequest<By extends Caller> {
  readonly call: RelayCall<By>;
  /** Terms of the first model. */
  readonly first: ModelConditions<By>;
  readonly requestedModel: string;
  readonly startedAt: number;
}

interface Usage<By extends Caller> {
  /** Terms of the model that was used. */
  readonly terms: ModelConditions<By>;
  /** The upstream request that is charged; undefined if none is. */
  readonly prepared: PreparedRequest | undefined;
  readonly used: TokenCount;
  /** Undefined if the request completed. */
  readonly end?: EarlyTermination | undefined;
}

/** Settles one request exactly once: releases the reservation, charges the usage, writes the log entry. */
export class RunSettlement<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #settled: SettledRequest<By>;
  readonly #reports: AttemptReports<By>;
  #isSettled = false;
  /** Delivery of the response; undefined before an upstream has responded. */
  delivery: ResponseDelivery | undefined;
  /** Channel that was attempted last; 0 before the first attempt. */
  lastChannel = 0;
  /** Time at which that attempt began; 0 before the first attempt. */
  lastAttemptAt = 0;
  isRetryBudgetSpent = false;

  constructor(ports: Ports<By>, settled: SettledRequest<By>, reports: AttemptReports<By>) {
    this.#ports = ports;
    this.#settled = settled;
    this.#reports = reports;
  }

  /** Settles the usage of a delivered response, complete or aborted. */
  settle(reservation: Reservation, usage: Usage<By>): Promise<void> {
    const { terms, used } = usage;
    const { trace, limits } = terms.call;
    const outcome = this.#outcome(usage);
    this.#isSettled = true;
    trace?.settled(outcome);
    limits?.reportUsage(used.prompt + used.completion, outcome.quota);
    return this.#ports.settle(reservation, outcome);
  }

  /** Settles a request that no channel served. Returns the error for the client. */
  async settleFailure(
    reservation: Reservation,
    terms: ModelConditions<By>,
    last: FailedChannelAttempt | undefined,
  ): Promise<RelayError> {
    const { first } = this.#settled;
    const failure = last?.error ?? terms.call.limits?.noRoom() ?? channelsDownError('No channel left to try');
    const error = last?.isRetryable ? explainNoRetry(failure, first.request) : failure;
    const end = earlyTermination(error, last?.endedBy, last?.status);
    const used = last?.used && (await terms.counter.ofPrompt(last.used));
    // A request that no channel served is logged with the requested model.
    const usage = used
      ? { terms, prepared: last.prepared, used }
      : { terms: first, prepared: undefined, used: noTokens };
    await this.settle(reservation, { ...usage, end });
    error.isRecorded = true;
    return error;
  }

  /** Settles after an internal error and charges the delivered part. Returns the error for the client. */
  async settleFault(reservation: Reservation, terms: ModelConditions<By>, error: unknown): Promise<unknown> {
    const end = earlyTermination(new RelayError(500, 'Internal error'), 'server');
    const { isStarted } = this.#settled.call.client;
    const used = isStarted ? usageAfterFault(terms.estimate, this.delivery?.length) : noTokens;
    if (!this.#isSettled) await this.settle(reservation, { terms, prepared: this.delivery?.prepared, used, end });
    const clientError = isTooDeepError(error) ? tooDeepError() : error;
    if (clientError instanceof RelayError) clientError.isRecorded = true;
    return clientError;
  }

  /** The charge and the log entry. */
  #outcome({ terms, prepared, used, end }: Usage<By>): Outcome<By> {
    const { startedAt, requestedModel } = this.#settled;
    const { attempts, hedges } = this.#reports;
    const { call, route, estimate } = terms;
    const { caller, request, requestId, limits } = call;
    const { model, isStream } = request;
    const { QuotaPerUnit: pointsPerDollar } = this.#ports.ratios();
    const usual = terms.chargedPrice(prepared, this.delivery?.serviceTier);
    const price = priceAt(usual, used.prompt);
    const { attachedTokens } = estimate;
    return {
      caller,
      channel: prepared?.channel.id ?? 0,
      model,
      quota: quotaOf(used, price),
      promptTokens: used.prompt,
      completionTokens: used.completion,
      parts: used.parts,
      cost: prepared
        ? costOf(used, prepared.channel, {
            ...{ models: [prepared.view.model, model], pointsPerDollar },
            tierRatio: tierRatio(usual, usual.served_tier),
          })
        : 0,
      isStream,
      endedBy: end?.by,
      failure: end && { status: end.status, error: end.error, channel: this.lastChannel },
      elapsedMs: Math.round(this.#ports.clock() - startedAt),
      firstByteMs: this.#firstByteMs,
      group: route.group,
      requestId,
      systemPromptReset: prepared?.systemPromptReset ?? false,
      content: end?.error.message ?? '',
      attempts,
      kept: storedResponseOf(request, { prepared, used, keptAs: this.delivery?.keptAs, attachedTokens }),
      detail: chargeDetail({
        price,
        used,
        model,
        requested: requestedModel,
        sentModel: prepared?.view.model,
        attempts,
        hedges,
        isBudgetSpent: this.isRetryBudgetSpent,
        dialect: request.kind.dialect.name,
        rules: prepared?.rules?.names,
        start: prepared && Math.round(this.lastAttemptAt - startedAt),
        key: prepared?.channel.keyId,
        limits: limits?.counted,
      }),
    };
  }

  /** 0 if the response was settled before its headers were sent. */
  get #firstByteMs(): number {
    const { call, startedAt } = this.#settled;
    const { startedAt: respondedAt } = call.client;
    return respondedAt === undefined ? 0 : Math.max(1, Math.round(respondedAt - startedAt));
  }
}

/** The delivered part of a stream, otherwise the estimate. */
function usageAfterFault({ most, least, used }: UsageEstimate, length: ResponseLength | undefined): TokenCount {
  const estimate = least ?? most;
  const completion = length ? Math.min(length.delivered, most.completion) : estimate.completion;
  return { ...estimate, prompt: used.prompt, completion, counted: 'estimate' };
}
