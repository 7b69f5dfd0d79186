import type { OptionValues } from '@headgate/contract';
import type { CallerTokenRow, CallerUserRow } from './caller-repository.ts';

/** Response of OpenAI's legacy billing endpoints, in dollars or points. */
interface BillingReport {
  readonly limit: number;
  readonly used: number;
  /** Expiry of the token in Unix seconds; 0 means it never expires. */
  readonly until: number;
}

type Settings = Pick<OptionValues, 'DisplayTokenStatEnabled' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>;

/** Limit reported for a token with unlimited quota. */
const unlimited = 100_000_000;

type Token = Pick<
  CallerTokenRow,
  'creator_id' | 'service_account_id' | 'remain_quota' | 'used_quota' | 'unlimited_quota' | 'expired_time'
>;

/** The balance of an organization is not reported, because members may not be allowed to see it. */
export function billingReport(
  token: Token,
  user: Pick<CallerUserRow, 'quota' | 'used_quota'>,
  settings: Settings,
): BillingReport {
  const isOfOrganization = token.creator_id !== 0 || token.service_account_id !== 0;
  const inUnits = (points: number) => (settings.DisplayInCurrencyEnabled ? points / settings.QuotaPerUnit : points);
  if (!settings.DisplayTokenStatEnabled && !isOfOrganization) {
    return { limit: inUnits(user.quota + user.used_quota), used: inUnits(user.used_quota), until: 0 };
  }
  return {
    limit: token.unlimited_quota === 0 ? inUnits(token.remain_quota + token.used_quota) : unlimited,
    used: inUnits(token.used_quota),
    until: Math.max(token.expired_time, 0),
  };
}

export const subscriptionResponse = ({ limit, until }: BillingReport) => ({
  object: 'billing_subscription',
  has_payment_method: true,
  soft_limit_usd: limit,
  hard_limit_usd: limit,
  system_hard_limit_usd: limit,
  access_until: until,
});

/** `total_usage` is in hundredths of the unit. */
export const usageResponse = ({ used }: BillingReport) => ({ object: 'list', total_usage: used * 100 });
