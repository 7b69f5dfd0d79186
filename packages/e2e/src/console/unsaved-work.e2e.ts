import type { Page } from '@playwright/test';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { openAsNewUser, type TestUser } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });

/** Dismisses the dialog for unsaved changes: it is accessible and focuses Stay. */
async function stay(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await expectAccessible(page, 'the question', dialogSelector);
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
}

/** Signs in on another tab, which closes the sign-in dialog over the form. */
async function signInOnAnotherTab(page: Page, { username, password }: TestUser): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'the login dialog', dialogSelector);
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('link', { name: 'Use another login method' }).click();
  const other = await opened;
  await other.getByLabel('Username or email').fill(username);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await other.close();
}

/** Deletes a row from its menu: the focus starts on Cancel and returns to the menu. */
async function deleteRow(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: `More actions for ${name}` });
  const dialog = page.getByRole('dialog');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: /Delete/ }).click();
  await expect(menu).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
}

test('asks before an edited form is lost by navigation, session end or closing the tab, and focuses Cancel in confirmations', async ({
  page,
  product,
}) => {
  const person = await openAsNewUser(page, product.url, '/token/add');
  await nameField(page).fill('half a token');
  await stay(page);
  await expect(nameField(page)).toHaveValue('half a token');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create token' }).click();
  await signInOnAnotherTab(page, person);
  await expect(nameField(page)).toHaveValue('half a token');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page).toHaveURL('/token');
  await deleteRow(page, 'half a token');
  await page.getByRole('link', { name: 'Add token' }).first().click();
  await nameField(page).fill('another half');
  const closing = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const confirmation = await closing;
  expect(confirmation.type()).toBe('beforeunload');
  await confirmation.accept();
});
