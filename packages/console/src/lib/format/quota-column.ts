import { useStatus } from '../page/status.ts';
import { columnDecimals } from './column-decimals.ts';
import { formatQuota } from './format.ts';

/** Formatter for a column of quotas, with the same number of decimals in all rows. */
export function useQuotaColumnFormat(): (column: readonly number[]) => (quota: number) => string {
  const status = useStatus();
  return (column) => {
    const digits = columnDecimals(column.map((quota) => quota / status.quota_per_unit));
    return (quota) => formatQuota(quota, status, digits);
  };
}
