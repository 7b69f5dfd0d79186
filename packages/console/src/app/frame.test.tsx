import { role } from '@headgate/contract';
import { type Account, createTestUser, rootAccount } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { advanceTime, expectWithoutDelay, stopClock } from '../testing/clock.ts';
import { gatewayUrl } from '../testing/gateway.ts';
import { Network } from '../testing/network.ts';
import { openWithNavigation, phoneWindowWidth } from '../testing/open-console.tsx';
import { expectAddress, expectMessage, findButton } from '../testing/page.ts';
import { pages } from './pages.ts';

const person = async (options?: Parameters<typeof createTestUser>[1]) => createTestUser(await gatewayUrl(), options);
const admin = () => person({ role: role.admin });

/** A network that changes these fields of the gateway status. */
function networkWith(change: object): Network {
  const network = new Network();
  network.change('GET', '/api/status', (status: object) => ({ ...status, ...change }));
  return network;
}

describe('pages for visitors', () => {
  it('[S2.1 S2.2 S2.25 S2.31] visitor pages open without an account', async () => {
    for (const [path, text] of [
      ['/', 'GitHub login'],
      ['/login', 'Log in'],
      ['/register', 'Register'],
      ['/reset', 'Send reset email'],
      ['/user/reset', 'Reset password'],
      ['/oauth/github', 'Logging in…'],
      ['/oauth/lark', 'Logging in…'],
      ['/about', 'About'],
      ['/nowhere/at/all', 'Page not found'],
    ] as const) {
      const network = new Network();
      // Otherwise a successful call would navigate away from the provider callback page.
      network.hold('GET', /^\/api\/oauth\/(github|lark)$/);
      await openWithNavigation(`${path}?code=x&state=y&email=a%40b.example&token=t`, { network });
      const main = within(await screen.findByRole('main'));
      await main.findAllByText(text);
      await main.findByRole('heading', { level: 1 });
      expect(window.location.pathname).toBe(path);
    }
  });

  it('[S2.11 S2.27] an unknown path shows an error', async () => {
    await openWithNavigation('/oauth/wechat');
    await screen.findByText('Page does not exist, please check your browser address');
    await expect.poll(() => document.title).toBe('Page not found · Headgate');
  });

  it('[S2.28] every other page redirects visitors to login', async () => {
    const guarded = pages.filter(({ access }) => access !== 'visitor').map(({ path }) => path);
    const specified = ['channel', 'token', 'redemption', 'user', 'setting', 'topup', 'log'];
    const added = [
      ...[
        'alerts',
        'budget',
        'compare',
        'failure',
        'limit',
        'log-export',
        'node',
        'order',
        'organization',
        'payout',
        'plan',
        'playground',
      ],
      ...['prices', 'routing', 'statement', 'usage'],
    ];
    const sections = new Set(guarded.map((path) => path.split('/')[1]));
    expect([...sections].sort()).toEqual([...specified, ...added].sort());
    for (const path of guarded) {
      await openWithNavigation(path.replace(':id', '1'));
      await expectAddress('/login');
    }
  });

  it('[S1.21 S1.22 S2.33 S2.34 S2.36] visitor pages show the configured or default name and logo, and the login link', async () => {
    for (const [status, title, logo] of [
      [{ system_name: 'Our gate', logo: '/logo.png?own' }, 'Our gate', '/logo.png?own'],
      [{ system_name: '', logo: '' }, 'Headgate', '/logo.png'],
      [{ system_name: undefined }, 'Headgate', '/logo.png'],
    ] as const) {
      localStorage.clear();
      const { user } = await openWithNavigation('/', { network: networkWith(status) });
      const banner = within(await screen.findByRole('banner'));
      await banner.findByRole('link', { name: title });
      await expect.poll(() => document.title).toBe(title);
      await expect.poll(() => document.querySelector('header img')?.getAttribute('src')).toBe(logo);
      await user.click(banner.getByRole('link', { name: 'Log in' }));
      await expectAddress('/login');
    }
  });
});

describe('gateway status', () => {
  const stored = () => ({ ...localStorage }) as Record<string, string>;

  it('[S3.9 S3.10 S3.14 S3.15] stores the gateway status in the browser, with name, logo and quota per dollar', async () => {
    await openWithNavigation('/');
    await expect.poll(() => localStorage.getItem('status')).toBeTruthy();
    expect(stored()).toMatchObject({ system_name: 'Headgate', logo: '', quota_per_unit: '500000' });
    const other = { system_name: 'Gate', logo: '/gate.png', quota_per_unit: 1000 };
    await openWithNavigation('/', { network: networkWith(other) });
    await expect.poll(stored).toMatchObject({ ...other, quota_per_unit: '1000' });
  });

  it('[S3.11] stores the footer in the browser under footer_html', async () => {
    await openWithNavigation('/');
    await expect.poll(() => localStorage.getItem('footer_html')).toBe('');
    await openWithNavigation('/', { network: networkWith({ footer_html: '<i>Ours</i>' }) });
    await expect.poll(() => localStorage.getItem('footer_html')).toBe('<i>Ours</i>');
  });

  it('[S3.16] stores the quota unit in the browser under display_in_currency', async () => {
    await openWithNavigation('/');
    await expect.poll(() => localStorage.getItem('display_in_currency')).toBe('true');
    await openWithNavigation('/', { network: networkWith({ display_in_currency: false }) });
    await expect.poll(() => localStorage.getItem('display_in_currency')).toBe('false');
  });

  it('[S7.3 S8.9] requests the gateway status on start, and shows an error on failure', async () => {
    for (const respond of [
      () => Response.json({ success: false, message: 'asleep', data: { system_name: 'Believed' } }),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]) {
      const network = new Network();
      network.route('GET', '/api/status', respond);
      await openWithNavigation('/about', { network });
      await expectMessage('Cannot connect to the server normally', 'error');
      await expect.poll(() => document.title).toBe('About · Headgate');
      expect(localStorage.getItem('status')).toBeNull();
    }
    await openWithNavigation('/about', { network: networkWith({ system_name: 'Believed' }) });
    await expect.poll(() => document.title).toBe('About · Believed');
  });
});

describe('main menu', () => {
  const forEveryone = [
    ...[
      'Home',
      'Models',
      'Playground',
      'Logs',
      'Usage',
      'Tokens',
      'Budgets',
      'Top-up',
      'Organization',
      'Settings',
      'About',
    ],
  ];
  const forAdmins = [
    ...['Home', 'Channels', 'Models', 'Playground', 'Logs', 'Usage', 'Monitoring', 'Users', 'Billing', 'Tokens'],
    ...['Settings', 'About'],
  ];
  const links = () =>
    [...document.querySelectorAll('nav[aria-label="Main menu"] a')].map(({ textContent }) => textContent);

  it('[S2.37] the menu is the same for visitors and common users, and its links work', async () => {
    await openWithNavigation('/');
    await expect.poll(links).toEqual(forEveryone);
    const { user } = await openWithNavigation('/', { as: await person() });
    await expect.poll(links).toEqual(forEveryone);
    for (const [name, path] of [
      ['Tokens', '/token'],
      ['Top-up', '/topup'],
      ['Logs', '/log'],
      ['Settings', '/setting'],
      ['About', '/about'],
      ['Home', '/'],
    ] as const) {
      await user.click(within(screen.getByRole('navigation', { name: 'Main menu' })).getByRole('link', { name }));
      await expectAddress(path);
    }
  });

  it('[S1.19 S2.37 S2.38] the menu has more entries for admins, and the same for root', async () => {
    const seen = async (account: Account) => {
      await openWithNavigation('/setting', { as: account });
      await screen.findByRole('tab', { name: 'Other settings' });
      await screen.findByRole('navigation', { name: 'Main menu' });
      return [...links(), ...screen.getAllByRole('tab').map(({ textContent }) => textContent)];
    };
    const byAdmin = await seen(await admin());
    expect(byAdmin.slice(0, -4)).toEqual(forAdmins);
    expect(forAdmins.length).toBeLessThanOrEqual(12);
    expect(await seen(rootAccount)).toEqual(byAdmin);
  });

  it('[S2.37 S2.38] admins reach the pages of a section by its tabs', async () => {
    const { user } = await openWithNavigation('/', { as: await admin() });
    const tabs = () => [...document.querySelectorAll('main nav a')].map(({ textContent }) => textContent);
    for (const [entry, names] of [
      ['Users', ['Users', 'Organizations', 'Organization']],
      ['Billing', ['Redemption codes', 'Orders', 'Plans', 'Payouts', 'Budgets', 'Top-up']],
      ['Usage', ['Usage', 'Failures', 'Compare']],
      ['Monitoring', ['Alerts', 'Nodes']],
      ['Models', ['Models', 'Prices', 'Routing', 'Limits']],
    ] as const) {
      const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
      await user.click(menu.getByRole('link', { name: entry }));
      await expect.poll(tabs).toEqual(names);
      for (const name of names) {
        await user.click(within(screen.getByRole('navigation', { name: entry })).getByRole('link', { name }));
        await expect.poll(() => document.querySelector('main nav [aria-current]')?.textContent).toBe(name);
        expect(menu.getByRole('link', { name: entry }).getAttribute('aria-current')).toBe('page');
        expect(document.querySelectorAll('nav[aria-label="Main menu"] [aria-current]')).toHaveLength(1);
      }
    }
  });

  it('the menu highlights the current page, and Settings on the profile page', async () => {
    for (const [path, entry] of [
      ['/channel/add', 'Channels'],
      ['/user/add', 'Users'],
      ['/user/edit', 'Settings'],
      ['/organization/all', 'Users'],
    ] as const) {
      await openWithNavigation(path, { as: rootAccount });
      await expect
        .poll(() =>
          [...document.querySelectorAll('nav[aria-label="Main menu"] [aria-current="page"]')].map(
            ({ textContent }) => textContent,
          ),
        )
        .toEqual([entry]);
    }
  });

  it('[S2.41] the phone drawer offers visitors login and registration', async () => {
    for (const [name, path] of [
      ['Log in', '/login'],
      ['Register', '/register'],
    ] as const) {
      const { user } = await openWithNavigation('/', { width: phoneWindowWidth });
      await user.click(await findButton('Menu'));
      await user.click(within(await screen.findByRole('dialog')).getByRole('link', { name }));
      await expectAddress(path);
    }
  });

  it('[S2.42 S2.35 S8.16] logging out from the menu ends the session and removes the stored account', async () => {
    const account = await person();
    const { user, network } = await openWithNavigation('/', { as: account, width: phoneWindowWidth });
    await user.click(await findButton('Menu'));
    expect(within(await screen.findByRole('dialog')).queryByRole('link', { name: 'Log in' })).toBeNull();
    await user.click(await findButton(new RegExp(`^Account ${account.username}`)));
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    await expectAddress('/login');
    await expectMessage('Logout successful');
    expect(localStorage.getItem('user')).toBeNull();
    expect((await network.fetch('/api/user/self')).status).toBe(401);
  });
});

it('updates the document title with the page and the language', async () => {
  const { user } = await openWithNavigation('/channel', { as: rootAccount });
  await expect.poll(() => document.title).toBe('Channels · Headgate');
  await user.click((await screen.findAllByRole('link', { name: 'Add channel' }))[0] as HTMLElement);
  await expect.poll(() => document.title).toBe('Add channel · Headgate');
  window.history.back();
  await expect.poll(() => document.title).toBe('Channels · Headgate');
  await user.click(await findButton('中文'));
  await expect.poll(() => document.title).toBe('渠道 · Headgate');
});

describe('tooltips', () => {
  it('[S9.39 S9.40] tooltips open 50 ms after the pointer arrives and close 70 ms after it leaves', async () => {
    const { user } = await openWithNavigation('/channel', { as: rootAccount });
    const button = await findButton('Refresh');
    // Without layout the tooltip is off screen and has no accessible name.
    const tooltip = () => screen.queryByRole('tooltip')?.textContent;
    stopClock();
    await user.hover(button);
    await advanceTime(49);
    expect(tooltip()).toBeUndefined();
    await advanceTime(1);
    await expectWithoutDelay(() => tooltip() === 'Refresh');
    await user.unhover(button);
    await advanceTime(69);
    expect(tooltip()).toBe('Refresh');
    await advanceTime(1);
    await expectWithoutDelay(() => tooltip() === undefined);
  });
});

it('shows a page that requires login only after the gateway status has loaded', async () => {
  const network = new Network();
  const release = network.hold('GET', '/api/status');
  await openWithNavigation('/setting?tab=system', { as: rootAccount, network });
  await import('../pages/setting/setting-page.tsx');
  await screen.findByRole('main');
  expect(network.sent('GET', '/api/option/')).toEqual([]);
  release();
  // The link depends on the extensions flag of the status, so it appears together with the page.
  const section = (await screen.findByRole('heading', { name: 'SMTP' })).closest('section') as HTMLElement;
  within(section).getByRole('link', { name: 'Change history' });
});
