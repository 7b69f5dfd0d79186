import type { Page } from '@playwright/test';
import { createManyChannels } from './channels.ts';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

const heads = (page: Page) => page.getByRole('columnheader', { name: 'Name' });

/** Opens a list of so many channels on one page, and waits for its last row. */
async function openMany(page: Page, url: string, count: number): Promise<void> {
  const name = await createManyChannels(url, count);
  await page.goto(`/channel?size=100&keyword=${name}`);
  await expect(page.locator('main tbody tr, main ul > li')).toHaveCount(count);
}

const heightOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom };
    });

/** What is seen at the middle of an element: itself, or what covers it. */
const isCovered = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return true;
    const { x, y, width, height } = focused.getBoundingClientRect();
    // With the ring around it.
    return [y - 3, y + height / 2, y + height + 3].some((level) => {
      const seen = document.elementFromPoint(x + width / 2, level);
      const row = focused.closest('tr, li');
      return !(seen && row?.contains(seen));
    });
  });

test.beforeEach(({ page }) => signInAs(page, rootAccount));

for (const [width, height] of [
  [1280, 800],
  [2560, 1440],
] as const)
  test(`head and tools stay in sight while a long list scrolls, in a window of ${width} pixels`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width, height });
    await openMany(page, product.url, 90);
    await page.evaluate(() => window.scrollTo(0, 1500));
    await expect(page.getByRole('searchbox')).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Test all' })).toBeInViewport({ ratio: 1 });
    await expect(heads(page)).toBeInViewport({ ratio: 1 });
    const tools = await heightOf(page, 'main [data-band]');
    const head = await heightOf(page, 'main thead th');
    expect(Math.abs(tools.bottom - head.top)).toBeLessThanOrEqual(1);
    // Two lines: the rest of the window is for the rows.
    expect(tools.bottom).toBeLessThan(120);
    // What can be pressed there is pressed, not a row beneath.
    await heads(page).getByRole('button').click();
    await expect(heads(page)).toHaveAttribute('aria-sort', 'ascending');
  });

test('by keyboard nothing is focused beneath the head, the tools or the bar of what is selected', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await openMany(page, product.url, 60);
  await page.locator('main tbody').getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('toolbar')).toBeVisible();
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('ArrowDown');
    expect(await isCovered(page), `row ${step} on the way down`).toBe(false);
  }
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('ArrowUp');
    expect(await isCovered(page), `row ${step} on the way up`).toBe(false);
  }
});

test('where the columns do not fit, they scroll in their own place and the head stays above them', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 900, height: 700 });
  await openMany(page, product.url, 60);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(900);
  const table = page.locator('main div:has(> table)');
  await table.evaluate((place) => place.scrollTo(400, 900));
  await expect(page.getByRole('columnheader', { name: 'Priority' })).toBeInViewport();
  await expect(page.getByRole('columnheader', { name: 'Actions' })).toBeInViewport({ ratio: 1 });
});

test('the head of the log stays in sight', async ({ page, product }) => {
  seedLogs(product, { owner: { id: 1, username: 'root' }, count: 60, newest: 1_790_000_000 });
  await page.goto('/log?type=2&size=50');
  await expect(page.locator('main tbody tr')).toHaveCount(50);
  await page.evaluate(() => window.scrollTo(0, 1200));
  await expect(page.getByRole('columnheader', { name: 'Completion' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
});

test('on a phone the search stays in sight', async ({ page, product }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openMany(page, product.url, 30);
  await page.evaluate(() => window.scrollTo(0, 1500));
  await expect(page.getByRole('searchbox')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Filters' })).toBeInViewport({ ratio: 1 });
});
