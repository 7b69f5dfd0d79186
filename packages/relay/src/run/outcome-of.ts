import type { Attempt, Caller, HedgedAttempt, Outcome, UpstreamStoredResponse } from '../ports/ports.ts';
import type { EarlyEnd } from '../ports/relay-error.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import { costOf } from '../quota/cost.ts';
import { type Price, priceAt } from '../quota/price.ts';
import { tierRatio } from '../quota/price-conditions.ts';
import { quotaOf, type TokenCount } from '../quota/quota-of.ts';
import { chargeDetail } from './charge-detail.ts';
import type { RelayCall } from './relay-call.ts';

interface Ending {
  /** The upstream request on the channel that delivered; undefined when no channel did. */
  readonly prepared: PreparedRequest | undefined;
  readonly used: TokenCount;
  /** Undefined when the request completed. */
  readonly end: EarlyEnd | undefined;
  readonly price: Price;
  readonly elapsedMs: number;
  readonly firstByteMs: number;
  readonly group: string;
  /** The requested model. */
  readonly requested: string;
  readonly attempts: readonly Attempt[];
  readonly hedges: readonly HedgedAttempt[];
  /** True when the request was not retried because the retry budget is used up. */
  readonly isBudgetSpent: boolean;
  readonly kept: UpstreamStoredResponse | undefined;
  /** Last channel that was tried; 0 when none was. */
  readonly lastTried: number;
  /** Milliseconds until the last attempt started. */
  readonly lastStart: number;
  /** Ids of the caller's limits that counted the request. */
  readonly limits: readonly number[] | undefined;
  readonly pointsPerDollar: number;
}

/** The charge and log entry of a finished request. */
export function outcomeOf<By extends Caller>(
  { caller, request, requestId }: RelayCall<By>,
  {
    prepared,
    used,
    end,
    price: usual,
    elapsedMs,
    firstByteMs,
    group,
    requested,
    attempts,
    hedges,
    isBudgetSpent,
    kept,
    lastTried,
    lastStart,
    limits,
    pointsPerDollar,
  }: Ending,
): Outcome<By> {
  const { model, isStream } = request;
  const price = priceAt(usual, used.prompt);
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
          tierRatio: tierRatio(usual, usual.service_tier),
        })
      : 0,
    isStream,
    endedBy: end?.by,
    failure: end && { status: end.status, error: end.error, channel: lastTried },
    elapsedMs,
    firstByteMs,
    group,
    requestId,
    systemPromptReset: prepared?.systemPromptReset ?? false,
    content: end?.error.message ?? '',
    attempts,
    kept,
    detail: chargeDetail({
      price,
      used,
      model,
      requested,
      sentModel: prepared?.view.model,
      attempts,
      hedges,
      isBudgetSpent,
      dialect: request.kind.dialect.name,
      rules: prepared?.rules?.names,
      start: prepared && lastStart,
      key: prepared?.channel.keyId,
      limits,
    }),
  };
}
