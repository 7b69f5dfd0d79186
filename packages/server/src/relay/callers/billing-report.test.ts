import { describe, expect, it } from 'vitest';
import { billingReport } from './billing-report.ts';

const settings = { DisplayTokenStatEnabled: false, DisplayInCurrencyEnabled: false, QuotaPerUnit: 500_000 };
const user = { quota: 70, used_quota: 30 };
const token = {
  creator_id: 0,
  service_account_id: 0,
  remain_quota: 0,
  used_quota: 5,
  unlimited_quota: 1,
  expired_time: -1,
};

describe('the billing report', () => {
  it("contains the balance of the user for a user's own token", () => {
    expect(billingReport(token, user, settings)).toMatchObject({ limit: 100, used: 30 });
  });

  it.each([
    ['a member', { creator_id: 7 }],
    ['a service account', { service_account_id: 3 }],
  ])('contains only the usage of the token for %s of an organization', (_, owner) => {
    const { limit, used } = billingReport({ ...token, ...owner }, user, settings);
    expect(used).toBe(5);
    expect(limit).not.toBe(100);
  });
});
