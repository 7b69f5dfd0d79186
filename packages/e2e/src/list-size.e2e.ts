import { createManyChannels } from './channels.ts';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const sizes = { width: 1280, height: 1080 };
test.use({ viewport: sizes });

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('a page has as many rows as fit the window, and a later one keeps its rows in any window', async ({
  page,
  product,
}) => {
  const name = await createManyChannels(product.url, 50);
  const rows = page.locator('main tbody tr');
  await page.goto(`/channel?keyword=${name}&sort=id`);
  await expect(page.getByText('1–20 of 50')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveValue('auto');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('21–40 of 50')).toBeVisible();
  await expect(page).toHaveURL(/page=2&.*size=20|size=20&.*page=2/);
  await expect(rows.first().getByRole('link')).toHaveText(`${name} 21`);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.reload();
  await expect(page.getByText('21–40 of 50')).toBeVisible();
  await expect(rows.first().getByRole('link')).toHaveText(`${name} 21`);
  await page.getByRole('button', { name: 'Page 1', exact: true }).click();
  await expect(page.getByText('1–20 of 50')).toBeVisible();
  await page.goto(`/channel?keyword=${name}&sort=id`);
  await expect(page.getByText('1–10 of 50')).toBeVisible();
  // An address without a size means the same page to everybody.
  await page.setViewportSize(sizes);
  await page.goto(`/channel?keyword=${name}&sort=id&page=3`);
  await expect(page.getByText('21–30 of 50')).toBeVisible();
});

test('somebody may choose a size, and leave it to the window again', async ({ page, product }) => {
  const name = await createManyChannels(product.url, 50);
  const choice = page.getByRole('combobox', { name: 'Rows per page' });
  await page.goto(`/channel?keyword=${name}`);
  await choice.selectOption('50');
  await expect(page.getByText('1–50 of 50')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1–50 of 50')).toBeVisible();
  await choice.selectOption('auto');
  await expect(page.getByText('1–20 of 50')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(page.getByText('1–10 of 50')).toBeVisible();
});
