import type { AlertRule } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { type BucketCount, percentile } from '../../records/logs/latency-buckets.ts';
import type { AlertEvent } from './alert-event.ts';
import type { MinuteRow } from './channel-minutes.ts';

/** Results of one channel, or of all requests, within a rule's window. */
interface MeasuredWindow {
  readonly requests: number;
  readonly failures: number;
  readonly latencies: readonly BucketCount[];
}

/** Values of the alert when a measurement exceeds the rule; undefined otherwise. */
type Measure = (rule: AlertRule, seen: MeasuredWindow) => Readonly<Record<string, number>> | undefined;

const slowest = 0.95;

const measures: Readonly<Partial<Record<AlertRule['kind'], Measure>>> = {
  failure_rate: ({ threshold, least_requests }, { requests, failures }) => {
    const percent = (failures / requests) * 100;
    return requests >= least_requests && percent > threshold
      ? { percent: rounded(percent), requests, failures, threshold }
      : undefined;
  },
  latency: ({ threshold, least_requests }, { latencies }) => {
    const requests = latencies.reduce((sum, { count }) => sum + count, 0);
    const seconds = (percentile(latencies, slowest) ?? 0) / 1000;
    return requests >= least_requests && seconds > threshold
      ? { seconds: rounded(seconds), requests, threshold }
      : undefined;
  },
};

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Events of all measured rules for the minutes until now. Pure. */
export function measuredEvents(
  rules: readonly AlertRule[],
  minutes: readonly MinuteRow[],
  nameOf: (channel: number) => string | undefined,
  now: number,
): AlertEvent[] {
  return rules.flatMap((rule) => {
    const measure = measures[rule.kind];
    const from = now - (now % 60) - rule.window_minutes * 60;
    const rows = minutes.filter(({ minute, channel }) => minute > from && (channel === 0) === (rule.per === 'gateway'));
    return [...Map.groupBy(rows, ({ channel }) => channel)].flatMap(([channel, ofChannel]) => {
      const values = measure?.(rule, seenIn(ofChannel));
      const name = channel === 0 ? 'all requests · 所有请求' : nameOf(channel);
      return values && name !== undefined ? [eventOf(rule, channel, { ...values, channel: name })] : [];
    });
  });
}

function eventOf(rule: AlertRule, channel: number, values: AlertEvent['values']): AlertEvent {
  return {
    kind: rule.kind,
    subject: channel === 0 ? 'gateway' : `channel:${channel}`,
    ...(channel !== 0 && { channel, page: `/channel/view/${channel}` }),
    values: { ...values, minutes: rule.window_minutes },
    isFor: ({ id }) => id === rule.id,
  };
}

function seenIn(rows: readonly MinuteRow[]): MeasuredWindow {
  const latencies = new Map<number, number>();
  for (const row of rows)
    for (const [bucket, count] of parseJson(row.latencies) as readonly (readonly [number, number])[])
      latencies.set(bucket, (latencies.get(bucket) ?? 0) + count);
  const sum = (of: (row: MinuteRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    requests: sum(({ requests }) => requests),
    failures: sum(({ failures }) => failures),
    latencies: [...latencies].map(([bucket, count]) => ({ bucket, count })),
  };
}
