import { ApiError } from './api-error.ts';

interface QuotaChange {
  /** Undefined to keep the current quota. */
  readonly wanted: number | undefined;
  /** Quota that the caller has read; undefined if not given. */
  readonly was: number | undefined;
}

/** Rejects overwriting a quota that has changed since the caller read it. */
export function rejectStaleQuota(now: number, { wanted, was }: QuotaChange): void {
  if (wanted === undefined || was === undefined || now === was || now === wanted) return;
  throw new ApiError('quotaChanged', { now: String(now), was: String(was) });
}
