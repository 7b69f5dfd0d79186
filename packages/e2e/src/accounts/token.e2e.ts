import { openAsNewUser } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('[S2.130 S2.138] creates a token and copies its key with and without clipboard access', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAsNewUser(page, product.url, '/token/add');
  await page.getByLabel('Name').fill('laptop');
  const created = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Create token' }).click();
  const { data } = (await (await created).json()) as { data: { key: string } };
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const copy = page.getByRole('button', { name: 'Copy key: laptop' });
  await copy.click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  expect(await copied()).toBe(`sk-${data.key}`);
  // A page without a secure context copies by selection.
  await page.evaluate(async () => {
    await navigator.clipboard.writeText('');
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
  });
  await copy.click();
  await expect.poll(copied).toBe(`sk-${data.key}`);
});
