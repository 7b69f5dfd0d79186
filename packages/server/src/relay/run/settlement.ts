import { logType, planTag, tagsMember } from '@headgate/contract';
import type { Outcome, Reservation } from '@headgate/relay';
import type { ChannelHealthService } from '../../catalog/channels/channel-health-service.ts';
import type { RelayMetrics } from '../../observability/metrics/relay-metrics.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import type { PayloadCapture } from '../payload-logging/payload-capture.ts';
import { failureDetails, failureReasonOf } from '../upstreams/failure-reason.ts';

export interface SettlementDependencies {
  readonly options: OptionService;
  readonly writer: ChargeWriter;
  readonly metrics: Pick<RelayMetrics, 'add'>;
  readonly health: Pick<ChannelHealthService, 'failed'> & { responded(channel: number, model: string): void };
  /** Name of this node in the log; empty if it is the only one. */
  readonly node: string;
  readonly onFinished: (outcome: Outcome) => void;
}

/** Settles finished requests: charge, log, metrics and channel health. */
export class Settlement {
  readonly #dependencies: SettlementDependencies;

  constructor(dependencies: SettlementDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when the charge is stored. */
  settle(reservation: Reservation, outcome: Outcome<TokenCaller>): Promise<void> {
    const { metrics, onFinished, options, node, writer } = this.#dependencies;
    const { caller, quota, kept } = outcome;
    reservation.settle(quota);
    metrics.add(outcome);
    onFinished(outcome);
    const isLogged = options.values.LogConsumeEnabled || outcome.endedBy;
    return writer.write({
      accounts: reservation.accounts,
      charge: {
        quota,
        user: caller.userId,
        token: caller.tokenId,
        isTokenLimited: caller.isTokenLimited,
        channel: outcome.channel,
        budgets: idsOf(reservation.budgets),
        isPaidByPlan: reservation.plan !== undefined || undefined,
        record: isLogged
          ? withTags(withPayloadExpiry(requestRecord(outcome, node), caller.capture), tagsOf(caller, reservation))
          : undefined,
        kept: kept && { ...kept, user: caller.userId },
      },
    });
  }

  /** Records the health of the channel that responded. Failures of other channels were recorded when they failed. */
  noteHealth({ channel, model, endedBy, failure, attempts }: Outcome): void {
    if (channel === 0) return;
    const { health } = this.#dependencies;
    if (endedBy === undefined) health.responded(channel, model);
    else if (endedBy === 'upstream' && failure && attempts.at(-1)?.channel !== channel)
      health.failed(channel, failureDetails({ ...failure, model }));
  }
}

/** Undefined instead of an empty list for requests without budgets, the most common case. */
const idsOf = (budgets: Reservation['budgets']) => (budgets.length > 0 ? budgets.map(({ id }) => id) : undefined);

const firstErrorStatus = 400;

/** PostgreSQL cannot store null characters. */
const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

/** Assigned field by field, because this runs for every request and spreading would double its cost. */
export const requestRecord = (outcome: Outcome, node: string, failure = failureOf(outcome)): RequestRecord => ({
  user_id: outcome.caller.userId,
  created_at: nowInSeconds(),
  type: outcome.endedBy && outcome.quota === 0 ? logType.failure : logType.consumption,
  content: storable(outcome.content),
  username: outcome.caller.username,
  token_name: outcome.caller.tokenName,
  model_name: storable(outcome.model),
  quota: outcome.quota,
  prompt_tokens: outcome.promptTokens,
  completion_tokens: outcome.completionTokens,
  channel: outcome.channel || (outcome.failure?.channel ?? 0),
  request_id: outcome.requestId,
  elapsed_time: outcome.elapsedMs,
  is_stream: outcome.isStream ? 1 : 0,
  system_prompt_reset: outcome.systemPromptReset ? 1 : 0,
  ended_by: outcome.endedBy ?? '',
  detail: outcome.detail,
  group: outcome.group,
  first_byte_time: outcome.firstByteMs,
  status: failure?.status ?? 0,
  reason: failure?.reason ?? '',
  cached_tokens: outcome.parts?.cached ?? 0,
  cache_write_tokens: outcome.parts?.written ?? 0,
  reasoning_tokens: outcome.parts?.reasoning ?? 0,
  cost: outcome.cost,
  node,
});

/** Adds the expiry of the stored payload to the log row. */
function withPayloadExpiry(record: RequestRecord, capture: PayloadCapture | undefined): RequestRecord {
  if (!capture) return record;
  return withMember(record, `"bodies_until":${capture.markLogged()}`);
}

const withTags = (record: RequestRecord, tags: string | undefined): RequestRecord =>
  tags === undefined ? record : withMember(record, `"${tagsMember}":${tags}`);

/** Tags of the request, with the plan that paid for it. */
function tagsOf({ tags }: TokenCaller, { plan }: Reservation): string | undefined {
  if (!plan) return tags;
  const member = `${JSON.stringify(planTag)}:${JSON.stringify(plan.name)}`;
  return tags === undefined ? `{${member}}` : `{${member},${tags.slice(1)}`;
}

/** Appends a JSON member as text, because the rest of the detail is cached. */
function withMember(record: RequestRecord, member: string): RequestRecord {
  const members = record.detail.slice(1, -1);
  return { ...record, detail: `{${members}${members && ','}${member}}` };
}

function failureOf({ endedBy, failure }: Outcome): Pick<RequestRecord, 'status' | 'reason'> | undefined {
  if (!failure) return undefined;
  const { error } = failure;
  // The upstream status is only relevant if the upstream ended the request.
  const status = endedBy === 'upstream' ? failure.status : 0;
  const reason = failureReasonOf({ status, error });
  // The status is a success if the response was truncated.
  return { status: status >= firstErrorStatus ? status : error.status, reason };
}
