import { expect, it } from 'vitest';
import { shareAfterRefund, shareOfOrder, shareState } from './referral-share.ts';

const none = {
  ReferralSharePercent: 0,
  ReferralShareFixed: 0,
  ReferralFirstOrderOnlyEnabled: false,
  ReferralShareCap: 0,
  ReferralWaitDays: 14,
  ReferralPayoutMinimum: 0,
};
const order = { quota: 1100, bonus_quota: 100 };

it.each([
  ['no share', none, 0],
  ['a percentage of the bought quota without the bonus', { ...none, ReferralSharePercent: 10 }, 100],
  ['a fixed amount', { ...none, ReferralShareFixed: 7 }, 7],
  ['a percentage and a fixed amount', { ...none, ReferralSharePercent: 15, ReferralShareFixed: 7 }, 157],
  ['at most the bought quota', { ...none, ReferralSharePercent: 100, ReferralShareFixed: 7 }, 1000],
])('an order earns %s', (_, terms, share) => {
  expect(shareOfOrder(terms, order)).toBe(share);
});

it.each([
  [1100, 100],
  [550, 50],
  [1, 0],
  [0, 0],
  [-5, 0],
])('if %i of 1100 points are not refunded, %i of a share of 100 remain', (kept, share) => {
  expect(shareAfterRefund(100, kept, order)).toBe(share);
});

it('a share is canceled if it has no points left, and otherwise becomes available after the waiting period', () => {
  const states = [
    shareState({ quota: 0, available_time: 10 }, 5),
    shareState({ quota: 1, available_time: 10 }, 9),
    shareState({ quota: 1, available_time: 10 }, 10),
  ];
  expect(states).toEqual(['cancelled', 'waiting', 'available']);
});
