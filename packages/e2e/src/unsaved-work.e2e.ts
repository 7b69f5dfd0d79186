import { expectFine } from './looks.ts';
import { createPerson, openAsSomebody, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('asks accessibly before a changed form is left, with the focus on Stay, also when the tab closes', async ({
  page,
  product,
}) => {
  await openAsSomebody(page, product.url, '/token/add');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('half a token');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused();
  await expectFine(page, 'the question');
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(name).toHaveValue('half a token');
  const closing = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const asked = await closing;
  expect(asked.type()).toBe('beforeunload');
  await asked.accept();
});

test('closes the sign-in dialog over a form when another tab signs in', async ({ page, product }) => {
  const person = await openAsSomebody(page, product.url, '/token/add');
  await page.getByLabel('Name').fill('two tabs');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your login has ended' });
  await expect(dialog).toBeVisible();
  await expectFine(page, 'the sign-in dialog');
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('link', { name: 'Sign in another way' }).click();
  const other = await opened;
  await other.getByLabel('Username or email').fill(person.username);
  await other.getByLabel('Password', { exact: true }).fill(person.password);
  await other.getByRole('button', { name: 'Log in' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('two tabs');
});

test('focuses Cancel of a confirmation, and returns the focus', async ({ page, product }) => {
  const person = await createPerson(product.url);
  await signInAs(page, rootAccount);
  await page.goto(`/user?keyword=${person.username}`);
  const menu = page.getByRole('button', { name: `More actions for ${person.username}` });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: /Delete/ }).click();
  await expect(menu).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
});
