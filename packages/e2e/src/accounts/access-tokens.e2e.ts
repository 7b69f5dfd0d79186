import { openAsNewUser } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('creates and revokes an access token by keyboard, and shows a long name on a phone', async ({ page, product }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openAsNewUser(page, product.url, '/setting');
  const section = page.locator('section', {
    has: page.getByRole('heading', { name: 'Access tokens', exact: true }),
  });
  const dialog = page.getByRole('dialog', { name: 'New access token' });
  const name = 'W'.repeat(50);
  await section.getByRole('button', { name: 'New access token' }).press('Enter');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Enter a name');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(name);
  await dialog.getByLabel('Expires').selectOption('Never');
  await dialog.getByRole('button', { name: 'Create access token' }).press('Enter');
  await expect(page.getByLabel(/Shown only once; store it safely\.$/)).toHaveValue(/^hg_[\w-]{43}$/);
  const row = section.getByRole('group', { name }).first();
  await expect(row).toContainText('Never expires');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const revoke = section.getByRole('button', { name: 'Revoke' });
  await expect(revoke).toBeInViewport({ ratio: 1 });
  await revoke.press('Enter');
  await expect(page.getByRole('dialog', { name: `Revoke access token ${name}?` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row).toBeVisible();
});
