import type { Page } from '@playwright/test';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const node = (name: string, more: object = {}) => ({
  name,
  version: '0.1.0',
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

const answerWith = (page: Page, data: readonly object[]) =>
  page.route(/\/api\/node\/?$/, (route) => route.fulfill({ json: { success: true, message: '', data } }));

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`nodes are shown at ${width} px, ${colorScheme}: who is silent, who has missed a change, whose settings differ`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await signInAs(page, rootAccount);
      await page.goto('/node');
      // The one process on a SQLite file tells of itself.
      await expect(page.getByText('answers you')).toBeVisible();
      await expect(page.getByText('Alive')).toBeVisible();
      await answerWith(page, several);
      await page.reload();
      await expect(page.getByText('Silent')).toBeVisible();
      await expect(page.getByText('Has not confirmed a change of')).toBeVisible();
      await expect(page.getByText('differs')).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await answerWith(page, []);
      await page.reload();
      await expect(page.getByText('No node has told of itself yet')).toBeVisible();
    });
  }
}

test('the words of the page are there in Chinese', async ({ browser, product }) => {
  const context = await browser.newContext({ locale: 'zh-CN', baseURL: product.url });
  const page = await context.newPage();
  await signInAs(page, rootAccount);
  await answerWith(page, several);
  await page.goto('/node');
  await expect(page.getByRole('heading', { level: 1, name: '节点' })).toBeVisible();
  await expect(page.getByText('需要重启才能生效的设置')).toBeVisible();
  await expect(page.getByText('无响应')).toBeVisible();
  await context.close();
});
