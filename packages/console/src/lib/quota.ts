import { formatQuota } from '@headgate/contract';
import { useStatus } from './status.ts';

/** Writes a quota as the gateway shows it: in dollars, or as points. */
export function useQuotaFormat(): (quota: number, digits?: number) => string {
  const status = useStatus();
  return (quota, digits) => formatQuota(quota, status, digits);
}
