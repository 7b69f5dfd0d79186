import { logType } from '@headgate/contract';
import type { Outcome } from '@headgate/relay';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import type { PayloadCapture } from '../payload-logging/payload-capture.ts';
import { failureReasonOf } from '../upstreams/failure-reason.ts';

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
export function withPayloadExpiry(record: RequestRecord, capture: PayloadCapture | undefined): RequestRecord {
  if (!capture) return record;
  const members = record.detail.slice(1, -1);
  return { ...record, detail: `{${members}${members && ','}"bodies_until":${capture.markLogged()}}` };
}

function failureOf({ endedBy, failure }: Outcome): Pick<RequestRecord, 'status' | 'reason'> | undefined {
  if (!failure) return undefined;
  const { error } = failure;
  // The upstream status is only relevant if the upstream ended the request.
  const status = endedBy === 'upstream' ? failure.status : 0;
  const reason = failureReasonOf({ status, error });
  // A truncated response started with a success status.
  return { status: status >= firstErrorStatus ? status : error.status, reason };
}
