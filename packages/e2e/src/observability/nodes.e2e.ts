import type { Page } from '@playwright/test';
import { rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const node = (name: string, more: object = {}) => ({
  name,
  version: '1.0.0',
  started_time: 1_700_000_000,
  is_this: false,
  seen_seconds: 1,
  is_silent: false,
  running: 3,
  lag_ms: 12,
  leases: 40,
  unconfirmed_time: 0,
  settings: { LOG_LEVEL: 'info', MAX_BODY_MB: '64' },
  ...more,
});

const several = [
  node('gate-a', { is_this: true }),
  node('gate-b', { settings: { LOG_LEVEL: 'info', MAX_BODY_MB: '8' } }),
  node('gate-c.a-very-long-name-of-a-machine.in-some-region.example.internal', {
    is_silent: true,
    seen_seconds: 200,
    unconfirmed_time: 1_700_000_100,
  }),
];

const mockNodes = (page: Page, data: readonly object[]) =>
  page.route(/\/api\/node\/?$/, (route) => route.fulfill({ json: { success: true, message: '', data } }));

test('shows nodes with long names and mismatched settings without horizontal scrolling', async ({ page }) => {
  await signInAs(page, rootAccount);
  await mockNodes(page, several);
  await page.goto('/node');
  await expect(page.getByText('Not responding')).toBeVisible();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
