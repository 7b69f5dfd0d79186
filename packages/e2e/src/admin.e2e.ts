import { redemptionApi, role, userApi } from '@headgate/contract';
import { findChannel } from './channels.ts';
import { asRoot, createPerson, freshName, signInAs } from './people.ts';
import { expect, test } from './product.ts';

// What root may do proves nothing of an admin: whoever acts here has the role of an admin and no more.
test.beforeEach(async ({ page, product }) => {
  await signInAs(page, await createPerson(product.url, { role: role.admin }));
});

test('[S1.13] an admin makes, changes, disables and deletes channels', async ({ page, product }) => {
  const name = freshName('ch');
  await page.goto('/');
  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  await page.getByRole('main').getByRole('link', { name: 'Add channel' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-1');
  await page.getByRole('combobox', { name: 'Offered models' }).fill('gpt-4o');
  await page.getByRole('combobox', { name: 'Offered models' }).press('Enter');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await expect(page).toHaveURL('/channel');
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${name}-2`);
  await page.getByRole('button', { name: 'Save channel' }).click();
  await expect(page).toHaveURL('/channel');
  const more = page.getByRole('button', { name: `More actions for ${name}-2` });
  await more.click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect.poll(async () => (await findChannel(product.url, `${name}-2`)).status).toBe(2);
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click();
  await expect(more).toHaveCount(0);
  await expect(findChannel(product.url, `${name}-2`)).rejects.toThrow();
});

test('[S1.14] an admin makes, changes, disables and deletes redemption codes', async ({ page, product }) => {
  const name = freshName('code');
  const root = await asRoot(product.url);
  const stored = async () => (await root.call(redemptionApi.search, { query: { keyword: name } }))[0];
  await page.goto('/');
  await page.getByRole('link', { name: 'Redemption codes' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Add codes' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect.poll(stored).toMatchObject({ name, quota: 100_000 });
  const code = await stored();
  const more = page.getByRole('button', { name: `More actions for ${name} #${code?.id}` });
  await more.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Quota' }).fill('777');
  await page.getByRole('button', { name: 'Save code' }).click();
  await expect(page).toHaveURL('/redemption');
  await more.click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect.poll(stored).toMatchObject({ quota: 777, status: 2 });
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete code' }).click();
  await expect.poll(stored).toBeUndefined();
});

test('[S1.15] an admin makes, changes, bans and deletes users', async ({ page, product }) => {
  const username = freshName();
  const root = await asRoot(product.url);
  const stored = async () => (await root.call(userApi.search, { query: { keyword: username, order: '' } }))[0];
  await page.goto('/');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('main').getByRole('link', { name: 'Add user' }).first().click();
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel(/^Password/).fill('password-9');
  await page.getByRole('button', { name: 'Create user' }).click();
  await expect(page).toHaveURL('/user');
  await page.getByRole('link', { name: `Edit: ${username}` }).click();
  await page.getByRole('textbox', { name: 'Display name' }).fill('Renamed');
  await page.getByRole('button', { name: 'Save user' }).click();
  await expect(page).toHaveURL('/user');
  const more = page.getByRole('button', { name: `More actions for ${username}` });
  await more.click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect.poll(stored).toMatchObject({ display_name: 'Renamed', status: 2 });
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
  await expect.poll(stored).toBeUndefined();
});
