import { role } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { withStatus } from './gateway-status.ts';
import { createPerson, signInAs } from './people.ts';
import { expect, test } from './product.ts';

async function signIn(page: Page, username = 'root', password = '123456'): Promise<void> {
  await page.goto('/login');
  await fillLogin(page, username, password);
}

async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('[S2.44 S2.45] signs in, keeps the session after a reload, and logs out', async ({ page, product }) => {
  const { username, password } = await createPerson(product.url);
  await signIn(page, username, password);
  await expect(page).toHaveURL('/token');
  await page.reload();
  await page.getByRole('button', { name: `Account ${username}` }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
  expect((await page.request.get('/api/user/self')).status()).toBe(401);
});

test.describe('messages', () => {
  const failWith = (page: Page, status: number, body = '{}') =>
    page.route('**/api/user/login', (route) => route.fulfill({ status, body, contentType: 'application/json' }));

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

  test('[S9.1 S9.4] success and warning messages disappear after their time', async ({ page }) => {
    await page.clock.install({ time: '2026-01-01T00:00:00' });
    await page.goto('/login');
    await expect(page.getByLabel('Username or email')).toBeVisible();
    await page.clock.pauseAt('2026-01-01T01:00:00');
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
  test('[S9.39 S9.40] shows a tooltip 50 ms after the pointer arrives and hides it 70 ms after it leaves', async ({
    page,
    product,
  }) => {
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

  const forUse = ['Home', 'Tokens', 'Budgets', 'Top-up', 'Logs', 'Usage', 'Prices', 'Playground'];
  const forEveryone = [...forUse, 'Settings', 'About'];
  const entries = (page: Page) => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');

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
