/** Number of buckets per doubling of the time; keeps percentiles accurate to about 10 %. */
const perDoubling = 4;

/** Bucket of a time in milliseconds, which must be at least 1. */
export const bucketOf = (ms: number): number => Math.floor(Math.log2(ms) * perDoubling);

/** Lower bound of a bucket, in milliseconds. */
const startOf = (bucket: number): number => 2 ** (bucket / perDoubling);

export interface BucketCount {
  readonly bucket: number;
  readonly count: number;
}

/** Percentile in milliseconds; undefined without counts. */
export function percentile(counts: readonly BucketCount[], share: number): number | undefined {
  const inOrder = counts.filter(({ count }) => count > 0).sort((one, other) => one.bucket - other.bucket);
  const total = inOrder.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  for (const { bucket, count } of inOrder) {
    const within = (share * total - below) / count;
    if (within <= 1) return Math.round(startOf(bucket + Math.max(0, within)));
    below += count;
  }
  return undefined;
}
