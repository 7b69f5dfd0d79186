import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { createChannel, createManyChannels } from './channels.ts';
import { freshName, rootAccount, signInAs } from './people.ts';
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

const usual = ['ID', 'Name', 'Group', 'Type', 'Status', 'Response time', 'Priority', 'Actions'];

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('columns are chosen by keyboard, kept for this list alone, and given back', async ({ page, product }) => {
  const { name } = await createChannel(product.url);
  await page.goto(`/channel?keyword=${name}`);
  await expect(heads(page)).toHaveText(usual);
  await button(page).focus();
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('radio', { name: 'Comfortable' })).toBeFocused();
  for (const title of ['ID', 'Name', 'Group']) {
    await page.keyboard.press('Tab');
    await expect(column(page, title)).toBeFocused();
  }
  await page.keyboard.press('Space');
  await expect(heads(page)).toHaveText(usual.filter((title) => title !== 'Group'));
  await column(page, 'Used quota').check();
  await expect(heads(page).filter({ hasText: 'Used quota' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(button(page)).toBeFocused();
  await page.reload();
  const chosen = [...usual.slice(0, -1).filter((title) => title !== 'Group'), 'Used quota', 'Actions'];
  await expect(heads(page)).toHaveText(chosen);
  await page.goto('/user');
  await expect(heads(page).filter({ hasText: 'Group' })).toBeVisible();
  await page.goto(`/channel?keyword=${name}`);
  await button(page).click();
  await panel(page).getByRole('button', { name: 'Usual columns' }).click();
  await expect(heads(page)).toHaveText(usual);
});

test('the last column cannot be hidden, and boxes stay in the first that is left', async ({ page, product }) => {
  const { name } = await createChannel(product.url);
  await page.goto(`/channel?keyword=${name}`);
  await button(page).click();
  for (const title of usual.slice(0, -1).filter((title) => title !== 'Name')) await column(page, title).uncheck();
  await expect(heads(page)).toHaveText(['Name', 'Actions']);
  await expect(column(page, 'Name')).toBeDisabled();
  await expect(page.getByRole('checkbox', { name: `Select ${name}` })).toBeVisible();
});

test('rows are comfortable or compact, in every list, and stay so', async ({ page, product }) => {
  const { name } = await createChannel(product.url);
  await page.goto(`/channel?keyword=${name}`);
  await expect.poll(() => rowHeight(page)).toBe(40);
  await button(page).click();
  await panel(page).getByText('Compact').click();
  await expect.poll(() => rowHeight(page)).toBe(32);
  await page.goto('/user');
  await expect.poll(() => rowHeight(page)).toBe(32);
  await page.reload();
  await expect.poll(() => rowHeight(page)).toBe(32);
});

test('the boxes of the rows stand under that of the head, and in the middle of their rows', async ({
  page,
  product,
}) => {
  const name = await createManyChannels(product.url, 12);
  await page.goto(`/channel?keyword=${name}`);
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
});

test('what is chosen about a list has no fault of accessibility, light and dark', async ({ page, product }) => {
  const name = await createManyChannels(product.url, 3);
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/channel?keyword=${name}`);
    await page.getByRole('checkbox', { name: `Select ${name} 1`, exact: true }).check();
    await expect(page.getByRole('toolbar')).toBeVisible();
    await button(page).click();
    await expect(column(page, 'Name')).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    faults.push(
      ...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    );
  }
  expect(faults).toEqual([]);
});

test('a wide screen shows more of each row, and more rows', async ({ page, product }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  const name = await createManyChannels(product.url, 40);
  await page.goto(`/channel?keyword=${name}`);
  await expect(heads(page)).toHaveText([...usual.slice(0, -1), 'Used quota', 'Created', 'Actions']);
  await expect(page.locator('main tbody tr')).toHaveCount(25);
  const table = await page.getByRole('table').boundingBox();
  expect(table?.width).toBeGreaterThan(2200);
  await button(page).click();
  await column(page, 'Created').uncheck();
  await expect(heads(page)).toHaveText([...usual.slice(0, -1), 'Used quota', 'Actions']);
  expect(freshName()).not.toBe(name);
});
