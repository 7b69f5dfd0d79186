import { redemptionApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { asRoot, createPerson, freshName, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

async function createCode(url: string, quota: number): Promise<string> {
  const root = await asRoot(url);
  const [key = ''] = await root.call(redemptionApi.create, { body: { name: freshName('code'), quota, count: 1 } });
  return key;
}

const balance = (page: Page) => page.getByRole('region', { name: 'Remaining quota' });
const codeField = (page: Page) => page.getByRole('textbox', { name: 'Redemption code' });
const redeem = (page: Page) => page.getByRole('button', { name: 'Redeem' }).click();

test.beforeEach(async ({ page, product }) => {
  await signInAs(page, await createPerson(product.url, { quota: 500_000 }));
});

test('[S2.23 S2.157 S2.159 S2.160] the page has a field for a code, a button and the remaining quota', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Top-up' }).click();
  await expect(page).toHaveURL('/topup');
  await expect(balance(page).getByText('$1.00', { exact: true })).toBeVisible();
  await expect(codeField(page)).toBeEditable();
  await expect(page.getByRole('button', { name: 'Redeem' })).toBeEnabled();
});

test('[S1.6 S7.32 S8.29] a code, pasted with blanks around it, adds its quota', async ({ page, product }) => {
  const key = await createCode(product.url, 750_000);
  await page.goto('/topup');
  await expect(balance(page).getByText('$1.00', { exact: true })).toBeVisible();
  await codeField(page).fill(`  ${key}\n`);
  await expect(codeField(page)).toHaveValue(key);
  const sent = page.waitForRequest('**/api/user/topup');
  await redeem(page);
  expect((await sent).postDataJSON()).toEqual({ key });
  await expect(page.getByText('Top-up successful')).toBeVisible();
  await expect(balance(page).getByText('$2.50', { exact: true })).toBeVisible();
  await expect(balance(page).getByRole('status')).toHaveText('$1.50 added');
  await expect(codeField(page)).toHaveValue('');
  await expect(page.getByRole('button', { name: /^Account/ })).toContainText('$2.50');
  await page.reload();
  await expect(balance(page).getByText('$2.50', { exact: true })).toBeVisible();
});

test('[S5.52] an empty code is a warning, marks the field and sends nothing', async ({ page }) => {
  let calls = 0;
  page.on('request', (request) => void (request.url().endsWith('/api/user/topup') && calls++));
  await page.goto('/topup');
  await codeField(page).fill('   ');
  await redeem(page);
  await expect(page.locator('[data-kind="warning"]')).toHaveText(/Please enter top-up code/);
  await expect(codeField(page)).toHaveAttribute('aria-invalid', 'true');
  expect(calls).toBe(0);
});

test('[S8.8] a code the server refuses stays in the field, with the reason', async ({ page, product }) => {
  const key = await createCode(product.url, 1000);
  await page.goto('/topup');
  await codeField(page).fill('not-a-code');
  await redeem(page);
  await expect(page.getByText('This redemption code is not valid')).toBeVisible();
  await expect(codeField(page)).toHaveValue('not-a-code');
  await codeField(page).fill(key);
  await redeem(page);
  await expect(page.getByText('Top-up successful')).toBeVisible();
  await codeField(page).fill(key);
  await redeem(page);
  await expect(page.getByText('This redemption code has already been used')).toBeVisible();
});

test('[S8.10 S8.7] a call that does not come through is a failed request', async ({ page }) => {
  await page.goto('/topup');
  await page.route('**/api/user/topup', (route) => route.abort());
  await codeField(page).fill('some-code');
  await redeem(page);
  await expect(page.locator('[data-kind="error"]')).toHaveText(/Request failed\s*错误：./);
  await expect(balance(page).getByText('$1.00', { exact: true })).toBeVisible();
});

test('[S8.10 S8.3] too many calls are told as such', async ({ page }) => {
  await page.goto('/topup');
  await page.route('**/api/user/topup', (route) => route.fulfill({ status: 429, body: '' }));
  await codeField(page).fill('some-code');
  await redeem(page);
  await expect(page.locator('[data-kind="error"]')).toHaveText(/Request failed\s*错误：请求次数过多，请稍后再试！/);
});

test('while a code is redeemed the button shows it and cannot be pressed again', async ({ page, product }) => {
  const key = await createCode(product.url, 1000);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/user/topup', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/topup');
  await codeField(page).fill(key);
  await redeem(page);
  await expect(page.getByRole('button', { name: 'Redeeming…' })).toBeDisabled();
  release();
  await expect(page.getByRole('button', { name: 'Redeem', exact: true })).toBeEnabled();
});

test.describe('the top-up link', () => {
  // Options are the product's own: these run one after another.
  test.describe.configure({ mode: 'serial' });

  test('[S2.158 S5.53 S3.24] without one the button says so', async ({ page, product }) => {
    await setOption(product.url, 'TopUpLink', '');
    await page.goto('/topup');
    await page.getByRole('button', { name: 'Get a code' }).click();
    await expect(page.locator('[data-kind="error"]')).toHaveText(/The super admin has not set a top-up link/);
  });

  test('[S2.158 S3.24] it is opened in a new tab and knows who buys', async ({ page, product, context }) => {
    const person = await createPerson(product.url);
    await signInAs(page, person);
    await setOption(product.url, 'TopUpLink', 'https://shop.example/buy?item=1#now');
    await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }));
    await page.goto('/topup');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('status'))).toContain('shop.example');
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Get a code' }).click();
    const shop = new URL((await opening).url());
    expect(shop.origin + shop.pathname + shop.hash).toBe('https://shop.example/buy#now');
    expect(Object.fromEntries(shop.searchParams)).toEqual({
      item: '1',
      username: person.username,
      user_id: String(person.id),
      transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await setOption(product.url, 'TopUpLink', '');
  });

  test('[A31.2] one that is no address is told, not opened', async ({ page, context }) => {
    await page.route('**/api/status', async (route) => {
      const response = await route.fetch();
      const reply = await response.json();
      await route.fulfill({
        response,
        json: { ...reply, data: { ...reply.data, top_up_link: 'javascript:alert(1)' } },
      });
    });
    await page.goto('/topup');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('status'))).toContain('javascript:');
    await page.getByRole('button', { name: 'Get a code' }).click();
    await expect(page.getByText('The top-up link is not a valid address. Please tell an admin.')).toBeVisible();
    expect(context.pages()).toHaveLength(1);
  });
});
