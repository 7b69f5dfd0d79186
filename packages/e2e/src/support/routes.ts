import { readFileSync } from 'node:fs';
import { fillPath } from '@headgate/contract';
import { expect, type Page } from '@playwright/test';
import type { SeededIds } from './seed-gateway.ts';

export interface Route {
  /** Name of the screenshot. */
  readonly name: string;
  readonly path: string;
  readonly isForVisitors: boolean;
}

interface ListedPage {
  /** Name of the screenshot, or several names with the query string of each variant. */
  readonly name: string | Readonly<Record<string, string>>;
  /** Resource whose id replaces `:id`. */
  readonly id?: keyof SeededIds;
  readonly isForVisitors?: true;
}

/** All paths of the console's page table with their screenshot names. A test compares the two. */
export const listedPages: Readonly<Record<string, ListedPage>> = {
  '/': { name: 'home', isForVisitors: true },
  '/login': { name: 'login', isForVisitors: true },
  '/register': { name: 'register', isForVisitors: true },
  '/reset': { name: 'reset', isForVisitors: true },
  '/user/reset': { name: { 'reset-confirm': '?email=ada@example.com&token=abc' }, isForVisitors: true },
  // The other providers use the same page.
  '/oauth/github': { name: { 'signing-in': '?code=c&state=s' }, isForVisitors: true },
  '/oauth/lark': { name: {}, isForVisitors: true },
  '/oauth/oidc': { name: {}, isForVisitors: true },
  '/oauth/sso/:id': { name: {}, isForVisitors: true },
  '/token': { name: 'tokens' },
  '/token/add': { name: 'token-add' },
  '/token/edit/:id': { name: 'token-edit', id: 'token' },
  '/budget': { name: 'budgets' },
  '/topup': { name: 'top-up' },
  '/topup/order/:number': { name: {} },
  '/topup/referral': { name: 'referrals' },
  '/plan': { name: 'plans' },
  '/plan/user': { name: 'user-plans' },
  '/payout': { name: 'payouts' },
  '/order': { name: 'orders' },
  '/order/:id': { name: {} },
  '/log': { name: 'logs' },
  '/usage': { name: 'usage' },
  '/catalog': { name: { models: '', 'model-details': '?open=gpt-4o' } },
  '/statement': { name: 'statement' },
  '/organization': { name: 'organization' },
  '/organization/all': { name: 'organizations' },
  '/organization/invitation': { name: 'invitation' },
  '/prices': { name: 'prices' },
  '/playground': { name: 'playground' },
  '/chat': { name: 'chat' },
  '/channel': { name: 'channels' },
  '/channel/add': { name: 'channel-add' },
  '/channel/edit/:id': { name: 'channel-edit', id: 'channel' },
  '/channel/view/:id': { name: 'channel-view', id: 'channel' },
  '/failure': { name: 'failures' },
  '/compare': { name: 'comparison' },
  '/alerts': { name: 'alerts' },
  '/log-export': { name: 'log-export' },
  '/node': { name: 'nodes' },
  '/limit': { name: 'limits' },
  '/limit/add': { name: 'limit-add' },
  '/limit/edit/:id': { name: 'limit-edit', id: 'limit' },
  '/routing': { name: 'routing' },
  '/redemption': { name: 'redemptions' },
  '/redemption/add': { name: 'redemption-add' },
  '/redemption/edit/:id': { name: 'redemption-edit', id: 'redemption' },
  '/user': { name: 'users' },
  '/user/add': { name: 'user-add' },
  '/user/edit/:id': { name: 'user-edit', id: 'user' },
  '/user/view/:id': { name: 'user-view', id: 'user' },
  '/user/edit': { name: 'profile' },
  '/setting': {
    name: {
      'settings-personal': '',
      'settings-operation': '?tab=operation',
      'settings-system': '?tab=system',
      'settings-other': '?tab=other',
    },
  },
  '/status': { name: 'status', isForVisitors: true },
  '/about': { name: 'about', isForVisitors: true },
};

/** A path without a page. */
const missingPage: Route = { name: 'not-found', path: '/nowhere', isForVisitors: true };

/** All pages in all variants, with ids of existing resources. */
export function allRoutes(seededIds: SeededIds): Route[] {
  const routes = Object.entries(listedPages).flatMap(([page, { name, id, isForVisitors = false }]) => {
    const path = fillPath(page, id ? { id: seededIds[id] } : {});
    const variants = typeof name === 'string' ? { [name]: '' } : name;
    return Object.entries(variants).map(([variant, search]) => ({ name: variant, path: path + search, isForVisitors }));
  });
  return [...routes, missingPage];
}

/** A page of the console and its required role. */
interface ConsolePage {
  readonly path: string;
  readonly access: string;
}

/** The console's page table, parsed as text because these tests do not import the product. */
export function consolePages(): ConsolePage[] {
  const table = ['pages.ts', 'payment-pages.ts', 'sign-in-pages.ts']
    .map((name) => readFileSync(new URL(`../../../console/src/app/${name}`, import.meta.url), 'utf8'))
    .join('');
  return [...table.matchAll(/^ {4}path: '([^']+)',\n {4}access: '(\w+)',$/gm)].map(([, path = '', access = '']) => ({
    path,
    access,
  }));
}

/** Never responds to the provider callback, so that the page can be captured while it waits. */
export const blockSignIn = (page: Page): Promise<unknown> => page.route('**/api/oauth/github**', () => undefined);

/** Waits until no placeholder is left on the page. */
export const waitUntilLoaded = (page: Page): Promise<void> =>
  expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root')).toHaveCount(0);
