import { userApi } from '@headgate/contract';
import { MailBox } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { withStatus } from './gateway-status.ts';
import { asRoot, clientOf, createPerson, freshName, setOption } from './people.ts';
import { expect, startProduct, test } from './product.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Register' }).click();

async function fill(page: Page, username: string, password = 'long enough', password2 = password): Promise<void> {
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(password);
  await field(page, 'Repeat password').fill(password2);
}

/** Stands in for Cloudflare's script: gives a numbered token when told to. */
async function withTurnstile(page: Page): Promise<{ solve: () => Promise<void> }> {
  await page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `let count = 0;
        window.turnstile = {
          render: (place, options) => {
            place.textContent = 'widget of ' + options.sitekey;
            window.solve = () => options.callback('token-' + ++count);
            return 'w1';
          },
          reset: () => undefined,
          remove: () => undefined,
        };`,
    }),
  );
  return { solve: () => page.evaluate('window.solve()') };
}

/** The registration calls the page sends from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on(
    'request',
    (request) => void (/user\/register|verification/.test(request.url()) && calls.push(request.url())),
  );
  return calls;
}

test('[S2.5 S2.47 S2.57 S2.58 S2.59] the login leads to a form that asks for a name and a password, and no more', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await expect(page).toHaveURL('/register');
  for (const label of ['Username', 'Password', 'Repeat password']) await expect(field(page, label)).toBeEditable();
  await expect(field(page, 'Email')).toHaveCount(0);
  await expect(field(page, 'Verification code')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Bot check' })).toHaveCount(0);
});

test('[S2.60 S3.28 S4.41 S7.10 S8.14] a visitor registers and then logs in', async ({ page, product }) => {
  const username = freshName();
  await page.goto('/register');
  await fill(page, username);
  const sent = page.waitForRequest('**/api/user/register**');
  await submit(page);
  const request = await sent;
  expect(request.method()).toBe('POST');
  expect(new URL(request.url()).search).toBe('?turnstile=');
  expect(request.postDataJSON()).toEqual({
    username,
    password: 'long enough',
    password2: 'long enough',
    email: '',
    verification_code: '',
    aff_code: '',
  });
  await expect(page.getByText('Registration successful!')).toBeVisible();
  await expect(page).toHaveURL('/login');
  await clientOf(product.url, { username, password: 'long enough' });
});

test('[S2.6 S3.17] the code of an invite link is kept and credited to whoever sent it', async ({ page, product }) => {
  const inviter = await createPerson(product.url);
  const code = await (await clientOf(product.url, inviter)).call(userApi.inviteCode);
  await page.goto(`/register?aff=${code}`);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('aff'))).toBe(code);
  await page.goto('/register');
  const username = freshName();
  await fill(page, username);
  await submit(page);
  await expect(page).toHaveURL('/login');
  const root = await asRoot(product.url);
  const [made] = await root.call(userApi.search, { query: { keyword: username, order: '' } });
  expect(made).toMatchObject({ username, inviter_id: inviter.id });
});

test('[S5.1 S5.2 S5.3 S5.7] what is missing is marked, what is wrong is said, and nothing is sent', async ({
  page,
}) => {
  const calls = callsOf(page);
  await page.goto('/register');
  await submit(page);
  await expect(field(page, 'Username')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'Password')).toHaveAccessibleDescription('Please enter a password');
  await expect(page.locator('[data-kind]')).toHaveCount(0);
  await fill(page, 'somebody', '1234567', 'another');
  await submit(page);
  await expect(page.locator('[data-kind]')).toHaveText(/Password length must not be less than 8 characters!/);
  await fill(page, 'somebody', 'long enough', 'another one');
  await submit(page);
  await expect(page.locator('[data-kind]').getByText('The two passwords entered do not match')).toBeVisible();
  await expect(field(page, 'Repeat password')).toBeFocused();
  expect(calls).toEqual([]);
});

test('[S5.4 S5.5 S9.18] the fields state their limits and keep them', async ({ page }) => {
  await page.goto('/register');
  await expect(field(page, 'Username')).toHaveAttribute('placeholder', 'At most 12 characters');
  for (const name of ['Password', 'Repeat password']) {
    await expect(field(page, name)).toHaveAttribute('placeholder', '8 to 20 characters');
    await expect(field(page, name)).toHaveAttribute('maxlength', '20');
  }
  await field(page, 'Username').pressSequentially('thirteen-char');
  await expect(field(page, 'Username')).toHaveValue('thirteen-cha');
});

test('[S2.59 S3.19 S5.6 S5.7 S7.10] with the bot check on, each call takes a token of its own', async ({ page }) => {
  await withStatus(page, { turnstile_check: true, turnstile_site_key: 'site-key' });
  const { solve } = await withTurnstile(page);
  const calls = callsOf(page);
  await page.goto('/register');
  await expect(page.getByText('widget of site-key')).toBeVisible();
  await fill(page, freshName());
  const waiting = page.getByText('Please retry in a few seconds, Turnstile is checking the user environment!');
  await submit(page);
  await expect(waiting).toBeVisible();
  expect(calls).toEqual([]);
  await page.route('**/api/user/register**', (route) =>
    route.fulfill({ json: { success: false, message: 'not this time' } }),
  );
  await solve();
  await submit(page);
  await expect(page.getByText('not this time')).toBeVisible();
  expect(calls).toEqual([expect.stringContaining('/api/user/register?turnstile=token-1')]);
  await submit(page);
  await expect(waiting).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('[S2.58 S3.18 S5.8 S7.11 S8.13 S9.19] with verified addresses a code comes by mail', async ({ page }) => {
  test.slow();
  await using box = await MailBox.start();
  const own = await startProduct({ ROOT_PASSWORD: 'password-1' });
  try {
    await asRoot(own.url, 'password-1');
    await setOption(own.url, 'SMTPServer', '127.0.0.1');
    await setOption(own.url, 'SMTPPort', String(box.port));
    await setOption(own.url, 'SMTPFrom', 'gateway@example.com');
    await setOption(own.url, 'EmailVerificationEnabled', 'true');
    const calls = callsOf(page);
    await page.clock.install();
    await page.goto(`${own.url}/register`);
    await fill(page, 'mailed');
    await page.getByRole('button', { name: 'Get code' }).click();
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true');
    expect(calls).toEqual([]);
    await field(page, 'Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Get code' }).click();
    await expect(page.getByText('Verification code sent successfully, please check your mailbox!')).toBeVisible();
    expect(new URL(calls[0] ?? '').search).toBe('?email=ada%40example.com&turnstile=');
    await expect(page.getByRole('button', { name: /^Retry \((30|29)\)$/ })).toBeDisabled();
    await page.clock.runFor(31_000);
    await expect(page.getByRole('button', { name: 'Get code' })).toBeEnabled();
    const { text } = await box.mailTo('ada@example.com');
    await field(page, 'Verification code').fill(/^[A-Z0-9]{6}$/m.exec(text)?.[0] ?? '');
    await submit(page);
    await expect(page).toHaveURL(`${own.url}/login`);
  } finally {
    await own.stop();
  }
});
