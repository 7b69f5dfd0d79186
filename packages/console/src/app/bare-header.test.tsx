import { createTestUser } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../testing/gateway.ts';
import { Network } from '../testing/network.ts';
import { openWithNavigation, phoneWindowWidth } from '../testing/open-console.tsx';
import { expectAddress } from '../testing/page.ts';

const widths = [1280, phoneWindowWidth];

/** Pages without navigation, and the link in their header. */
const pages = {
  '/login': ['Register', '/register'],
  '/register': ['Log in', '/login'],
  '/reset': ['Log in', '/login'],
  '/user/reset?email=ada@example.com&token=abc': ['Log in', '/login'],
  '/oauth/github?code=c&state=s': ['Log in', '/login'],
} as const;

/** A network whose provider sign-in never completes. */
function pendingSignIn(): Network {
  const network = new Network();
  network.hold('GET', '/api/oauth/github');
  return network;
}

const findHeader = async () => within(await screen.findByRole('banner'));

it('[S2.33 S2.34 S2.36] links pages without navigation to home and login, and switches language and color scheme', async () => {
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  for (const width of widths)
    for (const [path, [label, target]] of Object.entries(pages)) {
      const { user } = await openWithNavigation(path, { width, network: pendingSignIn() });
      const header = await findHeader();
      const link = await header.findByRole('link', { name: label });
      expect(link.getAttribute('href'), path).toBe(target);
      const before = scheme();
      await user.click(header.getByRole('button', { name: /^Switch to/ }));
      expect(scheme(), path).not.toBe(before);
      await user.click(header.getByRole('button', { name: '中文' }));
      await expect.poll(() => document.documentElement.lang).toBe('zh-CN');
      await expect.poll(() => header.queryByRole('link', { name: label })).toBeNull();
      const home = header.getByRole('link', { name: 'Headgate' });
      expect(home.querySelector('img')?.getAttribute('src')).toBe('/logo.png');
      await user.click(home);
      await expectAddress('/');
    }
});

it('does not offer login or registration to a signed-in user', async () => {
  const person = await createTestUser(await gatewayUrl());
  for (const width of widths) {
    await openWithNavigation('/oauth/github?code=c&state=s', { as: person, width, network: pendingSignIn() });
    const header = await findHeader();
    await header.findByRole('link', { name: 'Headgate' });
    expect(header.queryByRole('link', { name: /Log in|Register/ })).toBeNull();
  }
});
