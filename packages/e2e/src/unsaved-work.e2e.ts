import AxeBuilder from '@axe-core/playwright';
import { createPerson, openAsSomebody, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('leaving a form that was changed asks, and staying keeps what was typed', async ({ page, product }) => {
      await openAsSomebody(page, product.url, '/token/add');
      await page.getByLabel('Name').fill('half a token');
      await page.getByRole('link', { name: 'Cancel' }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(question).toHaveCount(0);
      await expect(page.getByLabel('Name')).toHaveValue('half a token');
      await expect(page).toHaveURL('/token/add');
      await page.getByRole('link', { name: 'Cancel' }).click();
      await question.getByRole('button', { name: 'Leave' }).click();
      await expect(page).toHaveURL('/token');
    });

    test('a session that ended is signed in again over the form, which then is saved', async ({ page, product }) => {
      const person = await openAsSomebody(page, product.url, '/token/add');
      await page.getByLabel('Name').fill('kept through the night');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Create token' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your login has ended' });
      await expect(dialog.getByLabel('Username')).toHaveValue(person.username);
      await expect(page).toHaveURL('/token/add');
      await dialog.getByLabel('Password', { exact: true }).fill('not the password');
      await dialog.getByRole('button', { name: 'Log in' }).click();
      await expect(page.locator('[data-kind="error"]')).toBeVisible();
      await dialog.getByLabel('Password', { exact: true }).fill(person.password);
      await dialog.getByRole('button', { name: 'Log in' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByLabel('Name')).toHaveValue('kept through the night');
      await page.getByRole('button', { name: 'Create token' }).click();
      await expect(page.getByRole('main').getByText('kept through the night').first()).toBeVisible();
    });
  });

test('a form that was not touched, or is saved, is left without a question', async ({ page, product }) => {
  await openAsSomebody(page, product.url, '/token/add');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/token');
  await page.goto('/user/edit');
  await page.getByLabel('Display name').fill('Somebody else');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('User info updated')).toBeVisible();
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await expect(page).toHaveURL('/token');
});

test('the way back of the browser and the closing of the tab ask too', async ({ page, product }) => {
  await openAsSomebody(page, product.url, '/token');
  await page.getByRole('link', { name: 'Add token' }).first().click();
  await expect(page).toHaveURL('/token/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('half a token');
  await page.goBack();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('half a token');
  const closing = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const asked = await closing;
  expect(asked.type()).toBe('beforeunload');
  await asked.accept();
});

test('logging out with unsaved work asks before the session ends', async ({ page, product }) => {
  await openAsSomebody(page, product.url, '/token/add');
  await page.getByLabel('Name').fill('half a token');
  const logouts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/logout')) logouts.push(request.url());
  });
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(logouts).toEqual([]);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/login');
});

test('whoever does not sign in again is led to the login page', async ({ page, product }) => {
  await openAsSomebody(page, product.url, '/token/add');
  await page.getByLabel('Name').fill('given up');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL('/login?expired=true');
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
});

test('another tab that signs in closes the question', async ({ page, product }) => {
  const person = await openAsSomebody(page, product.url, '/token/add');
  await page.getByLabel('Name').fill('two tabs');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your login has ended' });
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('link', { name: 'Sign in another way' }).click();
  const other = await opened;
  await other.getByLabel('Username or email').fill(person.username);
  await other.getByLabel('Password', { exact: true }).fill(person.password);
  await other.getByRole('button', { name: 'Log in' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('two tabs');
});

test('the questions have no serious fault of accessibility in either scheme', async ({ page, product }) => {
  await openAsSomebody(page, product.url, '/token/add');
  await page.getByLabel('Name').fill('looked at');
  const faults = async () => {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      found.push(...violations.filter(({ impact }) => impact === 'serious').map(({ id }) => `${colorScheme} ${id}`));
    }
    return found;
  };
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Stay' })).toBeVisible();
  expect(await faults()).toEqual([]);
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByRole('dialog', { name: 'Your login has ended' })).toBeVisible();
  expect(await faults()).toEqual([]);
});

test('a question before deleting waits on Cancel, and gives the focus back to where it came from', async ({
  page,
  product,
}) => {
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
