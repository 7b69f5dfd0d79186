import { useStatus } from '../page/status.ts';
import { formatQuota } from './format.ts';

/** Formatter for quotas in the gateway's display unit. */
export function useQuotaFormat(): (quota: number, digits?: number) => string {
  const status = useStatus();
  return (quota, digits) => formatQuota(quota, status, digits);
}
