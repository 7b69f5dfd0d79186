import { passkeyApi } from '@headgate/contract';
import { ageSessions } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createTestUser, setOption, signedInClient, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

test('adds a passkey, signs in with it, and removes it after a proof of identity', async ({ page, product }) => {
  // Browsers do not create passkeys for IP addresses, so the page uses localhost.
  const home = product.url.replace('127.0.0.1', 'localhost');
  try {
    const person = await createTestUser(product.url);
    await setOption(product.url, 'ServerAddress', home);
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signInAs(page, person, home);
    await page.goto(`${home}/setting`);
    await page.getByRole('textbox', { name: 'Passkey name' }).fill('Test device');
    await button(page, 'Add passkey').click();
    const row = page.getByRole('group', { name: 'Test device' });
    await expect(row).toBeVisible();
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.removeItem('user'));
    await page.goto(`${home}/login`);
    await button(page, 'Log in with a passkey').click();
    await expect(page.getByText('Login successful!')).toBeVisible();
    await expect(page).toHaveURL(`${home}/token`);
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(row).toContainText('Last used');
    ageSessions(product);
    await row.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm your identity' });
    const password = question.getByRole('textbox', { name: 'Password' });
    await expect(password).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(row).toBeVisible();
    await page.getByRole('textbox', { name: 'Passkey name' }).fill('Second device');
    await button(page, 'Add passkey').click();
    await password.fill(person.password);
    await question.getByRole('button', { name: 'Continue' }).click();
    await expect(question).toHaveCount(0);
    // A device does not store two passkeys for the same account.
    await expect(page.getByText('No passkey was used. Try again or use another method.')).toBeVisible();
    await row.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(row).toHaveCount(0);
    await button(page, 'Add passkey').click();
    const second = page.getByRole('group', { name: 'Second device' });
    await expect(second).toBeVisible();
    await second.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(second).toHaveCount(0);
    expect(await (await signedInClient(product.url, person)).call(passkeyApi.list)).toEqual([]);
  } finally {
    await setOption(product.url, 'ServerAddress', '');
  }
});
