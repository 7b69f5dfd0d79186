import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('the title follows the page and the language', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/channel');
  await expect(page).toHaveTitle('Channels · Headgate');
  await page.getByRole('link', { name: 'Add channel' }).first().click();
  await expect(page).toHaveTitle('Add channel · Headgate');
  await page.goBack();
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page).toHaveTitle('渠道 · Headgate');
});

test.describe('a reader in Germany', () => {
  test.use({ locale: 'de-DE' });

  test('[S9.16] sees amounts with the separators of the place, and a little that is left is not nothing', async ({
    page,
    product,
  }) => {
    await signInAs(page, await createPerson(product.url, { quota: 617_283_945 }));
    await page.goto('/topup');
    const balance = page.getByRole('region', { name: 'Remaining quota' });
    await expect(balance).toContainText('$1.234,57');
    await expect(balance).toContainText('617.283.945 points');
    await signInAs(page, await createPerson(product.url, { quota: 1250 }));
    await page.goto('/topup');
    await expect(balance).toContainText('$0,0025');
  });
});
