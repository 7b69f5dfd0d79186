import { oauthApi, tokenApi, userApi } from '@headgate/contract';
import { makeSessionsOld } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { asRoot, clientOf, createPerson, deleteOwnAccount, openAsSomebody, rootAccount, signInAs } from './people.ts';
import { expect, startProduct, test } from './product.ts';

const proof = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });
const changed = (page: Page) => page.getByRole('dialog', { name: 'The quota has changed meanwhile' });

test.describe('[A7.4] a quota that changed while its form was open', () => {
  test('of a user is asked about: kept with the rest saved, or set all the same', async ({ page, product }) => {
    const person = await createPerson(product.url, { quota: 1000 });
    const root = await asRoot(product.url);
    const stored = () => root.call(userApi.get, { params: { id: person.id } });
    const quota = page.getByRole('textbox', { name: 'Remaining quota' });
    await signInAs(page, rootAccount);
    await page.goto(`/user/edit/${person.id}`);
    await page.getByRole('textbox', { name: 'Display name' }).fill('Renamed');
    await quota.fill('5000');
    await root.call(userApi.topUp, { body: { user_id: person.id, quota: 250 } });
    await page.getByRole('button', { name: 'Save user' }).click();
    await expect(changed(page)).toContainText('It is 1,250 now; it was 1,000 when you opened this form.');
    expect(await stored()).toMatchObject({ quota: 1250, display_name: person.display_name });
    // The way back is the one that is under the finger.
    await expect(page.getByRole('button', { name: 'Keep 1,250 and save the rest' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(changed(page)).toBeHidden();
    await expect(quota).toHaveValue('5,000');
    await page.getByRole('button', { name: 'Save user' }).click();
    await changed(page).getByRole('button', { name: 'Keep 1,250 and save the rest' }).press('Enter');
    await expect(page.getByText('User info updated')).toBeVisible();
    expect(await stored()).toMatchObject({ quota: 1250, display_name: 'Renamed' });

    await page.goto(`/user/edit/${person.id}`);
    await quota.fill('9000');
    await root.call(userApi.topUp, { body: { user_id: person.id, quota: 50 } });
    await page.getByRole('button', { name: 'Save user' }).click();
    await expect(changed(page)).toContainText('It is 1,300 now');
    await root.call(userApi.topUp, { body: { user_id: person.id, quota: 5 } });
    await changed(page).getByRole('button', { name: 'Set it to 9,000' }).click();
    await expect(changed(page)).toContainText('It is 1,305 now');
    await changed(page).getByRole('button', { name: 'Set it to 9,000' }).click();
    await expect(page.getByText('User info updated').first()).toBeVisible();
    await expect.poll(async () => (await stored()).quota).toBe(9000);
  });

  test('[A7.3] of a user is left alone by a form that changes the name', async ({ page, product }) => {
    const person = await createPerson(product.url, { quota: 1000 });
    const root = await asRoot(product.url);
    await signInAs(page, rootAccount);
    await page.goto(`/user/edit/${person.id}`);
    await page.getByRole('textbox', { name: 'Display name' }).fill('Renamed');
    await root.call(userApi.topUp, { body: { user_id: person.id, quota: 250 } });
    await page.getByRole('button', { name: 'Save user' }).click();
    await expect(page.getByText('User info updated')).toBeVisible();
    expect(await root.call(userApi.get, { params: { id: person.id } })).toMatchObject({ quota: 1250 });
  });

  test('of a token is asked about too', async ({ page, product }) => {
    const person = await createPerson(product.url);
    const owner = await clientOf(product.url, person);
    const token = await owner.call(tokenApi.create, { body: { name: 'mine', remain_quota: 700 } });
    const stored = () => owner.call(tokenApi.get, { params: { id: token.id } });
    await signInAs(page, person);
    await page.goto(`/token/edit/${token.id}`);
    await page.getByLabel('Name').fill('yours');
    await page.getByLabel('Remaining quota').fill('800');
    await owner.call(tokenApi.update, { query: {}, body: { id: token.id, remain_quota: 650 } });
    await page.getByRole('button', { name: 'Save token' }).click();
    await expect(changed(page)).toContainText('It is 650 now; it was 700');
    await changed(page).getByRole('button', { name: 'Keep 650 and save the rest' }).click();
    await expect(page.getByText('Token updated')).toBeVisible();
    expect(await stored()).toMatchObject({ name: 'yours', remain_quota: 650 });
  });
});

test.describe('who signed in a while ago', () => {
  test('[A13.2] gives the old password before the new one is stored, and nothing that was typed is lost', async ({
    page,
    product,
  }) => {
    const person = await openAsSomebody(page, product.url, '/user/edit');
    makeSessionsOld(product);
    await page.getByRole('textbox', { name: 'Display name' }).fill('Same Person');
    await page.getByLabel('New password').fill('password-9');
    await page.getByLabel('New password').press('Enter');
    await expect(proof(page).getByRole('textbox', { name: 'Password' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(proof(page)).toBeHidden();
    await expect(page.getByLabel('New password')).toHaveValue('password-9');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await proof(page).getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.keyboard.press('Enter');
    await expect(page.getByText('User info updated')).toHaveCount(1);
    const owner = await clientOf(product.url, { ...person, password: 'password-9' });
    // A name alone asks for nothing.
    makeSessionsOld(product);
    await page.getByRole('textbox', { name: 'Display name' }).fill('Another Name');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect.poll(async () => (await owner.call(userApi.self)).display_name).toBe('Another Name');
  });

  test('[A13.3] proves it once for an access token, an address, two-step login and the end of the account', async ({
    page,
    product,
  }) => {
    const person = await openAsSomebody(page, product.url, '/setting');
    const prove = async () => {
      await proof(page).getByRole('textbox', { name: 'Password' }).fill(person.password);
      await proof(page).getByRole('button', { name: 'Continue' }).click();
      await expect(proof(page)).toBeHidden();
    };
    makeSessionsOld(product);
    await page.getByRole('button', { name: 'Generate system access token' }).click();
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await prove();
    await expect(page.getByLabel('Shown only now: keep it somewhere safe')).toHaveValue(/^[0-9a-f]{64}$/);
    makeSessionsOld(product);
    await page.getByRole('button', { name: 'Turn on two-step login' }).click();
    await prove();
    await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
    await page.keyboard.press('Escape');
    makeSessionsOld(product);
    await page.getByRole('button', { name: 'Bind Email' }).click();
    await prove();
    await expect(page.getByRole('dialog', { name: 'Bind Email' })).toBeVisible();
    await page.keyboard.press('Escape');
    makeSessionsOld(product);
    await page.getByRole('button', { name: 'Delete own account' }).click();
    await deleteOwnAccount(page, person.username);
    await prove();
    await expect(page.getByText('Account deleted!')).toBeVisible();
  });
});

test('[A12.4] the super admin lets mail and providers open the account by a switch, after a proof', async ({
  page,
}) => {
  const own = await startProduct();
  try {
    const root = await asRoot(own.url);
    await signInAs(page, rootAccount, own.url);
    await page.goto(`${own.url}/setting`);
    const allowed = page.getByRole('switch', { name: 'Mail and sign-in providers may open this account' });
    await expect(allowed).not.toBeChecked();
    makeSessionsOld(own);
    await allowed.focus();
    await page.keyboard.press('Space');
    await proof(page).getByRole('textbox', { name: 'Password' }).fill(rootAccount.password);
    await page.keyboard.press('Enter');
    await expect(allowed).toBeChecked();
    expect(await root.call(oauthApi.elsewhere)).toEqual({ isAllowed: true });
    await allowed.click();
    await expect(allowed).not.toBeChecked();
    const person = await createPerson(own.url);
    await signInAs(page, person, own.url);
    await page.goto(`${own.url}/setting`);
    await expect(page.getByRole('button', { name: 'Delete own account' })).toBeVisible();
    await expect(page.getByText('Super admin sign-in')).toHaveCount(0);
  } finally {
    await own.stop();
  }
});
