import type { Page } from '@playwright/test';
import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { watchMessages } from './watch-messages.ts';

/** Answers a call with a failure of this status. */
const answerWith = (page: Page, call: RegExp, status: number) =>
  page.route(call, (route) => route.fulfill({ status, json: { success: false, message: 'short and stout' } }));

const table = [
  [429, 'error', '错误：请求次数过多，请稍后再试！'],
  [500, 'error', '错误：服务器内部错误，请联系管理员！'],
  [405, 'info', 'This site is a demo only and has no server'],
  [418, 'error', '错误：short and stout'],
] as const;

test('[S8.2] a 401 on the login page itself shows the words of the server and stays there', async ({ page }) => {
  const messages = await watchMessages(page);
  await answerWith(page, /\/api\/user\/login$/, 401);
  await page.goto('/login');
  await page.getByLabel('Username or email').fill('root');
  await page.getByLabel('Password', { exact: true }).fill('wrong-password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.locator('[data-kind="error"]').filter({ hasText: 'short and stout' })).toBeVisible();
  await expect(page).toHaveURL('/login');
  expect(messages).toHaveLength(1);
});

test('[S2.32 S8.2] many calls that find the session ended say so once, also those that are answered later', async ({
  page,
  product,
}) => {
  const messages = await watchMessages(page);
  await signInAs(page, await createPerson(product.url));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.request.post('/api/token/', { data: { name: 'mine', unlimited_quota: true } });
  await page.goto('/token');
  await page.route(/status_only/, async (route) => {
    await released;
    await route.fulfill({ status: 401, json: { success: false, message: 'too late' } });
  });
  await page.getByRole('button', { name: 'More actions for mine' }).click();
  await page.getByRole('menuitem', { name: 'Disable', exact: true }).click();
  await answerWith(page, /\/api\/token\/search/, 401);
  await page.getByRole('searchbox').fill('mine');
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL('/login?expired=true');
  await expect(page.getByText('Not logged in or login expired, please log in again!')).toBeVisible();
  const logged = page.waitForEvent('console', (message) => message.text().includes('too late'));
  release();
  await logged;
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
  expect(messages).toEqual(['Not logged in or login expired, please log in again!']);
});

test.describe('the cleanup of logs', () => {
  async function clean(page: Page) {
    await page.getByRole('button', { name: 'Clean logs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete logs' }).click();
  }

  test('[S8.3 S8.4 S8.5 S8.6] that fails is told by its status like every other call', async ({ page }) => {
    await signInAs(page, rootAccount);
    await page.goto('/setting?tab=operation');
    for (const [status, kind, words] of table) {
      await answerWith(page, /\/api\/log\/\?/, status);
      await clean(page);
      await expect(page.locator(`[data-kind="${kind}"]`).filter({ hasText: words })).toBeVisible();
    }
  });

  test('[S2.32 S8.2] that is answered 401 leads to the login once, with one message', async ({ page }) => {
    const messages = await watchMessages(page);
    await signInAs(page, rootAccount);
    await page.goto('/setting?tab=operation');
    await answerWith(page, /\/api\/log\/\?/, 401);
    await clean(page);
    await expect(page).toHaveURL('/login?expired=true');
    await expect(page.getByText('Not logged in or login expired, please log in again!')).toBeVisible();
    expect(messages).toHaveLength(1);
  });
});

for (const path of ['/token', '/topup', '/setting', '/user/edit'])
  test(`[S8.3 S8.4 S8.5 S8.6] ${path} is never silent about an account that cannot be read`, async ({
    page,
    product,
  }) => {
    await signInAs(page, await createPerson(product.url));
    for (const [status, kind, words] of table) {
      await answerWith(page, /\/api\/user\/self$/, status);
      await page.goto(path);
      await expect(page.locator(`[data-kind="${kind}"]`).filter({ hasText: words })).toBeVisible();
    }
    await page.route(/\/api\/user\/self$/, (route) => route.fulfill({ json: { success: false, message: '' } }));
    await page.goto(path);
    await expect(page.locator('[data-kind="error"]')).toHaveText('The server refused this and did not say why');
  });

test.describe('the way back from a provider', () => {
  const failed = 'operation failed, redirecting to login';

  for (const [who, isSignedIn] of [
    ['a visitor', false],
    ['a user whose session has ended', true],
  ] as const)
    test(`[S4.49] that is answered 401 for ${who} has failed, is not expired, and says so once`, async ({
      page,
      product,
    }) => {
      const messages = await watchMessages(page);
      if (isSignedIn) await signInAs(page, await createPerson(product.url));
      await answerWith(page, /\/api\/oauth\/github\?/, 401);
      const visited: string[] = [];
      page.on('framenavigated', (frame) => visited.push(frame.url()));
      // From the login page, whose code is there by now: a way to it would be taken at once.
      await page.goto('/login');
      await page.evaluate(() => {
        history.pushState({}, '', '/oauth/github?code=x&state=y');
        dispatchEvent(new PopStateEvent('popstate'));
      });
      await page.waitForRequest(/\/api\/oauth\/github\?/);
      await expect(page).toHaveURL('/login');
      await expect(page.getByText(failed)).toContainText('short and stout');
      await expect(page.getByLabel('Username or email')).toBeVisible();
      expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
      expect(messages).toHaveLength(1);
      expect(visited.filter((url) => url.includes('expired'))).toEqual([]);
    });

  test('[S4.49] that is refused shows the words of the gateway in the same message', async ({ page }) => {
    const messages = await watchMessages(page);
    await answerWith(page, /\/api\/oauth\/lark\?/, 200);
    await page.goto('/oauth/lark?code=x&state=y');
    await expect(page).toHaveURL('/login');
    await expect(page.getByText(failed)).toContainText('short and stout');
    expect(messages).toHaveLength(1);
  });
});
