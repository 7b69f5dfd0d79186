import type { referralApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { ReferralService } from './referral-service.ts';

export const referralRoutes = (referrals: ReferralService): Handlers<typeof referralApi> => ({
  read: ({ caller }) => referrals.read(caller),
  shares: ({ caller, query }) => referrals.shares(caller, query),
  transfer: ({ caller, body }) => referrals.transfer(caller, body.quota),
  ownPayouts: ({ caller, query }) => referrals.ownPayouts(caller, query),
  requestPayout: ({ caller, body }) => referrals.requestPayout(caller, body.quota, body.details),
  payouts: ({ query }) => referrals.payouts(query),
  closePayout: ({ caller, params, body }) => referrals.closePayout(caller, params.id, body),
});
