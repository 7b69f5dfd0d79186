import { tokenApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { createChannel, setChannelMetrics } from '../support/channels.ts';
import { createTestUser, rootAccount, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';
import { seedLogs } from '../support/seed-logs.ts';

test.use({ viewport: { width: 1280, height: 800 } });

/** Left edges of the columns and heights of the rows, in whole pixels. */
const shapeOf = (page: Page) =>
  page.evaluate(() => ({
    columns: [...document.querySelectorAll('main thead th')].map((cell) => Math.round(cell.getBoundingClientRect().x)),
    rows: [
      ...new Set(
        [...document.querySelectorAll('main tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height)),
      ),
    ],
  }));

test('keeps column widths and row heights with a long name, many groups and a failure', async ({ page, product }) => {
  const prefix = uniqueName('w');
  await createChannel(product.url, { name: `${prefix}-short` });
  await signInAs(page, rootAccount);
  await page.goto(`/channel?keyword=${prefix}`);
  await expect(page.getByRole('row')).toHaveCount(2);
  const before = await shapeOf(page);
  expect(before.rows).toEqual([40]);
  const name = `${prefix}-${'of-a-deployment-in-the-north-'.repeat(3)}1`.slice(0, 80);
  const long = await createChannel(product.url, { name, group: 'default,vip,partners-in-europe,research' });
  setChannelMetrics(product, long, { status: 3, response_time: 123_456, balance: 1_234_567.89 });
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(3);
  expect(await shapeOf(page)).toEqual(before);
  await page.getByRole('link', { name, exact: true }).hover();
  await expect(page.getByRole('tooltip')).toContainText(name);
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  const titles = await page.getByRole('columnheader').allTextContents();
  await page.getByRole('row').filter({ hasText: name }).locator('td').nth(titles.indexOf('Group')).hover();
  await expect(page.getByRole('tooltip')).toHaveText('default, partners-in-europe, research, vip');
});

test('shows and copies a key next to its row without shifting the layout', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = await createTestUser(product.url);
  const client = await signedInClient(product.url, person);
  for (const name of ['one', 'two', 'three']) await client.call(tokenApi.create, { body: { name } });
  const { key } = (await client.call(tokenApi.list, { query: {} })).find(({ name }) => name === 'two') ?? {};
  await signInAs(page, person);
  await page.goto('/token');
  const row = page.getByRole('row').filter({ hasText: 'two' });
  await expect(row).toBeVisible();
  const before = await shapeOf(page);
  const button = row.getByRole('button', { name: 'Show key' });
  await button.focus();
  await page.keyboard.press('Enter');
  const opened = page.getByRole('dialog', { name: 'Key' });
  await expect(opened.getByText(`sk-${key}`)).toBeVisible();
  expect(await shapeOf(page)).toEqual(before);
  await expect(opened.getByRole('button', { name: 'Copy' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${key}`);
  await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.click();
  await expect(opened).toBeVisible();
  await button.click();
  await expect(opened).toHaveCount(0);
});

test('shows a log entry on one line, and the full text on hover', async ({ page, product }) => {
  const person = await createTestUser(product.url, { quota: 1_000_000 });
  seedLogs(product, {
    owner: person,
    count: 5,
    newest: 1_790_000_000,
    model: 'a-model-with-a-very-long-name-of-its-own',
  });
  await signInAs(page, rootAccount);
  await page.goto(`/log?username=${person.username}`);
  await expect(page.locator('main tbody time')).toHaveCount(5);
  const { columns, rows } = await shapeOf(page);
  expect(rows).toEqual([40]);
  expect(columns).toHaveLength(8);
  const time = page.locator('main tbody time').first();
  expect(await time.evaluate((words) => words.getBoundingClientRect().right)).toBeLessThan(columns[1] ?? 0);
  await page.getByText('a-model-with-a-very-long-name').first().hover();
  await expect(page.getByRole('tooltip')).toContainText('a-model-with-a-very-long-name-of-its-own');
});
