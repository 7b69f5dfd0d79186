import type { Outcome } from '@headgate/relay';
import { expect, test } from 'vitest';
import { formatExposition } from './exposition.ts';
import { RelayMetrics } from './relay-metrics.ts';

/** A finished request with the fields used by metrics. */
const finished = (given: Partial<Outcome>) =>
  ({
    channel: 1,
    model: 'm',
    promptTokens: 1,
    completionTokens: 100,
    quota: 1,
    isStream: true,
    endedBy: undefined,
    elapsedMs: 2500,
    firstByteMs: 500,
    attempts: [],
    ...given,
  }) as Partial<Outcome> as Outcome;

test('a stream has time to first byte and tokens per second; an interrupted stream has no speed', () => {
  const metrics = new RelayMetrics(() => true);
  metrics.add(finished({}));
  metrics.add(finished({ endedBy: 'client' }));
  metrics.add(finished({ firstByteMs: 0, isStream: false }));
  const text = formatExposition(metrics.families());
  expect(text).toContain('headgate_time_to_first_byte_seconds_bucket{channel="1",model="m",le="0.25"} 0');
  expect(text).toContain('headgate_time_to_first_byte_seconds_bucket{channel="1",model="m",le="0.5"} 2');
  expect(text).toContain('headgate_tokens_per_second_bucket{channel="1",model="m",le="40"} 0');
  expect(text).toContain('headgate_tokens_per_second_bucket{channel="1",model="m",le="60"} 1');
  expect(text).toContain('headgate_tokens_per_second_sum{channel="1",model="m"} 50');
  expect(text).toContain('headgate_request_duration_seconds_count{channel="1",model="m",stream="false"} 1');
});

test('above a thousand channel and model pairs, further requests are counted once as "other"', () => {
  const metrics = new RelayMetrics(() => true);
  const attempts = [{ channel: 7, reason: '', status: 500, start: 0, ms: 1 }];
  for (let channel = 1; channel <= 1500; channel += 1) {
    metrics.add(finished({ channel, attempts: attempts.map((each) => ({ ...each, channel })) }));
  }
  metrics.add(finished({ channel: 3 }));
  const text = formatExposition(metrics.families());
  expect(text).toContain('headgate_requests_total{channel="1000",model="m",result="success"} 1');
  expect(text).toContain('headgate_requests_total{channel="3",model="m",result="success"} 2');
  expect(text).toContain('headgate_requests_total{channel="other",model="other",result="success"} 500');
  expect(text).toContain('headgate_upstream_failures_total{channel="other",model="other",status="500"} 500');
  expect(text).not.toContain('channel="1001"');
});
