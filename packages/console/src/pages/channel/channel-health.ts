import { type Channel, channelStatus, type LogReason, logReasons } from '@headgate/contract';
import { responseTimeColor } from './channel-facts.ts';

/** What a channel was last heard of, when that is a failure. */
export interface LastFailure {
  readonly isTest: boolean;
  readonly reason: LogReason | '';
  /** Empty when nobody knows. */
  readonly message: string;
  readonly status: number;
  readonly model: string;
  readonly time: number;
  /** How many requests failed since the last one that did not; 0 for a test. */
  readonly count: number;
}

/** The later one of the failed test and the failed request; undefined when the channel works, as far as is known. */
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

/** What passes by itself: the upstream asked for a pause. */
const passing: ReadonlySet<string> = new Set<LogReason>(['rate_limited', 'overloaded']);

/** Whether it only rests because its upstream asked for that. */
export const isResting = (channel: Channel): boolean =>
  channel.status === channelStatus.enabled &&
  channel.resting_seconds > 0 &&
  passing.has(lastFailure(channel)?.reason ?? '');

export const isTroubled = (channel: Channel): boolean => lastFailure(channel) !== undefined;

/** Red: broken, yellow: resting, grey: off; undefined: as it should be. */
export function statusColor(channel: Channel): 'red' | 'yellow' | 'gray' | undefined {
  if (channel.status === channelStatus.disabledByMonitor) return 'red';
  if (channel.status !== channelStatus.enabled) return 'gray';
  if (isResting(channel)) return 'yellow';
  return channel.is_failing ? 'red' : undefined;
}

/** The colour of the last test's time: never that of a good one beside a failure. */
export function testColor(channel: Channel): string {
  if (channel.test_reason !== '') return 'red';
  return channel.is_failing ? 'gray' : responseTimeColor(channel.response_time);
}

/** The reason in words: the upstream's own with their status, else the name of the reason. */
export function failureWords({ status, message, reason }: LastFailure, label: (text: string) => string): string {
  const words = message || label(logReasons[reason === '' ? 'other' : reason].label);
  return status > 0 ? `${status} ${words}` : words;
}
