import { ownBudgetApi } from '@headgate/contract';
import { createSpender, type Spender } from '@headgate/testkit';
import type { Locator, Page } from '@playwright/test';
import { expectFine } from './looks.ts';
import { clientOf, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const rowOf = (page: Page, words: string): Locator => page.locator('tbody').getByRole('row').filter({ hasText: words });

async function choose(page: Page, row: Locator, action: string): Promise<void> {
  await row.getByRole('button', { name: /^(More actions|Actions)/ }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function askTimes({ ask }: Spender, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let asked = 0; asked < times; asked += 1) statuses.push(await ask());
  return statuses;
}

test('a budget of an own token counts requests, rejects them when used up, and is edited, reset and deleted', async ({
  page,
  product,
}) => {
  test.slow();
  const spender = await createSpender(product.url);
  const client = await clientOf(product.url, spender.person);
  await signInAs(page, spender.person);
  await page.goto('/budget');
  await expect(page.getByText('There are no budgets yet')).toBeVisible();
  await expectFine(page, 'no budgets');
  await page.getByRole('button', { name: 'Add budget' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add budget' });
  await dialog.getByRole('button', { name: 'Save budget' }).click();
  await expect(dialog.getByText('Choose whose budget it is')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Token' }).fill(spender.token.name.slice(2));
  await page.getByRole('option', { name: spender.token.name }).click();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('$9');
  await expectFine(page, 'budget dialog');
  await dialog.getByRole('button', { name: 'Save budget' }).click();
  await expect(page.getByText('Budget saved')).toBeVisible();
  const row = rowOf(page, spender.token.name);
  await expect(row).toContainText('$0.00 of $9.00 this month');

  const used = (words: string) =>
    expect(async () => {
      await page.reload();
      await expect(row).toContainText(words, { timeout: 2000 });
    }).toPass();
  expect(await askTimes(spender, 1)).toEqual([200]);
  await used('$1.80 of $9.00 this month');
  await page.goto('/token');
  const own = rowOf(page, spender.token.name);
  await expect(own).toContainText('$1.80 of $9.00');
  await expect(own.getByRole('progressbar', { name: '$1.80 of $9.00 this month' })).toBeVisible();
  await expectFine(page, 'a token with a budget');
  await page.goto('/budget');
  expect(await askTimes(spender, 3)).toEqual([200, 200, 200]);
  await used('$7.20 of $9.00 this month');
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '80');
  await expectFine(page, 'a budget nearly used up');
  expect(await askTimes(spender, 2)).toEqual([200, 429]);
  await used('$9.00 of $9.00 this month');

  await page.goto('/log');
  await expect(page.getByText(/budget of token .* is used up/i).first()).toBeVisible();
  await page.goto(`/token/edit/${spender.token.id}`);
  const held = page.getByRole('region', { name: 'Limits and budgets' });
  await expect(held).toContainText('$9.00 of $9.00 this month');
  await expect(held).toContainText('of this token');
  await held.getByRole('link', { name: 'Edit Budget' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit budget' });
  await editing.getByRole('textbox', { name: 'Amount' }).fill('$18');
  await editing.getByRole('button', { name: 'Save budget' }).click();
  await expect(row).toContainText('$9.00 of $18.00 this month');
  expect(await askTimes(spender, 1)).toEqual([200]);

  await choose(page, row, 'Begin a new period');
  await page.getByRole('dialog').getByRole('button', { name: 'Begin a new period' }).click();
  await expect(row).toContainText('$0.00 of $18.00 this month');
  await choose(page, row, 'Delete');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await client.call(ownBudgetApi.list)).toHaveLength(1);
  await choose(page, row, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete budget' }).click();
  await expect(row).toHaveCount(0);
  expect(await client.call(ownBudgetApi.list)).toEqual([]);
  await spender.close();
});
