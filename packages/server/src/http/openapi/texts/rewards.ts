import { payoutStates, shareStates } from '@headgate/contract';
import type { ResourceTexts, SchemaTexts } from './types.ts';

const named = (names: object) =>
  Object.keys(names)
    .map((name) => `\`${name}\``)
    .join(', ');

export const rewardResources: ResourceTexts<'checkIn' | 'referral'> = {
  checkIn: {
    tag: 'Rewards',
    operations: {
      read: { summary: 'Get your check-in', description: 'Returns whether you can check in today.' },
      run: {
        summary: 'Check in',
        description: 'Adds a random amount of quota to your account, once per day (UTC).',
        data: 'Points added.',
        dataExample: 4200,
        query: { turnstile: 'Response token of the bot check, if the gateway requires it.' },
      },
    },
  },
  referral: {
    tag: 'Rewards',
    params: { id: 'ID of the payout.' },
    operations: {
      read: { summary: 'Get your referrals', description: 'Returns the terms and the sums of your referral shares.' },
      shares: {
        summary: 'List your referral shares',
        description: 'Returns your shares in the orders of users you invited, newest first.',
        data: 'The shares.',
      },
      transfer: {
        summary: 'Transfer referral shares',
        description: 'Adds available referral shares to your balance.',
      },
      ownPayouts: {
        summary: 'List your payouts',
        description: 'Returns your payout requests, newest first.',
        data: 'The payouts.',
      },
      requestPayout: {
        summary: 'Request a payout',
        description: 'Requests a payout of available referral shares, which an admin pays outside of the gateway.',
      },
      payouts: {
        summary: 'List payouts',
        description: 'Returns the payout requests of all users, newest first.',
        data: 'The payouts.',
        query: { state: `Only payouts in this state: ${named(payoutStates)}.` },
      },
      closePayout: {
        summary: 'Close a payout',
        description: 'Marks a payout as paid, or rejects it, which makes its shares available again.',
      },
    },
  },
};

export const rewardSchemas: SchemaTexts = {
  CheckIn: {
    description: 'The daily check-in of the caller.',
    fields: {
      enabled: 'True: check-ins are on.',
      checked_in: 'True: the caller has checked in today.',
      min_quota: 'Minimum of the random amount, in points.',
      max_quota: 'Maximum of the random amount, in points.',
      next_time: 'Start of the next day (UTC), Unix seconds.',
    },
    example: { enabled: true, checked_in: false, min_quota: 1000, max_quota: 10_000, next_time: 1_767_312_000 },
  },
  ReferralSummary: {
    description: 'Terms and sums of referral shares, in points.',
    fields: {
      enabled: 'True: orders earn shares.',
      percent: 'Share of the bought quota in percent.',
      fixed: 'Points per order, in addition to the percentage.',
      first_order_only: 'True: only the first order of an invited user earns a share.',
      cap: 'Maximum share per invited user. 0: no limit.',
      wait_days: 'Days during which refunds and disputes reduce a share.',
      payout_minimum: 'Minimum payout. 0: no payouts.',
      invited_users: 'Number of users who registered with the invite code.',
      waiting: 'Sum of the shares in the waiting period.',
      available: 'Sum of the shares that can be transferred or paid out.',
      transferred: 'Sum of the shares transferred to the balance.',
      requested: 'Sum of the open payout requests.',
      paid_out: 'Sum of the paid payouts.',
    },
    example: {
      enabled: true,
      percent: 10,
      fixed: 0,
      first_order_only: false,
      cap: 0,
      wait_days: 14,
      payout_minimum: 5_000_000,
      invited_users: 3,
      waiting: 500_000,
      available: 1_000_000,
      transferred: 0,
      requested: 0,
      paid_out: 0,
    },
  },
  ReferralShare: {
    description: 'The share in one order of an invited user.',
    fields: {
      username: 'Name of the invited user.',
      quota: 'Points of the share.',
      state: `State: ${named(shareStates)}.`,
      available_time: 'End of the waiting period, Unix seconds.',
    },
    example: { username: 'alice', quota: 500_000, state: 'waiting', available_time: 1_768_521_600 },
  },
  OwnPayout: {
    description: 'A payout request.',
    fields: {
      quota: 'Points to pay out.',
      details: 'Where to pay, as entered by the user.',
      state: `State: ${named(payoutStates)}.`,
      note: 'Note of the admin.',
      closed_time: 'When an admin closed the payout, Unix seconds. 0: open.',
    },
    example: { quota: 5_000_000, details: 'PayPal alice@example.com', state: 'requested', note: '', closed_time: 0 },
  },
  Payout: {
    description: 'A payout request of a user.',
    like: 'OwnPayout',
    fields: { user_id: 'ID of the user.', username: 'Name of the user.' },
    example: { user_id: 7, username: 'alice' },
  },
  ReferralTransferRequest: {
    description: 'A transfer of referral shares to the balance.',
    fields: { quota: 'Points to transfer.' },
    example: { quota: 1_000_000 },
  },
  PayoutRequest: {
    description: 'A payout of referral shares.',
    fields: { quota: 'Points to pay out.', details: 'Where to pay, at most 500 characters.' },
    example: { quota: 5_000_000, details: 'PayPal alice@example.com' },
  },
  PayoutDecision: {
    description: 'The decision about a payout request.',
    fields: { state: '`paid` or `rejected`.', note: 'Note for the user, at most 500 characters.' },
    example: { state: 'paid', note: 'Transfer 4711' },
  },
};
