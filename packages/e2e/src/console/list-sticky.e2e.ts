import type { Page } from '@playwright/test';
import { createManyChannels } from '../support/channels.ts';
import { rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';
import { seedLogs } from '../support/seed-logs.ts';

const nameHead = (page: Page) => page.getByRole('columnheader', { name: 'Name' });

const edgesOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom };
    });

/** True if another element covers the focused one or its focus ring. */
const isCovered = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return true;
    const { x, y, width, height } = focused.getBoundingClientRect();
    return [y - 3, y + height / 2, y + height + 3].some((level) => {
      const seen = document.elementFromPoint(x + width / 2, level);
      const row = focused.closest('tr, li');
      return !(seen && row?.contains(seen));
    });
  });

async function expectToolsInView(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 800));
  await expect(page.getByRole('searchbox')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Test all' })).toBeInViewport({ ratio: 1 });
  await expect(nameHead(page)).toBeInViewport({ ratio: 1 });
  const tools = await edgesOf(page, 'main [data-band]');
  const head = await edgesOf(page, 'main thead th');
  expect(Math.abs(tools.bottom - head.top)).toBeLessThanOrEqual(1);
  // At most two lines, to leave room for the rows.
  expect(tools.bottom).toBeLessThan(120);
}

async function expectFocusInView(page: Page): Promise<void> {
  await page.locator('main tbody').getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('toolbar')).toBeVisible();
  for (const key of ['ArrowDown', 'ArrowUp'])
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press(key);
      await expect.poll(() => isCovered(page), `${key} ${step}`).toBe(false);
    }
}

test('keeps the header, the toolbar and focused rows of a long list in view at every width', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInAs(page, rootAccount);
  const name = await createManyChannels(product.url, 60);
  await page.goto(`/channel?size=100&keyword=${name}`);
  await expect(page.locator('main tbody tr')).toHaveCount(60);
  await expectToolsInView(page);
  // A click on the sticky header sorts the list and does not reach the row below it.
  await nameHead(page).getByRole('button').click();
  await expect(nameHead(page)).toHaveAttribute('aria-sort', 'ascending');
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expectToolsInView(page);
  await nameHead(page).getByRole('button').click();
  await expect(nameHead(page)).toHaveAttribute('aria-sort', 'descending');
  // The sorted rows replace the old ones and would take the focus with them.
  await expect(page.locator('main tbody tr').first()).toContainText(`${name} 9`);

  await page.setViewportSize({ width: 1280, height: 700 });
  await expectFocusInView(page);

  // Columns that do not fit scroll within the table.
  await page.setViewportSize({ width: 900, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(900);
  await page.locator('main div:has(> table)').evaluate((frame) => frame.scrollTo(400, 900));
  await expect(page.getByRole('columnheader', { name: 'Priority' })).toBeInViewport();
  await expect(page.getByRole('columnheader', { name: 'Actions' })).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.locator('main ul > li')).toHaveCount(60);
  expect((await page.locator('main ul > li').first().boundingBox())?.height).toBeLessThanOrEqual(96);
  await page.evaluate(() => window.scrollTo(0, 1500));
  await expect(page.getByRole('searchbox')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Filters' })).toBeInViewport({ ratio: 1 });
});

test("keeps the log's header in view", async ({ page, product }) => {
  await signInAs(page, rootAccount);
  seedLogs(product, { owner: { id: 1, username: 'root' }, count: 60, newest: 1_790_000_000 });
  await page.goto('/log?type=2&size=50');
  await expect(page.locator('main tbody tr')).toHaveCount(50);
  await page.evaluate(() => window.scrollTo(0, 1200));
  await expect(page.getByRole('columnheader', { name: 'Completion' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
});
