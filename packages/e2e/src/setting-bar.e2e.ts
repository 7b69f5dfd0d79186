import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('the bar of unsaved changes is in view', async ({ page }) => {
      await signInAs(page, rootAccount);
      await page.goto('/setting?tab=operation');
      await page.getByRole('textbox', { name: 'Retry times' }).fill('2');
      await expect(page.getByRole('region', { name: 'Unsaved changes' })).toBeInViewport();
    });
  });

test('the index beside the settings leads to a section and says where one is', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/setting?tab=system');
  const index = page.getByRole('complementary', { name: 'On this page' });
  await expect(index.getByRole('link')).toHaveCount(10);
  await index.getByRole('link', { name: 'Bot check' }).click();
  await expect(page.getByRole('heading', { name: 'Bot check' })).toBeInViewport();
  await index.getByRole('link', { name: 'SMTP' }).click();
  await expect(index.locator('[aria-current]')).toHaveText('SMTP');
  await expect(page).toHaveURL('/setting?tab=system#setting-smtp');
  await page.getByRole('tab', { name: 'Other settings' }).click();
  await expect(index.getByRole('link')).toHaveText(['Personalization', 'Content']);
});

test('in the form of a channel the address stands above the button that asks it for models', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/channel/add');
  const address = await page.getByLabel('Proxy address').boundingBox();
  const fetching = await page.getByRole('button', { name: 'Fetch models' }).boundingBox();
  expect(address?.y).toBeLessThan(fetching?.y ?? 0);
});
