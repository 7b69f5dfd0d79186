import { answerList, createChannel, sent } from './channels.ts';
import { colourOf } from './colours.ts';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('[S2.12 S2.38 S7.35] shows the channels, reached from the menu', async ({ page, product }) => {
  const channel = await createChannel(product.url, { type: 14, group: 'vip,default', priority: 7 });
  await page.goto('/');
  const asked = sent(page, 'GET', '/api/channel/');
  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  expect(new URL((await asked).url()).searchParams.get('p')).toBe('0');
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: channel.name, exact: true }) });
  await expect(row.getByText('Anthropic Claude')).toBeVisible();
  await expect(row.getByText('Enabled')).toBeVisible();
  await expect(row.getByText('Untested')).toBeVisible();
  await expect(page.getByLabel(`Priority of ${channel.name}, higher is preferred`)).toHaveValue('7');
  await expect(row.locator('td').first()).toHaveText(String(channel.id));
  await expect(row.locator('td').nth(2)).toHaveText('defaultvip');
  await row.getByRole('link', { name: channel.name }).hover();
  await expect(page.getByRole('tooltip', { name: 'gpt-4o, gpt-4o-mini' })).toBeVisible();
});

test('[S4.22 S4.23 S4.24 S4.25 S4.26] draws each response time in its color, and fits a phone', async ({ page }) => {
  const times = [0, 1000, 1001, 3001, 5001];
  await answerList(page, ...times.map((response_time, index) => ({ name: `c${index}`, response_time })));
  await page.goto('/channel');
  for (const [index, color] of ['gray', 'green', 'olive', 'yellow', 'red'].entries()) {
    const row = page.getByRole('row').filter({ hasText: `c${index}` });
    expect(await row.locator('td').nth(5).locator('[data-color]').evaluate(colourOf), color).toBe(color);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('listitem').filter({ hasText: 'c4' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
