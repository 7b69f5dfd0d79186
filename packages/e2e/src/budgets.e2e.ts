import { budgetApi, ownBudgetApi, role } from '@headgate/contract';
import type { Locator, Page } from '@playwright/test';
import { expectFine } from './looks.ts';
import { asRoot, clientOf, createPerson, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { createSpender, type Spender } from './spender.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

/** A row at a desk, a card on a phone. */
const rowOf = (page: Page, words: string): Locator =>
  page.locator('tbody').getByRole('row').or(page.getByRole('main').getByRole('listitem')).filter({ hasText: words });

async function choose(page: Page, row: Locator, action: string): Promise<void> {
  await row.getByRole('button', { name: /^(More actions|Actions)/ }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function askTimes({ ask }: Spender, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let asked = 0; asked < times; asked += 1) statuses.push(await ask());
  return statuses;
}

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`a budget on ${screen}`, () => {
    test.use({ viewport });

    test('is set on an own token, fills with requests, refuses, and is changed, begun anew and deleted', async ({
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

    test('of a user and of his group is set by an admin, who sees both on the page of the user', async ({
      page,
      product,
    }) => {
      const spender = await createSpender(product.url);
      const { person, group, token } = spender;
      await signInAs(page, await createPerson(product.url, { role: role.admin }));
      await page.goto(`/user/view/${person.id}`);
      const held = page.getByRole('region', { name: 'Limits and budgets' });
      await expect(held).toContainText('No limit and no budget');
      await held.getByRole('link', { name: 'Add budget' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add budget' });
      await expect(dialog.getByRole('combobox', { name: 'User' })).toHaveValue(person.username);
      await dialog.getByRole('textbox', { name: 'Amount' }).fill('$18');
      await dialog.getByRole('button', { name: 'Save budget' }).click();
      await expect(rowOf(page, `User ${person.username}`)).toContainText('$0.00 of $18.00 this month');

      await page.getByRole('button', { name: 'Add budget' }).first().click();
      await dialog.getByRole('combobox', { name: 'Group' }).fill(group.slice(1));
      await page.getByRole('option', { name: group }).click();
      await dialog.getByRole('textbox', { name: 'Amount' }).fill('$9');
      await dialog.getByRole('button', { name: 'Save budget' }).click();
      await expect(rowOf(page, `Group ${group}`)).toBeVisible();
      expect(await spender.ask()).toBe(200);

      await rowOf(page, `User ${person.username}`)
        .getByRole('link', { name: `User ${person.username}` })
        .click();
      await expect(held.getByRole('listitem').nth(0)).toContainText('$1.80 of $9.00 this month');
      await expect(held.getByRole('listitem').nth(0)).toContainText(`of group ${group}`);
      await expect(held.getByRole('listitem').nth(1)).toContainText('of the account');
      await held.getByRole('link', { name: 'Add limit' }).click();
      await expect(page.getByRole('combobox', { name: 'User' })).toHaveValue(person.username);
      await page.getByRole('combobox', { name: 'Token' }).fill(token.name.slice(2));
      await page.getByRole('option', { name: `${token.name} (${person.username})` }).click();
      await page.getByRole('button', { name: 'Create limit' }).click();
      await expect(page.getByText('Limit created')).toBeVisible();
      await page.goto(`/user/view/${person.id}`);
      await expect(held).toContainText('60 requests a minute, each user');
      await expect(held).toContainText(`of token ${token.name}, of the account`);
      await expectFine(page, 'the page of a user with limits');

      await page.evaluate(() => localStorage.setItem('language', 'zh'));
      await page.reload();
      await expect(page.getByRole('region', { name: '限制与预算' })).toContainText(`分组 ${group}`);
      const root = await asRoot(product.url);
      const stored = await root.call(budgetApi.list, { query: { keyword: group } });
      for (const { id } of stored) await root.call(budgetApi.remove, { params: { id } });
      await spender.close();
    });
  });
