import { tokenApi } from '@headgate/contract';
import { expectFine } from './looks.ts';
import { clientOf, createPerson, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('restricts a token, and replaces its key', async ({ page, product }) => {
  const person = await createPerson(product.url);
  const client = await clientOf(product.url, person);
  await signInAs(page, person);
  await page.goto('/token/add');
  await page.getByLabel('Name').fill('given');
  await page.getByLabel('Note').fill('for Ada');
  await page.getByText('More limits').click();
  await page.getByRole('combobox', { name: 'Model patterns' }).fill('gpt-5*');
  await page.getByRole('combobox', { name: 'Model patterns' }).press('Enter');
  await page.getByRole('combobox', { name: 'Endpoints' }).first().click();
  await page.getByRole('option', { name: 'Conversations' }).click();
  await page.keyboard.press('Escape');
  await expectFine(page, 'token limits');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page).toHaveURL('/token');
  const given = async () => (await client.call(tokenApi.search, { query: { keyword: 'given' } }))[0];
  const before = await given();
  expect(before).toMatchObject({ models: 'gpt-5*', endpoints: 'conversations', note: 'for Ada' });
  await page.getByRole('button', { name: 'More actions for given' }).click();
  // With the keyboard: the pointer could open another submenu.
  await page.getByRole('menuitem', { name: 'New key', exact: true }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'The old key works for 1 day' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
  await expect(page.getByText('The token has a new key', { exact: false })).toBeVisible();
  const after = await given();
  expect(after?.key).not.toBe(before?.key);
  expect(after?.old_key_until).toBeGreaterThan(Date.now() / 1000 + 80_000);
  await page.getByRole('button', { name: 'More actions for given' }).click();
  await page.getByRole('menuitem', { name: /^End the old key/ }).click();
  await expect(page.getByText('The old key has ended')).toBeVisible();
  expect((await given())?.old_key_until).toBe(0);
});
