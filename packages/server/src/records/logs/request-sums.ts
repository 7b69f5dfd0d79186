import { type LogReason, logType } from '@headgate/contract';
import { bucketOf } from './latency-buckets.ts';
import { hourOf } from './roll-up.ts';

/** A log, as far as its times are counted. */
export interface Timed {
  readonly created_at: number;
  readonly type: number;
  readonly elapsed_time: number;
  readonly first_byte_time: number;
}

/** A log, as far as its failure is counted. */
export interface Failed {
  readonly created_at: number;
  readonly type: number;
  readonly channel: number;
  readonly model_name: string;
  readonly reason: LogReason | '';
  readonly status: number;
}

export type LatencyRow = Record<'hour' | 'bucket' | 'elapsed' | 'first_byte', number>;

/** How long the requests took that were charged, in the order of the keys. */
export function latencySums(logs: readonly Timed[]): readonly LatencyRow[] {
  const sums = new Map<number, LatencyRow>();
  const count = (created_at: number, ms: number, counter: 'elapsed' | 'first_byte') => {
    const [hour, bucket] = [hourOf(created_at), bucketOf(ms)];
    let sum = sums.get(hour + bucket);
    if (!sum) {
      sum = { hour, bucket, elapsed: 0, first_byte: 0 };
      sums.set(hour + bucket, sum);
    }
    sum[counter] += 1;
  };
  for (const { created_at, type, elapsed_time, first_byte_time } of logs) {
    if (type !== logType.consumption) continue;
    if (elapsed_time > 0) count(created_at, elapsed_time, 'elapsed');
    if (first_byte_time > 0) count(created_at, first_byte_time, 'first_byte');
  }
  return [...sums].sort(([one], [other]) => one - other).map(([, sum]) => sum);
}

type FailureRow = Omit<Failed, 'created_at' | 'type'> & { readonly hour: number; rows: number };

/** Failed requests by what went wrong where, in the order of the keys. */
export function failureSums(logs: readonly Failed[]): readonly FailureRow[] {
  const sums = new Map<string, FailureRow>();
  for (const { created_at, type, channel, model_name, reason, status } of logs) {
    if (type !== logType.failure) continue;
    const hour = hourOf(created_at);
    const name = `${hour}\0${channel}\0${model_name}\0${reason}\0${status}`;
    const sum = sums.get(name) ?? { hour, channel, model_name, reason, status, rows: 0 };
    sum.rows += 1;
    sums.set(name, sum);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
