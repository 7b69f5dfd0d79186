import { MailBox } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { withStatus } from './gateway-status.ts';
import { asRoot, clientOf, freshName, setOption } from './people.ts';
import { expect, startProduct, test } from './product.ts';

const email = (page: Page) => page.getByRole('textbox', { name: 'Email', exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send reset email' });

/** A product that sends its mail to this box, with an account whose address is proved. */
async function productWith(box: MailBox, page: Page, address: string) {
  const product = await startProduct({ ROOT_PASSWORD: 'password-1' });
  const { url } = product;
  await asRoot(url, 'password-1');
  for (const [key, value] of [
    ['SMTPServer', '127.0.0.1'],
    ['SMTPPort', String(box.port)],
    ['SMTPFrom', 'gateway@example.com'],
    ['ServerAddress', url],
    ['EmailVerificationEnabled', 'true'],
  ] as const) {
    await setOption(url, key, value);
  }
  const username = freshName();
  await page.request.get(`${url}/api/verification`, { params: { email: address } });
  const verification_code = /^[A-Z0-9]{6}$/m.exec((await box.mailTo(address)).text)?.[0];
  const data = { username, password: 'password-1', email: address, verification_code };
  const answer = await page.request.post(`${url}/api/user/register`, { data });
  expect(await answer.json()).toMatchObject({ success: true });
  box.mails.length = 0;
  return { ...product, username };
}

test('[S2.7 S2.46 S2.61 S2.62] the login leads to the request, which has no bot check when that is off', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveURL('/reset');
  await expect(email(page)).toBeEditable();
  await expect(send(page)).toBeEnabled();
  await expect(page.getByRole('group', { name: 'Bot check' })).toHaveCount(0);
});

test('a forgotten password is reset by mail', async ({ page, context }) => {
  test.slow();
  await using box = await MailBox.start();
  const product = await productWith(box, page, 'ada@example.com');
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
    await page.clock.install();
    await test.step('[S2.63 S2.64 S7.12 S8.30 S9.20] the mail is sent, and another only after 30 seconds', async () => {
      await page.goto(`${product.url}/reset`);
      await email(page).fill('ada@example.com');
      const asked = page.waitForRequest('**/api/reset_password**');
      await send(page).click();
      expect(new URL((await asked).url()).search).toBe('?email=ada%40example.com&turnstile=');
      await expect(page.getByText('Reset email sent')).toBeVisible();
      await expect(page.getByRole('button', { name: /^Retry \((30|29)\)$/ })).toBeDisabled();
      await page.clock.runFor(27_000);
      await expect(page.getByRole('button', { name: /^Retry \(\d\)$/ })).toBeDisabled();
      await page.clock.runFor(4000);
      await expect(send(page)).toBeEnabled();
    });
    const { text } = await box.mailTo('ada@example.com');
    const link = /^http\S+$/m.exec(text)?.[0] ?? '';
    await test.step('[S2.8 S2.65 S7.13] its link brings the address and the token', async () => {
      await page.goto(link);
      await expect(email(page)).toHaveValue('ada@example.com');
      const sent = page.waitForRequest('**/api/user/reset');
      await page.getByRole('button', { name: 'Reset password' }).click();
      const { searchParams } = new URL(link);
      expect((await sent).postDataJSON()).toEqual({ email: 'ada@example.com', token: searchParams.get('token') });
    });
    await test.step('[S2.66 S2.67 S8.31] the new password is copied, and works', async () => {
      await expect(page.getByText('New password copied to clipboard')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Password reset done' })).toBeDisabled();
      const password = await page.evaluate(() => navigator.clipboard.readText());
      await expect(page.getByRole('textbox', { name: 'New password' })).toHaveValue(password);
      await clientOf(product.url, { username: product.username, password });
    });
    await test.step('the link works once', async () => {
      await page.goto(link);
      await page.getByRole('button', { name: 'Reset password' }).click();
      await expect(page.getByText('The reset link is not valid or has expired')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Reset password' })).toBeEnabled();
    });
  } finally {
    await product.stop();
  }
});

test('[S2.63] a request that failed can be sent again at once, also after a reload', async ({ page }) => {
  await page.route('**/api/reset_password**', (route) =>
    route.fulfill({ json: { success: false, message: 'The mail could not be sent' } }),
  );
  await page.goto('/reset');
  await email(page).fill('ada@example.com');
  await send(page).click();
  await expect(page.locator('[data-kind="error"]')).toHaveText(/The mail could not be sent/);
  await expect(send(page)).toBeEnabled();
  await page.reload();
  await expect(send(page)).toBeEnabled();
});

test('[S5.54] an empty address is ignored', async ({ page }) => {
  let calls = 0;
  page.on('request', (request) => void (request.url().includes('/api/reset_password') && calls++));
  await page.goto('/reset');
  await expect(page.getByRole('group', { name: 'Bot check' })).toHaveCount(0);
  await email(page).fill('  ');
  await send(page).click();
  await expect(send(page)).toBeEnabled();
  expect(calls).toBe(0);
});

test('[S2.62 S5.55] with the bot check on it waits for a token', async ({ page }) => {
  await withStatus(page, { turnstile_check: true, turnstile_site_key: 'key' });
  await page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'window.turnstile = { render: (place) => { place.textContent = "widget"; return "w"; }, reset() {}, remove() {} };',
    }),
  );
  await page.goto('/reset');
  await expect(page.getByText('widget')).toBeVisible();
  await email(page).fill('ada@example.com');
  await send(page).click();
  await expect(page.locator('[data-kind="warning"]')).toHaveText(
    /Please retry in a few seconds, Turnstile is checking the user environment/,
  );
  await expect(send(page)).toBeEnabled();
});

test('[S2.8] a link that lost its token says so', async ({ page }) => {
  await page.goto('/user/reset?email=ada%40example.com');
  await expect(page.getByText('This link is not complete.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reset password' })).toHaveCount(0);
});
