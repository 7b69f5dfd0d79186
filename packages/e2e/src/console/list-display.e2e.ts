import type { Page } from '@playwright/test';
import { violations } from '../support/accessibility.ts';
import { createChannel, createManyChannels } from '../support/channels.ts';
import { rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const desktop = { width: 1280, height: 800 };
test.use({ viewport: desktop });

const button = (page: Page) => page.getByRole('button', { name: 'Columns and density' });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Columns and density' });
const column = (page: Page, name: string) => panel(page).getByRole('checkbox', { name, exact: true });
const heads = (page: Page) => page.getByRole('columnheader');
const rows = (page: Page) => page.locator('main tbody tr');
const rowHeight = (page: Page) =>
  rows(page)
    .first()
    .evaluate((row) => Math.round(row.getBoundingClientRect().height));

const usual = ['ID', 'Name', 'Group', 'Type', 'Status', '24 hours', 'Response time', 'Priority', 'Actions'];

async function expectAlignedBoxes(page: Page): Promise<void> {
  const boxes = await page.evaluate(() =>
    [...document.querySelectorAll('main tr')].map((row) => {
      const box = row.querySelector('input[type="checkbox"]')?.getBoundingClientRect();
      const { y, height } = row.getBoundingClientRect();
      return box ? { x: box.x, off: Math.abs(box.y + box.height / 2 - y - height / 2) } : { x: -1, off: 99 };
    }),
  );
  expect([...new Set(boxes.map(({ x }) => Math.round(x)))]).toHaveLength(1);
  for (const { off } of boxes) expect(off).toBeLessThanOrEqual(1.5);
}

/** Hides the Group column by keyboard and leaves the panel. */
async function hideGroupByKeyboard(page: Page): Promise<void> {
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
}

test('shows the selected columns and density, and more columns and rows on a wide screen', async ({
  page,
  product,
}) => {
  await createChannel(product.url, { tag: 'batch' });
  const name = await createManyChannels(product.url, 40);
  await signInAs(page, rootAccount);
  await page.goto(`/channel?keyword=${name}`);
  await expect(heads(page)).toHaveText(usual);
  await expect(rows(page).getByRole('checkbox')).toHaveCount(10);
  await expect.poll(() => rowHeight(page)).toBe(40);
  await expectAlignedBoxes(page);
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect(heads(page)).toHaveText([
    'ID',
    'Name',
    'Tag',
    ...usual.slice(2, -1),
    'Used quota',
    'Created',
    'Actions',
  ]);
  await expect(rows(page)).toHaveCount(25);
  const { width = 0 } = (await page.getByRole('table').boundingBox()) ?? {};
  expect(width).toBeGreaterThan(2200);
  expect(width).toBeLessThanOrEqual(2264);
  await page.setViewportSize(desktop);
  await expect(heads(page)).toHaveText(usual);
  await hideGroupByKeyboard(page);

  await rows(page).getByRole('checkbox').first().check();
  await expect(page.getByRole('toolbar')).toBeVisible();
  await button(page).click();
  await expect(column(page, 'Name')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page, '[role="dialog"], [role="toolbar"]'), colorScheme).toEqual([]);
  }
  await panel(page).getByText('Compact').click();
  await expect.poll(() => rowHeight(page)).toBe(32);
  await page.goto('/user');
  await expect.poll(() => rowHeight(page)).toBe(32);
});
