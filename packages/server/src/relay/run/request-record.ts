import { logType } from '@headgate/contract';
import type { Outcome } from '@headgate/relay';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import type { BodyCapture } from '../payload-logging/body-capture.ts';
import { failureReasonOf } from '../upstreams/failure-reason.ts';

const firstErrorStatus = 400;

/** PostgreSQL stores no null character, wherever an upstream or a client puts one. */
const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

/** Field by field, as this is done for every request: spreading takes as long as all the rest. */
export const recordOf = (outcome: Outcome, node: string, failure = failureOf(outcome)): RequestRecord => ({
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

/** Says in the row until when its bodies are kept, so that whoever sees the row knows it. */
export function withBodies(record: RequestRecord, capture: BodyCapture | undefined): RequestRecord {
  if (!capture) return record;
  const members = record.detail.slice(1, -1);
  return { ...record, detail: `{${members}${members && ','}"bodies_until":${capture.told()}}` };
}

function failureOf({ endedBy, failure }: Outcome): Pick<RequestRecord, 'status' | 'reason'> | undefined {
  if (!failure) return undefined;
  const { error } = failure;
  // What an upstream answered is the reason only where it is to blame.
  const status = endedBy === 'upstream' ? failure.status : 0;
  const reason = failureReasonOf({ status, error });
  // An answer that broke off had begun with a good status.
  return { status: status >= firstErrorStatus ? status : error.status, reason };
}
