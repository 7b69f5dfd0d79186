import { userApi } from '@headgate/contract';
import { ApiClient, makeSessionsOld } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { openAsSomebody } from './people.ts';
import { expect, test } from './product.ts';

const section = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Access tokens', exact: true }) });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'New access token' });
const shownKey = (page: Page) => page.getByLabel(/shown only now: keep it somewhere safe$/);

const programOf = (url: string, key: string) => {
  const program = new ApiClient(url);
  program.headers['authorization'] = `Bearer ${key}`;
  return program;
};

test.describe('access tokens with a name', () => {
  test('[A52.5] one is made by the keyboard, shown once, does what it is for, and is revoked', async ({
    page,
    product,
  }) => {
    const person = await openAsSomebody(page, product.url, '/setting');
    await expect(section(page)).toContainText('There is none yet.');
    await section(page).getByRole('button', { name: 'New access token' }).press('Enter');
    await expect(dialog(page).getByLabel('Name')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toContainText('Please enter a name');
    await expect(dialog(page).getByLabel('Name')).toBeFocused();
    await page.keyboard.type('Nightly report');
    await dialog(page).getByLabel('Scope').selectOption('Read only');
    await expect(dialog(page)).toContainText('changes nothing');
    await dialog(page).getByLabel('Expires').selectOption('30 days');
    await dialog(page).getByRole('button', { name: 'Make access token' }).press('Enter');
    await expect(shownKey(page)).toHaveValue(/^hg_[\w-]{43}$/);
    const program = programOf(product.url, await shownKey(page).inputValue());
    expect(await program.call(userApi.self)).toMatchObject({ username: person.username });
    const change = await program.send(userApi.updateSelf, { body: { display_name: 'Taken' } });
    expect(change.status).toBe(403);

    await page.reload();
    const row = section(page).getByRole('group', { name: 'Nightly report' });
    await expect(row).toContainText('Read only');
    await expect(row).toContainText('Last used');
    await expect(shownKey(page)).toBeHidden();
    await row.getByRole('button', { name: 'Revoke' }).press('Enter');
    await expect(page.getByRole('dialog', { name: 'Revoke the access token Nightly report?' })).toBeVisible();
    await page.keyboard.press('Escape');
    expect((await program.send(userApi.self)).status).toBe(200);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('Access token revoked')).toBeVisible();
    await expect(section(page)).toContainText('There is none yet.');
    expect((await program.send(userApi.self)).status).toBe(401);
  });

  test('[A13.3] asks who signed in a while ago for a proof first', async ({ page, product }) => {
    const person = await openAsSomebody(page, product.url, '/setting');
    makeSessionsOld(product);
    await section(page).getByRole('button', { name: 'New access token' }).click();
    await dialog(page).getByLabel('Name').fill('Late');
    await dialog(page).getByRole('button', { name: 'Make access token' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it you?' });
    await proof.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.keyboard.press('Enter');
    await expect(shownKey(page)).toHaveValue(/^hg_/);
  });

  test('are readable on a phone, whatever they are called', async ({ page, product }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await openAsSomebody(page, product.url, '/setting');
    await section(page).getByRole('button', { name: 'New access token' }).click();
    await dialog(page).getByLabel('Name').fill('W'.repeat(50));
    await dialog(page).getByLabel('Expires').selectOption('Never');
    await dialog(page).getByRole('button', { name: 'Make access token' }).click();
    await expect(
      section(page)
        .getByRole('group', { name: 'W'.repeat(50) })
        .first(),
    ).toContainText('Never expires');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expect(section(page).getByRole('button', { name: 'Revoke' })).toBeInViewport({ ratio: 1 });
  });
});
