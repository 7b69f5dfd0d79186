import { role } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { withStatus } from './gateway-status.ts';
import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { consolePages } from './routes.ts';

const phone = { width: 390, height: 844 };

async function signIn(page: Page, username = 'root', password = '123456'): Promise<void> {
  await page.goto('/login');
  await fillLogin(page, username, password);
}

async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test.describe('visitors', () => {
  test('[S2.1 S2.2 S2.25 S2.31] open every page that needs no account, and stay there', async ({ page }) => {
    // The callbacks wait for an answer that does not come: they would move on.
    await page.route(/\/api\/oauth\/(github|lark)\?/, () => undefined);
    for (const [path, words] of [
      ['/', 'GitHub login'],
      ['/login', 'Log in'],
      ['/register', 'Register'],
      ['/reset', 'Send reset email'],
      ['/user/reset', 'Reset password'],
      ['/oauth/github', 'Signing in…'],
      ['/oauth/lark', 'Signing in…'],
      ['/about', 'About'],
      ['/nowhere/at/all', 'Page not found'],
    ] as const) {
      await page.goto(`${path}?code=x&state=y&email=a%40b.example&token=t`);
      await expect(page.getByRole('main').getByText(words).first()).toBeVisible();
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      expect(new URL(page.url()).pathname).toBe(path);
    }
  });

  test('[S2.11 S2.27] an unknown address says so', async ({ page }) => {
    await page.goto('/oauth/wechat');
    await expect(page.getByText('Page does not exist, please check your browser address')).toBeVisible();
  });

  test('[S2.29 S2.30] a guarded page leads to login and back to where the visitor wanted to go', async ({
    page,
    product,
  }) => {
    const { username, password } = await createPerson(product.url);
    await page.goto('/user/edit?from=bookmark');
    await expect(page).toHaveURL('/login');
    await fillLogin(page, username, password);
    await expect(page).toHaveURL('/user/edit?from=bookmark');
  });

  test('[S2.28] every page that is not for visitors is guarded', async ({ page }) => {
    const guarded = consolePages()
      .filter(({ access }) => access !== 'visitor')
      .map(({ path }) => path);
    const specified = ['channel', 'token', 'redemption', 'user', 'setting', 'topup', 'log'];
    const sections = [
      ...specified,
      'alerts',
      'budget',
      'failure',
      'limit',
      'node',
      'playground',
      'prices',
      'routing',
      'usage',
    ];
    expect([...new Set(guarded.map((path) => path.split('/')[1]))].sort()).toEqual(sections.sort());
    for (const path of guarded) {
      await page.goto(path.replace(':id', '1'));
      await expect(page).toHaveURL('/login');
    }
  });

  test('[S1.21] see the name of the product while the gateway has none of its own', async ({ page }) => {
    for (const [system_name, title] of [
      ['Our gate', 'Our gate'],
      ['', 'Headgate'],
      [undefined, 'Headgate'],
    ] as const) {
      await withStatus(page, { system_name });
      await page.goto('/');
      await expect(page).toHaveTitle(title);
      await expect(page.getByRole('banner').getByRole('link', { name: title })).toBeVisible();
    }
  });

  test('[S1.22 S2.34] see the logo, which is the product’s while the gateway has none of its own', async ({ page }) => {
    const image = page.getByRole('banner').locator('img');
    const isDrawn = () => image.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0);
    await page.goto('/');
    await expect(image).toBeVisible();
    await expect(image).toHaveAttribute('src', '/logo.png');
    await expect.poll(isDrawn).toBe(true);
    await withStatus(page, { logo: '/logo.png?own' });
    await page.goto('/');
    await expect(image).toHaveAttribute('src', '/logo.png?own');
    await expect.poll(isDrawn).toBe(true);
  });

  test('[S2.33 S2.36] see the name and a way to log in', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Headgate' })).toBeVisible();
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test.describe('login', () => {
  test('[S2.44 S2.45 S3.7 S3.8 S4.40 S8.15] what the server answers is stored under user', async ({
    page,
    product,
  }) => {
    const { username, password, id } = await createPerson(product.url, { role: role.admin });
    await signIn(page, username, password);
    await expect(page.getByText('Login successful!')).toBeVisible();
    const user = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
    expect(user).toMatchObject({ id, username, role: 10 });
  });

  test('[S4.38 S4.39] the default root is sent to change its password', async ({ page }) => {
    await signIn(page);
    await expect(page).toHaveURL('/user/edit');
    await expect(page.locator('[data-kind="warning"]')).toHaveText('Please change the default password immediately!');
    await expect(page.getByLabel('New password')).toHaveValue('');
  });

  test('[S8.8] a refusal is shown in the language of the console', async ({ page }) => {
    await signIn(page, 'root', 'wrong-password');
    await expect(page.getByText('Wrong username or password, or the account is banned')).toBeVisible();
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('button', { name: '登录' }).click();
    await expect(page.getByText('用户名或密码错误，或用户已被封禁')).toBeVisible();
  });

  test('[S4.37] without a page in mind it leads to the tokens', async ({ page, product }) => {
    const { username, password } = await createPerson(product.url);
    await signIn(page, username, password);
    await expect(page).toHaveURL('/token');
  });

  test('empty fields send nothing', async ({ page }) => {
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/user/login')) calls += 1;
    });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Username or email').fill('root');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(calls).toBe(0);
  });

  test('[S2.3 S2.4] the expired flag, and only it, shows that the login has ended', async ({ page }) => {
    const words = page.getByText('Not logged in or login expired, please log in again!');
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
    await expect(words).toHaveCount(0);
    await page.goto('/login?expired=true');
    await expect(words).toBeVisible();
  });

  test('[S2.35 S8.16] logging out ends the session and forgets the user', async ({ page }) => {
    await signIn(page);
    await page.getByRole('button', { name: /^Account root/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Logout successful')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
    expect((await page.request.get('/api/user/self')).status()).toBe(401);
  });
});

test.describe('messages', () => {
  const failWith = (page: Page, status: number, body = '{}') =>
    page.route('**/api/user/login', (route) => route.fulfill({ status, body, contentType: 'application/json' }));

  test('[S8.1 S8.3 S8.4 S8.5 S8.6] every failed answer is told by its status, and logged', async ({ page }) => {
    const logged: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())));
    for (const [status, words, kind] of [
      [429, '错误：请求次数过多，请稍后再试！', 'error'],
      [500, '错误：服务器内部错误，请联系管理员！', 'error'],
      [405, 'This site is a demo only and has no server', 'info'],
      [418, '错误：short and stout', 'error'],
    ] as const) {
      await failWith(page, status, '{"success":false,"message":"short and stout"}');
      await signIn(page);
      await expect(page.locator(`[data-kind="${kind}"]`).filter({ hasText: words })).toBeVisible();
      expect(logged.splice(0).join('\n')).toContain('CallFailure');
    }
  });

  test('[S8.7] a failure without a response is told', async ({ page }) => {
    await page.route('**/api/user/login', (route) => route.abort());
    await signIn(page);
    await expect(page.getByText(/^错误：./)).toBeVisible();
  });

  test('an answer that makes no sense is told, not a blank page', async ({ page }) => {
    await failWith(page, 200, 'this is not JSON');
    await signIn(page);
    await expect(page.getByText('错误：The server sent an answer that cannot be read')).toBeVisible();
  });

  test('[S2.32 S8.2] 401 leads to login with the flag, forgets the user and does not loop', async ({
    page,
    context,
  }) => {
    await signIn(page);
    await expect(page.getByLabel('Username', { exact: true })).toHaveValue('root');
    await context.clearCookies();
    await page.reload();
    await expect(page).toHaveURL('/login?expired=true');
    await expect(page.getByText('Not logged in or login expired, please log in again!')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  });

  test('[S7.3] the status is asked for at the start, and believed only with its success flag', async ({ page }) => {
    const answer = (success: boolean) =>
      page.route('**/api/status', (route) =>
        route.fulfill({ json: { success, message: 'asleep', data: { system_name: 'Believed' } } }),
      );
    await answer(false);
    const asked = page.waitForRequest('**/api/status');
    await page.goto('/about');
    expect((await asked).method()).toBe('GET');
    await expect(page.locator('[data-kind="error"]')).toContainText('Cannot connect to the server normally');
    await expect(page).toHaveTitle('About · Headgate');
    expect(await page.evaluate(() => localStorage.getItem('status'))).toBeNull();
    await answer(true);
    await page.goto('/about');
    await expect(page).toHaveTitle('About · Believed');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('system_name'))).toBe('Believed');
  });

  test('[S8.9] a status that cannot be fetched is told', async ({ page }) => {
    await page.route('**/api/status', (route) => route.abort());
    await page.goto('/');
    await expect(page.getByText('Cannot connect to the server normally')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Headgate' })).toBeVisible();
  });

  for (const width of [1280, 601, 600, 390]) {
    const place = width > 600 ? 'right' : 'centre';

    test(`[S8.36 S8.37] messages of every kind sit top-${place} in a window of ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      const expectPlace = async (kind: string) => {
        const message = page.locator(`[data-kind="${kind}"]`).first();
        await expect(message).toBeVisible();
        const { x, y, width: breadth } = (await message.boundingBox()) ?? { x: 0, y: 999, width: 0 };
        expect(y, kind).toBeLessThan(300);
        const [left, right] = [x, width - x - breadth];
        if (place === 'centre') expect(Math.abs(left - right), kind).toBeLessThan(3);
        else {
          expect(right, kind).toBeLessThan(30);
          expect(left, kind).toBeGreaterThan(right + 50);
        }
      };
      await page.route('**/api/notice', (route) =>
        route.fulfill({ json: { success: true, message: '', data: 'Back on Monday' } }),
      );
      await page.goto('/');
      await expectPlace('notice');
      await failWith(page, 405);
      await signIn(page);
      await expectPlace('info');
      await page.unroute('**/api/user/login');
      await signIn(page, 'root', 'wrong-password');
      await expectPlace('error');
      await fillLogin(page, 'root', '123456');
      await expectPlace('success');
      await expectPlace('warning');
    });
  }

  test('[S9.3] an error stays for five seconds', async ({ page }) => {
    await page.clock.install({ time: '2026-01-01T00:00:00' });
    await page.goto('/login');
    await expect(page.getByLabel('Username or email')).toBeVisible();
    await page.clock.pauseAt('2026-01-01T01:00:00');
    await failWith(page, 418, '{"success":false,"message":"short and stout"}');
    await fillLogin(page, 'root', '123456');
    const error = page.locator('[data-kind="error"]');
    await expect(error).toBeVisible();
    await page.clock.runFor(4990);
    await expect(error).toBeVisible();
    await page.clock.runFor(20);
    await expect(error).toHaveCount(0);
  });

  test('[S9.1 S9.2 S9.4] each kind of message stays for its time', async ({ page }) => {
    await page.clock.install({ time: '2026-01-01T00:00:00' });
    await page.goto('/login');
    await expect(page.getByLabel('Username or email')).toBeVisible();
    await page.clock.pauseAt('2026-01-01T01:00:00');
    await failWith(page, 405);
    await fillLogin(page, 'root', '123456');
    const info = page.getByText('This site is a demo only and has no server');
    await expect(info).toBeVisible();
    await page.clock.runFor(2990);
    await expect(info).toBeVisible();
    await page.clock.runFor(20);
    await expect(info).toHaveCount(0);
    await page.unroute('**/api/user/login');
    await fillLogin(page, 'root', '123456');
    const success = page.getByText('Login successful!');
    const warning = page.getByText('Please change the default password immediately!');
    await expect(success).toBeVisible();
    await expect(warning).toBeVisible();
    await page.clock.runFor(1490);
    await expect(success).toBeVisible();
    await page.clock.runFor(20);
    await expect(success).toHaveCount(0);
    await page.clock.runFor(8480);
    await expect(warning).toBeVisible();
    await page.clock.runFor(20);
    await expect(warning).toHaveCount(0);
  });
});

test.describe('frame', () => {
  test('[S1.19] root sees what an admin sees', async ({ page, product }) => {
    const seen = async () => {
      await page.goto('/setting');
      await expect(page.getByRole('tab').nth(3)).toBeVisible();
      await expect(page.getByRole('navigation').getByRole('link', { name: 'Settings' })).toBeVisible();
      return [
        ...(await page.getByRole('navigation').getByRole('link').allTextContents()),
        ...(await page.getByRole('tab').allTextContents()),
      ];
    };
    await signInAs(page, await createPerson(product.url, { role: role.admin }));
    const byAdmin = await seen();
    await signInAs(page, rootAccount);
    expect(await seen()).toEqual(byAdmin);
    expect(byAdmin).toEqual(expect.arrayContaining(['Channels', 'Redemption codes', 'Users', 'System settings']));
  });

  test('[S9.39 S9.40] a hint appears 50 ms after the pointer and goes 70 ms after it', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url, { role: role.admin }));
    await page.clock.install({ time: '2026-01-01T00:00:00' });
    await page.goto('/channel');
    const button = page.getByRole('button', { name: 'Refresh' });
    await expect(button).toBeVisible();
    await page.clock.pauseAt('2026-01-01T01:00:00');
    const hint = page.getByRole('tooltip', { name: 'Refresh' });
    await button.hover();
    await page.clock.runFor(45);
    await expect(hint).toHaveCount(0);
    await page.clock.runFor(10);
    await expect(hint).toBeVisible();
    await page.mouse.move(0, 0);
    await page.clock.runFor(65);
    await expect(hint).toBeVisible();
    await page.clock.runFor(10);
    await expect(hint).toHaveCount(0);
  });

  test('the menu shows where one is, the profile among the settings', async ({ page }) => {
    await signInAs(page, rootAccount);
    for (const [path, entry] of [
      ['/channel/add', 'Channels'],
      ['/user/add', 'Users'],
      ['/user/edit', 'Settings'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('navigation').locator('[aria-current="page"]')).toHaveText([entry]);
    }
  });

  const forUse = ['Home', 'Tokens', 'Budgets', 'Top-up', 'Logs', 'Usage', 'Prices', 'Playground'];
  const forEveryone = [...forUse, 'Settings', 'About'];
  const entries = (page: Page) => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');

  test('[S2.37] the menu has the same for visitors and ordinary users, and leads there', async ({ page, product }) => {
    await page.goto('/');
    await expect(entries(page)).toHaveText(forEveryone);
    await signInAs(page, await createPerson(product.url));
    await page.goto('/');
    await expect(entries(page)).toHaveText(forEveryone);
    for (const [name, path] of [
      ['Tokens', '/token'],
      ['Top-up', '/topup'],
      ['Logs', '/log'],
      ['Settings', '/setting'],
      ['About', '/about'],
      ['Home', '/'],
    ] as const) {
      await entries(page).filter({ hasText: name }).click();
      await expect(page).toHaveURL(path);
    }
  });

  test('[S2.37 S2.38] the menu has entries of their own for admins', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url, { role: role.admin }));
    await page.goto('/');
    const forAdmins = ['Channels', 'Failures', 'Routing', 'Alerts', 'Nodes', 'Limits', 'Redemption codes', 'Users'];
    await expect(entries(page)).toHaveText([...forUse, ...forAdmins, 'Settings', 'About']);
  });

  test('[S2.40] the menu is a drawer up to 600 pixels and stands beside the page above', async ({ page }) => {
    const burger = page.getByRole('button', { name: 'Menu' });
    await page.setViewportSize({ width: 601, height: 800 });
    await page.goto('/');
    await expect(entries(page)).toHaveText(forEveryone);
    await expect(burger).toHaveCount(0);
    for (const width of [600, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(entries(page)).toHaveCount(0);
      await burger.click();
      await expect(page.getByRole('dialog').getByRole('link', { name: 'About' })).toBeVisible();
      await expect(entries(page)).toHaveText(forEveryone);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

  test('[S2.41] the drawer of a visitor offers login and registration', async ({ page }) => {
    await page.setViewportSize(phone);
    for (const [name, path] of [
      ['Log in', '/login'],
      ['Register', '/register'],
    ] as const) {
      await page.goto('/');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('dialog').getByRole('link', { name, exact: true }).click();
      await expect(page).toHaveURL(path);
    }
  });

  test('[S2.42] the drawer of a user offers the way out', async ({ page, product }) => {
    await page.setViewportSize(phone);
    const person = await createPerson(product.url);
    await signInAs(page, person);
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Log in' })).toHaveCount(0);
    await page.getByRole('button', { name: `Account ${person.username}` }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/login');
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  });

  test('dark and light follow the system until the visitor chooses, and the choice stays', async ({ page }) => {
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/');
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'Switch to light' }).click();
    expect(await scheme()).toBe('light');
    await page.reload();
    expect(await scheme()).toBe('light');
  });

  test('the language is the browser’s until the visitor chooses, and the choice stays', async ({
    browser,
    product,
  }) => {
    const context = await browser.newContext({ locale: 'zh-CN', baseURL: product.url });
    const page = await context.newPage();
    await page.goto('/');
    await expect(page.getByRole('link', { name: '关于' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await page.getByRole('button', { name: 'English' }).click();
    await page.reload();
    await expect(page.getByRole('link', { name: 'About' })).toBeVisible();
    await context.close();
  });

  test('[S3.9 S3.10 S3.11 S3.14 S3.15 S3.16] what the gateway says of itself is kept in the browser', async ({
    page,
  }) => {
    await page.goto('/');
    const stored = () => page.evaluate(() => ({ ...localStorage }));
    await expect.poll(async () => (await stored())['status']).toBeTruthy();
    expect(await stored()).toMatchObject({
      system_name: 'Headgate',
      logo: '',
      footer_html: '',
      quota_per_unit: '500000',
      display_in_currency: 'true',
    });
    const other = { system_name: 'Gate', logo: '/gate.png', footer_html: '<i>Ours</i>', quota_per_unit: 1000 };
    await withStatus(page, { ...other, display_in_currency: false });
    await page.reload();
    await expect.poll(stored).toMatchObject({ ...other, quota_per_unit: '1000', display_in_currency: 'false' });
  });

  test('a screen whose code does not arrive offers another try', async ({ page }) => {
    await page.goto('/');
    await page.route('**/assets/about-page-*', (route) => route.abort());
    await page.getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
    await page.unroute('**/assets/about-page-*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
  });
});
