import { type Channel, channelStatus, type LogReason, logReasons } from '@headgate/contract';
import { responseTimeColor } from './channel-facts.ts';

/** Last failure of a channel. */
export interface LastFailure {
  readonly isTest: boolean;
  readonly reason: LogReason | '';
  /** Empty if unknown. */
  readonly message: string;
  readonly status: number;
  readonly model: string;
  readonly time: number;
  /** Failed requests in a row; 0 for a test. */
  readonly count: number;
}

/** The later of the failed test and the failed request; undefined if the channel works. */
export function lastFailure(channel: Channel): LastFailure | undefined {
  if (!channel.is_failing) return undefined;
  const hasTest = channel.test_reason !== '';
  if (channel.failure_count === 0 || (hasTest && channel.test_time > channel.failure_time)) {
    const { test_reason, test_message, test_status, tested_model, test_time } = channel;
    if (!hasTest) return undefined;
    return {
      isTest: true,
      reason: test_reason,
      message: test_message,
      status: test_status,
      model: tested_model,
      time: test_time,
      count: 0,
    };
  }
  const { failure_reason, failure_message, failure_status, failure_model, failure_time, failure_count } = channel;
  return {
    isTest: false,
    reason: failure_reason,
    message: failure_message,
    status: failure_status,
    model: failure_model,
    time: failure_time,
    count: failure_count,
  };
}

/** Transient reasons: the upstream requested a cooldown. */
const transientReasons: ReadonlySet<string> = new Set<LogReason>(['rate_limited', 'overloaded']);

/** True if the channel is cooling down because of a transient error. */
export const isCoolingDown = (channel: Channel): boolean =>
  channel.status === channelStatus.enabled &&
  channel.cooldown_seconds > 0 &&
  transientReasons.has(lastFailure(channel)?.reason ?? '');

export const hasFailed = (channel: Channel): boolean => lastFailure(channel) !== undefined;

/** Red: failing, yellow: cooling down or models paused, gray: disabled, green: OK. */
export function statusColor(channel: Channel): 'red' | 'yellow' | 'gray' | 'green' {
  if (channel.status === channelStatus.disabledByMonitor) return 'red';
  if (channel.status !== channelStatus.enabled) return 'gray';
  if (isCoolingDown(channel)) return 'yellow';
  if (channel.is_failing) return 'red';
  return channel.paused_models.length > 0 ? 'yellow' : 'green';
}

/** Color of the last test time; never green for a failing channel. */
export function lastTestColor(channel: Channel): string {
  if (channel.test_reason !== '') return 'red';
  return channel.is_failing ? 'gray' : responseTimeColor(channel.response_time);
}

/** The upstream's message with its status, otherwise the name of the reason. */
export function describeFailure({ status, message, reason }: LastFailure, label: (text: string) => string): string {
  const text = message || label(logReasons[reason === '' ? 'other' : reason].label);
  return status > 0 ? `${status} ${text}` : text;
}
