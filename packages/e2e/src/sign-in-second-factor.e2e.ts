import { createHmac } from 'node:crypto';
import { passkeyApi, secondFactorApi, userApi } from '@headgate/contract';
import { makeSessionsOld } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { clientOf, createPerson, rootAccount, setOption, signInAs } from './people.ts';
import { expect, startProduct, test } from './product.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** What an authenticator app shows for this key (RFC 6238), at a time so many periods from now. */
function codeOf(key: string, periodsFromNow = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key.replace(/\s/g, '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periodsFromNow));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 0xf;
  return String((hash.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username or email' }).fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await button(page, 'Log in').click();
}

test('two-step login is turned on, asked for, passed with a code and with a backup code, and turned off', async ({
  page,
  product,
  browser,
}) => {
  const person = await createPerson(product.url);
  await signInAs(page, person);
  await page.goto('/setting');
  await button(page, 'Turn on two-step login').click();
  await expect(dialog(page).getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const key = (await dialog(page).locator('code').textContent()) ?? '';
  const code = dialog(page).getByRole('textbox', { name: 'Code of your authenticator app' });
  await dialog(page).getByRole('button', { name: 'Turn on two-step login' }).click();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await code.fill(codeOf(key));
  await code.press('Enter');
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10);
  const [backupCode = '', anotherCode = ''] = await dialog(page).getByRole('listitem').allTextContents();
  await button(page, 'Done').click();
  await expect(page.getByText('Backup codes left: 10')).toBeVisible();

  const context = await browser.newContext({ baseURL: product.url });
  const other = await context.newPage();
  await other.goto('/log');
  await logIn(other, person.username, person.password);
  await expect(other.getByText('One more step')).toBeVisible();
  const asked = other.getByRole('textbox', { name: 'Code of your authenticator app' });
  await asked.fill('000000');
  await button(other, 'Log in').click();
  await expect(other.getByText('The code is wrong, has expired or was used already')).toBeVisible();
  await asked.fill(codeOf(key, 1));
  await button(other, 'Log in').click();
  await expect(other.getByText('Login successful!')).toBeVisible();
  await expect(other).toHaveURL('/log');
  await context.clearCookies();
  await other.goto('/token');
  await expect(other).toHaveURL(/\/login/);
  await logIn(other, person.username, person.password);
  await asked.fill(backupCode.toLowerCase());
  await button(other, 'Log in').click();
  await expect(other).toHaveURL('/token');
  await context.close();

  await page.reload();
  await expect(page.getByText('Backup codes left: 9')).toBeVisible();
  await button(page, 'New backup codes').click();
  await dialog(page).getByRole('textbox').fill('WRONG-CODES');
  await dialog(page).getByRole('button', { name: 'New backup codes' }).click();
  await expect(page.getByText('The code is wrong, has expired or was used already')).toBeVisible();
  await page.keyboard.press('Escape');
  await button(page, 'Turn off two-step login').click();
  await dialog(page).getByRole('textbox').fill(anotherCode);
  await dialog(page).getByRole('button', { name: 'Turn off two-step login' }).click();
  await expect(button(page, 'Turn on two-step login')).toBeVisible();
});

test('an admin resets the second factor of somebody whose phone is lost', async ({ page, product }) => {
  const person = await createPerson(product.url);
  const theirs = await clientOf(product.url, person);
  const { secret } = await theirs.call(secondFactorApi.begin);
  await theirs.call(secondFactorApi.confirm, { body: { code: codeOf(secret) } });
  await signInAs(page, rootAccount);
  await page.goto(`/user?keyword=${person.username}`);
  const choose = async () => {
    await page.getByRole('button', { name: `More actions for ${person.username}` }).click();
    await page.getByRole('menuitem', { name: 'Reset second factor' }).click();
    await expect(dialog(page)).toContainText(`Reset the second factor of ${person.username}?`);
  };
  await choose();
  await button(page, 'Cancel').click();
  expect((await theirs.call(userApi.self)).id).toBe(person.id);
  await choose();
  await dialog(page).getByRole('button', { name: 'Reset second factor' }).click();
  await expect(page.getByText('Operation completed successfully')).toBeVisible();
  await expect(theirs.call(userApi.self)).rejects.toThrow();
  const again = await clientOf(product.url, person);
  expect(await again.call(secondFactorApi.status)).toMatchObject({ isOn: false, backupCodes: 0 });
  await page.goto('/log?type=3');
  await expect(page.getByText(`root reset the second factor of ${person.username}`)).toBeVisible();
  await page.goto(`/user?keyword=${person.username}`);
  await choose();
  await dialog(page).getByRole('button', { name: 'Reset second factor' }).click();
  await expect(page.getByText('This user has neither two-step login nor passkeys')).toBeVisible();
});

test('a passkey is added, opens the account, and is removed', async ({ page }) => {
  test.slow();
  const own = await startProduct();
  // Browsers give no passkeys to bare addresses.
  const home = own.url.replace('127.0.0.1', 'localhost');
  try {
    const person = await createPerson(own.url);
    await setOption(own.url, 'ServerAddress', home);
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
    await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('Test device');
    await button(page, 'Add a passkey').click();
    const row = page.getByRole('group', { name: 'Test device' });
    await expect(row).toBeVisible();
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.removeItem('user'));
    await page.goto(`${home}/login`);
    await button(page, 'Sign in with a passkey').click();
    await expect(page.getByText('Login successful!')).toBeVisible();
    await expect(page).toHaveURL(`${home}/token`);
    await page.goto(`${home}/setting`);
    await expect(row).toContainText('Last used');
    makeSessionsOld(own);
    await row.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Is it you?' });
    const password = question.getByRole('textbox', { name: 'Password' });
    await expect(password).toBeFocused();
    await password.press('Enter');
    await expect(password).toHaveAttribute('aria-invalid', 'true');
    await password.fill('not the password');
    await password.press('Enter');
    await expect(page.getByText('The password is wrong')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(row).toBeVisible();
    await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('Second device');
    await button(page, 'Add a passkey').click();
    await password.fill(person.password);
    await question.getByRole('button', { name: 'Continue' }).click();
    await expect(question).toHaveCount(0);
    // The one device refuses to hold two passkeys of the same account.
    await expect(page.getByText('No passkey was used. Try again, or choose another way.')).toBeVisible();
    await row.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(row).toHaveCount(0);
    await button(page, 'Add a passkey').click();
    const second = page.getByRole('group', { name: 'Second device' });
    await expect(second).toBeVisible();
    await second.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(second).toHaveCount(0);
    expect(await (await clientOf(own.url, person)).call(passkeyApi.list)).toEqual([]);
  } finally {
    await own.stop();
  }
});

test('sessions are listed and ended one by one', async ({ page, product }) => {
  const person = await createPerson(product.url);
  const program = await clientOf(product.url, person);
  await signInAs(page, person);
  await page.goto('/setting');
  const own = page.getByRole('group', { name: /^Chrome/ });
  await expect(own).toContainText('This one');
  await expect(own.getByRole('button')).toHaveCount(0);
  const other = page.getByRole('group', { name: 'node' });
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other).toHaveCount(0);
  expect((await program.request('GET', '/api/user/self')).status).toBe(401);
  await page.reload();
  await expect(own).toBeVisible();
});
