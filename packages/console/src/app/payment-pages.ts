import { IconReceipt2, IconWallet } from '@tabler/icons-react';
import type { Page } from './page.ts';

/** Orders, plans, receipts, referrals and payouts: pages without a menu entry. */
export const paymentPages: readonly Page[] = [
  {
    path: '/order/:id',
    access: 'admin',
    title: 'Order',
    load: async () => (await import('../pages/order/order-page.tsx')).OrderPage,
  },
  {
    path: '/plan',
    access: 'admin',
    menu: { label: 'Plans', icon: IconReceipt2, group: 'people', section: 'billing' },
    load: async () => (await import('../pages/plan/plan-list-page.tsx')).PlanListPage,
  },
  {
    path: '/plan/user',
    access: 'admin',
    title: 'Assigned plans',
    menuPath: '/plan',
    load: async () => (await import('../pages/plan/user-plan-list-page.tsx')).UserPlanListPage,
  },
  {
    path: '/payout',
    access: 'admin',
    menu: { label: 'Payouts', icon: IconWallet, group: 'people', section: 'billing' },
    load: async () => (await import('../pages/payout/payout-list-page.tsx')).PayoutListPage,
  },
  {
    path: '/topup/order/:number',
    access: 'user',
    title: 'Receipt',
    load: async () => (await import('../pages/topup/receipt-page.tsx')).ReceiptPage,
  },
  {
    path: '/topup/referral',
    access: 'user',
    title: 'Referrals',
    load: async () => (await import('../pages/referral/referral-page.tsx')).ReferralPage,
  },
];
