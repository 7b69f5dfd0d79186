import { setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openWithNavigation } from '../../testing/open-console.tsx';
import { findRow } from '../../testing/page.ts';

const hour = 3600;
const now = 1_790_000_000;
const shares = (count: number, odd: Readonly<Record<number, number | null>>) =>
  Array.from({ length: count }, (_, index) => (index in odd ? odd[index] : 1));
const none = (count: number) => Array.from({ length: count }, () => null);

const threeModels = {
  time: now,
  first_hour: now - (now % hour) - 23 * hour,
  first_day: now - (now % 86_400) - 89 * 86_400,
  models: [
    {
      model: 'claude-sonnet-4-5',
      day: { availability: 1, latency: 2300, first_byte: 640 },
      quarter: { availability: 0.998, latency: 2500, first_byte: 700 },
      hours: shares(24, {}),
      days: shares(90, { 40: 0.95, 41: 0.7 }),
    },
    {
      model: 'gpt-5',
      day: { availability: 0.931, latency: 41_000, first_byte: 900 },
      quarter: { availability: 0.98, latency: 12_000, first_byte: null },
      hours: shares(24, { 3: 0.97, 22: 0.4, 23: 0.2, 8: null }),
      days: shares(90, { 89: 0.93 }),
    },
    {
      model: 'silent-model',
      day: { availability: null, latency: null, first_byte: null },
      quarter: { availability: null, latency: null, first_byte: null },
      hours: none(24),
      days: none(90),
    },
  ],
};

async function enableStatusPage(): Promise<void> {
  const url = await gatewayUrl();
  await setOption(url, 'StatusPageEnabled', 'true');
  onTestFinished(() => setOption(url, 'StatusPageEnabled', 'false'));
}

const menu = async () => within(await screen.findByRole('navigation', { name: 'Main menu' }));

it('shows visitors the availability of each model', async () => {
  await enableStatusPage();
  const network = new Network();
  network.route('GET', /^\/api\/public_status\/?$/, () =>
    Response.json({ success: true, message: '', data: threeModels }),
  );
  await openWithNavigation('/status', { network });
  await screen.findByRole('heading', { level: 1, name: 'Status' });
  await screen.findByText('Problems with 1 of 3 models');
  // The gateway sorts by name; the page lists failing models first.
  expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('gpt-5');
  const gpt = within(await findRow('gpt-5', 'listitem'));
  gpt.getByText('Degraded');
  gpt.getByText('93.1% available · median 41 s · first byte 900 ms');
  const [hours, days] = gpt.getAllByRole('slider');
  expect(hours?.getAttribute('aria-label')).toMatch(/^Last 24 hours: 93\.1% available, lowest 20\.0% .*; 1 of 24/);
  expect([hours?.children.length, days?.children.length]).toEqual([24, 90]);
  const silent = within(await findRow('silent-model', 'listitem'));
  silent.getByText('No recent requests');
  silent.getByRole('slider', { name: 'Last 90 days: no requests' });
});

it('the status page has no menu for visitors', async () => {
  await enableStatusPage();
  await openWithNavigation('/status');
  await screen.findByRole('heading', { level: 1, name: 'Status' });
  expect(screen.queryByRole('navigation', { name: 'Main menu' })).toBeNull();
});

it('shows that the status page is disabled, and hides it from the menu', async () => {
  await openWithNavigation('/status');
  await screen.findByText('The status page is turned off');
  await openWithNavigation('/');
  const entries = await menu();
  await entries.findByRole('link', { name: 'About' });
  expect(entries.queryByRole('link', { name: 'Status' })).toBeNull();
});
