import { createManyChannels } from '../support/channels.ts';
import { rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const high = { width: 1280, height: 1080 };
const low = { width: 1280, height: 720 };
test.use({ viewport: high });

test('fits the number of rows to the window unless a page size is selected or set in the URL', async ({
  page,
  product,
}) => {
  const name = await createManyChannels(product.url, 50);
  const range = (text: string) => expect(page.getByText(text)).toBeVisible();
  const firstLink = page.locator('main tbody tr').first().getByRole('link');
  const size = page.getByRole('combobox', { name: 'Rows per page' });
  await signInAs(page, rootAccount);
  await page.goto(`/channel?keyword=${name}&sort=id`);
  await range('1–20 of 50');
  await expect(size).toHaveValue('auto');
  await page.setViewportSize(low);
  await range('1–10 of 50');
  await page.setViewportSize(high);
  await range('1–20 of 50');
  // Later pages keep their rows when the window is resized.
  await page.getByRole('button', { name: 'Next page' }).click();
  await range('21–40 of 50');
  await expect(page).toHaveURL(/page=2&.*size=20|size=20&.*page=2/);
  await expect(firstLink).toHaveText(`${name} 21`);
  await page.setViewportSize(low);
  await page.reload();
  await range('21–40 of 50');
  await expect(firstLink).toHaveText(`${name} 21`);
  await page.getByRole('button', { name: 'Page 1', exact: true }).click();
  await range('1–20 of 50');
  // A URL without a page size shows the same page in any window.
  await page.setViewportSize(high);
  await page.goto(`/channel?keyword=${name}&sort=id&page=3`);
  await range('21–30 of 50');

  await size.selectOption('50');
  await range('1–50 of 50');
  await page.goto(`/channel?keyword=${name}`);
  await range('1–50 of 50');
  await size.selectOption('auto');
  await range('1–20 of 50');
  await page.setViewportSize(low);
  await range('1–10 of 50');
});
