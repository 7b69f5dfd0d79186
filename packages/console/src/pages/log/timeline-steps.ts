import { type Log, logType } from '@headgate/contract';
import type { Attempt, LogDetail } from './log-detail.ts';

export interface TimelineStep {
  readonly kind: 'received' | 'routed' | 'attempt' | 'served' | 'hedge' | 'firstByte' | 'end';
  /** Milliseconds since the request was received; undefined if unknown. */
  readonly at?: number | undefined;
  readonly ms?: number | undefined;
  readonly channel?: number | undefined;
  readonly key?: number | undefined;
  readonly status?: number | undefined;
  /** Upstream model, if it differs from the requested one. */
  readonly model?: string | undefined;
  /** Error text. */
  readonly text?: string | undefined;
  readonly state: 'neutral' | 'good' | 'bad';
}

/** Shorter waits before the first attempt are not shown. */
const minWaitMs = 5;

/** Steps of a request, in chronological order. Rows of older versions have fewer. */
export function timelineOf(log: Log, detail: LogDetail): TimelineStep[] {
  if (log.type !== logType.consumption && log.type !== logType.failure) return [];
  const { attempts, hedges } = detail;
  const servedAt = startOfServing(detail);
  const firstAt = attempts.length > 0 ? attempts[0]?.start : servedAt;
  const waits = firstAt !== undefined && firstAt >= minWaitMs;
  const isServed = log.type === logType.consumption && (log.ended_by === '' || log.quota > 0);
  return [
    { kind: 'received', at: 0, state: 'neutral' },
    ...(waits ? [{ kind: 'routed', at: firstAt, ms: firstAt, state: 'neutral' } as const] : []),
    ...attempts.map(attemptStep),
    ...hedges.map(({ channel, key, ms }) => ({ kind: 'hedge', channel, key, ms, state: 'neutral' }) as const),
    ...(isServed ? [servedStep(log, detail, servedAt)] : []),
    ...(log.first_byte_time > 0 ? [{ kind: 'firstByte', at: log.first_byte_time, state: 'good' } as const] : []),
    endStep(log, detail),
  ];
}

/** Start of the delivered attempt; 0 if none is recorded. */
function startOfServing({ start, attempts }: LogDetail): number | undefined {
  const last = attempts.at(-1);
  if (start !== undefined || last === undefined) return start ?? 0;
  return last.start === undefined || last.ms === undefined ? undefined : last.start + last.ms;
}

const attemptStep = ({ start, reason, ...attempt }: Attempt): TimelineStep => ({
  kind: 'attempt',
  ...attempt,
  at: start,
  text: reason,
  state: 'bad',
});

const servedStep = (log: Log, { key, upstream_model: model }: LogDetail, at: number | undefined): TimelineStep => ({
  kind: 'served',
  at,
  channel: log.channel,
  key,
  ...(model !== '' && model !== log.model_name && { model }),
  state: 'good',
});

function endStep(log: Log, { attempts }: LogDetail): TimelineStep {
  const isFailure = log.type === logType.failure;
  // The last attempt shows its error text there.
  const isNew = isFailure && attempts.at(-1)?.reason !== log.content;
  return {
    kind: 'end',
    at: log.elapsed_time,
    ...(isFailure && { status: log.status }),
    ...(isNew && { text: log.content }),
    state: isFailure || log.ended_by !== '' ? 'bad' : 'good',
  };
}
