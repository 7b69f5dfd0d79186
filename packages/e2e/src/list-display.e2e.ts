import type { Page } from '@playwright/test';
import { createChannel, createManyChannels } from './channels.ts';
import { violations } from './looks.ts';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const button = (page: Page) => page.getByRole('button', { name: 'Columns and density' });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Columns and density' });
const column = (page: Page, name: string) => panel(page).getByRole('checkbox', { name, exact: true });
const heads = (page: Page) => page.getByRole('columnheader');
const rowHeight = (page: Page) =>
  page
    .locator('main tbody tr')
    .first()
    .evaluate((row) => Math.round(row.getBoundingClientRect().height));

// The column Tag is shown where a channel has one.
const usual = ['ID', 'Name', 'Tag', 'Group', 'Type', 'Status', 'Response time', 'Priority', 'Actions'];

test.beforeEach(async ({ page, product }) => {
  await createChannel(product.url, { tag: 'batch' });
  await signInAs(page, rootAccount);
});

test('chooses columns by keyboard, and returns the focus', async ({ page, product }) => {
  const { name } = await createChannel(product.url);
  await page.goto(`/channel?keyword=${name}`);
  await expect(heads(page)).toHaveText(usual);
  await button(page).focus();
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('radio', { name: 'Comfortable' })).toBeFocused();
  for (const title of ['ID', 'Name', 'Tag', 'Group']) {
    await page.keyboard.press('Tab');
    await expect(column(page, title)).toBeFocused();
  }
  await page.keyboard.press('Space');
  await expect(heads(page)).toHaveText(usual.filter((title) => title !== 'Group'));
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(button(page)).toBeFocused();
});

test('keeps the chosen density in every list, with aligned selection boxes', async ({ page, product }) => {
  const name = await createManyChannels(product.url, 12);
  await page.goto(`/channel?keyword=${name}`);
  await expect.poll(() => rowHeight(page)).toBe(40);
  await expect(page.locator('main tbody').getByRole('checkbox')).toHaveCount(10);
  const centres = await page.evaluate(() =>
    [...document.querySelectorAll('main tr')].map((row) => {
      const box = row.querySelector('input[type="checkbox"]')?.getBoundingClientRect();
      const { y, height } = row.getBoundingClientRect();
      return box ? { x: box.x, off: Math.abs(box.y + box.height / 2 - y - height / 2) } : { x: -1, off: 99 };
    }),
  );
  expect([...new Set(centres.map(({ x }) => Math.round(x)))]).toHaveLength(1);
  for (const { off } of centres) expect(off).toBeLessThanOrEqual(1.5);
  await button(page).click();
  await panel(page).getByText('Compact').click();
  await expect.poll(() => rowHeight(page)).toBe(32);
  await page.goto('/user');
  await expect.poll(() => rowHeight(page)).toBe(32);
});

test('the panel is accessible, light and dark', async ({ page, product }) => {
  const name = await createManyChannels(product.url, 3);
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/channel?keyword=${name}`);
    await page.getByRole('checkbox', { name: `Select ${name} 1`, exact: true }).check();
    await expect(page.getByRole('toolbar')).toBeVisible();
    await button(page).click();
    await expect(column(page, 'Name')).toBeVisible();
    const found = await violations(page);
    faults.push(...found.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
  }
  expect(faults).toEqual([]);
});

test('shows more columns and rows on a wide screen', async ({ page, product }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  const name = await createManyChannels(product.url, 40);
  await page.goto(`/channel?keyword=${name}`);
  await expect(heads(page)).toHaveText([...usual.slice(0, -1), 'Used quota', 'Created', 'Actions']);
  await expect(page.locator('main tbody tr')).toHaveCount(25);
  const table = await page.getByRole('table').boundingBox();
  expect(table?.width).toBeGreaterThan(2200);
});
