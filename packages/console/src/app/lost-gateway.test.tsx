import { createPerson } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../testing/gateway.ts';
import { Network } from '../testing/network.ts';
import { openConsole } from '../testing/open-console.tsx';
import { messages } from '../testing/page.ts';

const banner = 'The gateway is not reachable. Retrying…';
const unreachable = () => {
  throw new TypeError('fetch failed');
};
const openAs = async (path: string, network = new Network()) =>
  openConsole(path, { as: await createPerson(await gatewayUrl()), network });

it('says that the gateway is not reachable, and loads what had failed when it is back', async () => {
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

it('[S8.7] shows only the message of the specification when one call fails while the gateway is there', async () => {
  const network = new Network();
  network.route('GET', '/api/token/', unreachable);
  await openAs('/token', network);
  await expect.poll(() => messages('error').join()).toContain('错误：The server cannot be reached.');
  // The console asks the gateway whether it is there, beside reading its status.
  await expect.poll(() => network.sent('GET', '/api/status').length).toBeGreaterThan(1);
  expect(screen.queryByText(banner)).toBeNull();
});

it('[S8.6] says beside the message of the specification when a proxy answers for the gateway', async () => {
  const network = new Network();
  network.route('GET', '/api/token/', () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await openAs('/token', network);
  await expect.poll(() => messages('error')[0]).toMatch(/错误：HTTP 502.*The gateway is not reachable\./s);
});

it('shows no version in the footer before the gateway has sent it', async () => {
  const network = new Network();
  const release = network.hold('GET', '/api/status');
  await openConsole('/about', { network });
  expect((await screen.findByRole('contentinfo')).textContent).toBe('Headgate');
  release();
  await expect.poll(() => screen.getByRole('contentinfo').textContent).toMatch(/\d/);
});
