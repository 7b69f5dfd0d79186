import { useStatus } from '../page/status.ts';
import { quotaText } from './format.ts';

/** Writes a quota as the gateway shows it: in dollars, or as points. */
export function useQuotaFormat(): (quota: number, digits?: number) => string {
  const status = useStatus();
  return (quota, digits) => quotaText(quota, status, digits);
}
