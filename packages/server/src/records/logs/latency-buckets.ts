/** So many buckets between a time and its double: a figure read from them is at most a tenth off. */
const perDoubling = 4;

/** The bucket of a time in milliseconds, from 1. */
export const bucketOf = (ms: number): number => Math.floor(Math.log2(ms) * perDoubling);

/** The first millisecond of a bucket. */
const startOf = (bucket: number): number => 2 ** (bucket / perDoubling);

export interface BucketCount {
  readonly bucket: number;
  readonly count: number;
}

/** The time below which this share of all is, in milliseconds; undefined when there is nothing. */
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
