import type { Page } from '@playwright/test';
import { setOption } from './people.ts';
import { expect, test } from './product.ts';

const hour = 3600;
const now = 1_790_000_000;
const shares = (count: number, odd: Readonly<Record<number, number | null>>) =>
  Array.from({ length: count }, (_, index) => (index in odd ? odd[index] : 1));
const span = (availability: number | null, latency: number | null, first_byte: number | null) => ({
  availability,
  latency,
  first_byte,
});

const several = {
  time: now,
  first_hour: now - (now % hour) - 23 * hour,
  first_day: now - (now % 86_400) - 89 * 86_400,
  models: [
    {
      model: 'claude-sonnet-4-5',
      day: span(1, 2300, 640),
      quarter: span(0.998, 2500, 700),
      hours: shares(24, {}),
      days: shares(90, { 40: 0.95, 41: 0.7 }),
    },
    {
      model: 'gpt-5',
      day: span(0.931, 41_000, 900),
      quarter: span(0.98, 12_000, null),
      hours: shares(24, { 3: 0.97, 22: 0.4, 23: 0.2, 8: null }),
      days: shares(90, { 89: 0.93 }),
    },
    {
      model: 'a-model-with-a-very-long-name/that-somebody-has-put-behind-several-slashes/and-dashes-0123456789-preview',
      day: span(null, null, null),
      quarter: span(null, null, null),
      hours: shares(24, Object.fromEntries(Array.from({ length: 24 }, (_, index) => [index, null]))),
      days: shares(90, Object.fromEntries(Array.from({ length: 90 }, (_, index) => [index, null]))),
    },
  ],
};

/** Switches the page on, and off again: tests of one worker share a product. */
async function withStatusPage(url: string, work: () => Promise<void>): Promise<void> {
  await setOption(url, 'StatusPageEnabled', 'true');
  try {
    await work();
  } finally {
    await setOption(url, 'StatusPageEnabled', 'false');
  }
}

const answerWith = (page: Page, data: object) =>
  page.route(/\/api\/public_status\/?$/, (route) => route.fulfill({ json: { success: true, message: '', data } }));
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`a visitor reads how the models do, at ${width} px, ${colorScheme}`, async ({ page, product }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await answerWith(page, several);
      await withStatusPage(product.url, async () => {
        await page.goto('/status');
        await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
        await expect(page.getByText('Trouble with 1 of 3 models')).toBeVisible();
        const gpt = page.getByRole('listitem').filter({ hasText: 'gpt-5' });
        await expect(gpt.getByText('Fails often')).toBeVisible();
        await expect(gpt.getByText('93.1 % available · median 41 s · first byte after 0.90 s')).toBeVisible();
        await expect(
          gpt.getByRole('img', { name: /^Last 24 hours: 93\.1 % available, at worst 20\.0 % .*; 1 of 24/ }),
        ).toBeVisible();
        await expect(gpt.getByRole('img').first().locator('> *')).toHaveCount(24);
        await expect(gpt.getByRole('img').last().locator('> *')).toHaveCount(90);
        const silent = page.getByRole('listitem').filter({ hasText: 'a-model-with' });
        await expect(silent.getByText('Not asked for lately')).toBeVisible();
        await expect(silent.getByRole('img', { name: 'Last 90 days: no requests' })).toBeVisible();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      });
    });

test('what the gateway itself says is shown, in Chinese too, and is in the menu', async ({ page, product }) => {
  await withStatusPage(product.url, async () => {
    await page.goto('/status');
    await expect(menu(page).getByRole('link', { name: 'Status' })).toBeVisible();
    // Other journeys ask the same gateway, and some have its channels fail.
    await expect(
      page.getByText(/All models answer|No models are offered yet|Trouble with|Not asked for lately/).first(),
    ).toBeVisible();
    await page.getByRole('button', { name: '中文' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '状态' })).toBeVisible();
    await expect(page.getByText(/所有模型均正常响应|尚未提供任何模型|个存在问题|近期无请求/).first()).toBeVisible();
  });
});

test('switched off the page says so, and has no place in the menu', async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByText('There is no status page here')).toBeVisible();
  await expect(menu(page).getByRole('link', { name: 'About' })).toBeVisible();
  await expect(menu(page).getByRole('link', { name: 'Status' })).toHaveCount(0);
});
