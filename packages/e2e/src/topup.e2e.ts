import { redemptionApi } from '@headgate/contract';
import { asRoot, createPerson, freshName, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('redeems a code', async ({ page, product }) => {
  const root = await asRoot(product.url);
  const [key = ''] = await root.call(redemptionApi.create, {
    body: { name: freshName('code'), quota: 750_000, count: 1 },
  });
  await signInAs(page, await createPerson(product.url, { quota: 500_000 }));
  await page.goto('/topup');
  await page.getByRole('textbox', { name: 'Redemption code' }).fill(key);
  await page.getByRole('button', { name: 'Redeem' }).click();
  await expect(page.getByRole('region', { name: 'Remaining quota' }).getByText('$2.50', { exact: true })).toBeVisible();
});
