import type { ComparedUsage, LatencyPercentiles, Parsed, usageComparison } from '@headgate/contract';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { endOfHour, hourOf } from '../logs/hours.ts';
import { type BucketCount, percentile } from '../logs/latency-buckets.ts';
import type { UsageComparisonRepository, UsageSource } from './usage-comparison-repository.ts';
import type { UsageRepository } from './usage-repository.ts';
import { emptyTotals, sumTotals } from './usage-sums.ts';

type Query = Parsed<typeof usageComparison>['query'];

/** Two models or channels side by side. */
export class UsageComparisonService {
  readonly #sums: UsageRepository;
  readonly #latencies: UsageComparisonRepository;

  constructor(sums: UsageRepository, latencies: UsageComparisonRepository) {
    this.#sums = sums;
    this.#latencies = latencies;
  }

  async compare(query: Query): Promise<{ first: ComparedUsage; second: ComparedUsage }> {
    const hours = { from: hourOf(query.start_timestamp), to: endOfHour(query.end_timestamp || nowInSeconds()) };
    const usageOf = (by: UsageSource) => this.#usage(by, query.group, hours);
    return {
      first: await usageOf({ model: query.model, channel: query.channel }),
      second: await usageOf({ model: query.other_model, channel: query.other_channel }),
    };
  }

  async #usage(by: UsageSource, group: string, hours: { from: number; to: number }): Promise<ComparedUsage> {
    const { model, channel } = by;
    const filter = {
      ...(model !== '' && { model_name: model }),
      ...(channel !== 0 && { channel }),
      ...(group !== '' && { group }),
    };
    const sums = await this.#sums.inSnapshot((snapshot) => snapshot.sums.sums({ ...hours, by: [], filter }));
    const { elapsed, firstByte } = await this.#latencies.latencies(by, hours);
    return {
      ...(sums.length === 0 ? emptyTotals : sumTotals(sums)),
      first_byte: percentilesOf(firstByte),
      elapsed: percentilesOf(elapsed),
    };
  }
}

const percentilesOf = (counts: readonly BucketCount[]): LatencyPercentiles => ({
  p50: percentile(counts, 0.5) ?? null,
  p95: percentile(counts, 0.95) ?? null,
  p99: percentile(counts, 0.99) ?? null,
});
