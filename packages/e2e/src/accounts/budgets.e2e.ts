import { ownBudgetApi } from '@headgate/contract';
import { createSpender } from '@headgate/testkit';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { signedInClient, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('creates a budget, shows it nearly used up, and does not delete it by pressing Enter', async ({
  page,
  product,
}) => {
  const { person, token, ask, close } = await createSpender(product.url);
  const client = await signedInClient(product.url, person);
  await signInAs(page, person);
  await page.goto('/budget');
  await expect(page.getByText('No budgets yet')).toBeVisible();
  await expectAccessible(page, 'no budgets');
  await page.getByRole('button', { name: 'Add budget' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add budget' });
  await dialog.getByRole('combobox', { name: 'Token' }).fill(token.name.slice(2));
  await page.getByRole('option', { name: token.name }).click();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('$9');
  await expectAccessible(page, 'budget dialog', dialogSelector);
  await dialog.getByRole('button', { name: 'Save budget' }).click();
  await expect(page.getByText('Budget saved')).toBeVisible();

  for (let count = 0; count < 4; count += 1) expect(await ask()).toBe(200);
  await expect.poll(async () => (await client.call(ownBudgetApi.list))[0]?.used).toBe(3_600_000);
  await page.reload();
  const row = page.locator('tbody').getByRole('row').filter({ hasText: token.name });
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '80');
  await expectAccessible(page, 'a budget nearly used up');
  await row.getByRole('button', { name: /^(More actions|Actions)/ }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await client.call(ownBudgetApi.list)).toHaveLength(1);
  await close();
});
