import { userApi } from '@headgate/contract';
import { asRoot, rootAccount, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('[S2.18 S2.19 S2.21 S7.27 S7.28 S8.25] creates a user who can sign in, and edits the account', async ({
  page,
  product,
}) => {
  const username = uniqueName();
  await signInAs(page, rootAccount);
  await page.goto('/user');
  await page.getByRole('link', { name: 'Add user' }).click();
  await expect(page).toHaveURL('/user/add');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('textbox', { name: 'Display name' }).fill('New One');
  await page.getByLabel(/^Password/).fill('password-9');
  const created = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Create user' }).click();
  expect((await created).postDataJSON()).toEqual({ username, display_name: 'New One', password: 'password-9' });
  await expect(page.getByText('User account created')).toBeVisible();
  await expect(page).toHaveURL('/user');
  const client = await signedInClient(product.url, { username, password: 'password-9' });
  const { id } = await client.call(userApi.self);

  await page.getByRole('link', { name: `Edit: ${username}` }).click();
  await expect(page).toHaveURL(`/user/edit/${id}`);
  await page.getByRole('textbox', { name: 'Remaining quota' }).fill('5');
  await page.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: 'vip', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save user' }).click();
  await expect(page.getByText('User info updated')).toBeVisible();
  await expect(page).toHaveURL('/user');
  const root = await asRoot(product.url);
  expect(await root.call(userApi.get, { params: { id } })).toMatchObject({ group: 'default,vip', quota: 2_500_000 });
});
