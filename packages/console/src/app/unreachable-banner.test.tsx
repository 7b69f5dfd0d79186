import { createTestUser } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../testing/gateway.ts';
import { Network } from '../testing/network.ts';
import { openConsole, openWithNavigation } from '../testing/open-console.tsx';
import { messages } from '../testing/page.ts';

const banner = 'The gateway is not reachable. Retrying…';
const unreachable = () => {
  throw new TypeError('fetch failed');
};
const openAs = async (path: string, network = new Network()) =>
  openWithNavigation(path, { as: await createTestUser(await gatewayUrl()), network });

it('shows a banner while the gateway is unreachable, and reloads failed data when it is back', async () => {
  const { user, network } = await openAs('/about');
  await screen.findByRole('heading', { level: 1 });
  const tokens = await screen.findByRole('link', { name: 'Tokens' });
  const restore = network.route('GET', /^\/api\//, unreachable);
  await user.click(tokens);
  await screen.findAllByText(banner);
  expect(screen.getByRole('contentinfo').textContent).toContain('not reachable');
  restore();
  await screen.findByText('default');
  await expect.poll(() => screen.queryByText(banner)).toBeNull();
  expect(screen.getByRole('contentinfo').textContent).not.toContain('not reachable');
});

it("[S8.7] shows only the specification's message if one call fails and the gateway is reachable", async () => {
  const network = new Network();
  network.route('GET', '/api/token/', unreachable);
  await openAs('/token', network);
  await expect.poll(() => messages('error').join()).toContain('错误：The server cannot be reached.');
  // Besides loading the status, the console probes whether the gateway is reachable.
  await expect.poll(() => network.sent('GET', '/api/status').length).toBeGreaterThan(1);
  expect(screen.queryByText(banner)).toBeNull();
});

it("[S8.6] adds a hint to the specification's message if a proxy responds instead of the gateway", async () => {
  const network = new Network();
  network.route('GET', '/api/token/', () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await openAs('/token', network);
  await expect.poll(() => messages('error')[0]).toMatch(/错误：HTTP 502.*The gateway is not reachable\./s);
});

it('shows no version in the footer before the status has loaded', async () => {
  const network = new Network();
  const release = network.hold('GET', '/api/status');
  await openConsole('/about', { network });
  expect((await screen.findByRole('contentinfo')).textContent).toBe('Headgate');
  release();
  await expect.poll(() => screen.getByRole('contentinfo').textContent).toMatch(/\d/);
});
