import type { Page } from '@playwright/test';
import { overrideStatus } from '../support/override-status.ts';
import { expect, test } from '../support/product.ts';

async function logIn(page: Page, password = '123456'): Promise<void> {
  await page.getByLabel('Username or email').fill('root');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

const messageOf = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"]`);

/** Shows one message of each kind and pauses the clock, so that they stay visible. */
async function showEveryMessage(page: Page): Promise<void> {
  await page.clock.install({ time: '2026-01-01T00:00:00' });
  await page.route('**/api/notice', (route) =>
    route.fulfill({ json: { success: true, message: '', data: 'Back on Monday' } }),
  );
  await page.goto('/');
  await expect(messageOf(page, 'notice')).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
  await expect(page.getByLabel('Username or email')).toBeVisible();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100));
  await page.route('**/api/user/login', (route) =>
    route.fulfill({ status: 405, body: '{}', contentType: 'application/json' }),
  );
  await logIn(page);
  await expect(messageOf(page, 'info')).toBeVisible();
  await page.unroute('**/api/user/login');
  await logIn(page, 'wrong-password');
  await expect(messageOf(page, 'error')).toBeVisible();
  await logIn(page);
}

test('[S2.44 S2.45 S8.36 S8.37] shows messages of every kind at the top, keeps the session after a reload, and logs out', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await showEveryMessage(page);
  for (const width of [1280, 601, 600, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const tops: number[] = [];
    for (const kind of ['notice', 'info', 'error', 'success', 'warning']) {
      const message = messageOf(page, kind);
      await expect(message).toBeVisible();
      const { x, y, width: breadth } = (await message.boundingBox()) ?? { x: 0, y: 999, width: 0 };
      const [left, right] = [x, width - x - breadth];
      tops.push(y);
      if (width <= 600) expect(Math.abs(left - right), kind).toBeLessThan(3);
      else {
        expect(right, kind).toBeLessThan(30);
        expect(left, kind).toBeGreaterThan(right + 50);
      }
    }
    expect(Math.min(...tops)).toBeLessThan(30);
    expect(Math.max(...tops)).toBeLessThan(450);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.clock.resume();
  await page.reload();
  await page.getByRole('button', { name: 'Account root' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
  expect((await page.request.get('/api/user/self')).status()).toBe(401);
});

test('[S1.22 S2.34 S2.40] shows the logo, moves the menu to a drawer up to 600 px, and reloads after a page failed to load', async ({
  page,
}) => {
  const image = page.getByRole('banner').locator('img');
  const isDrawn = () => image.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0);
  await page.goto('/');
  await expect(image).toHaveAttribute('src', '/logo.png');
  await expect.poll(isDrawn).toBe(true);
  await overrideStatus(page, { logo: '/logo.png?own' });
  await page.setViewportSize({ width: 601, height: 800 });
  await page.reload();
  await expect(image).toHaveAttribute('src', '/logo.png?own');
  await expect.poll(isDrawn).toBe(true);

  const all = [
    'Home',
    'Models',
    'Playground',
    'Logs',
    'Usage',
    'Tokens',
    'Budgets',
    'Top-up',
    'Organization',
    'Settings',
    'About',
  ];
  const entries = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
  const burger = page.getByRole('button', { name: 'Menu' });
  await expect(entries).toHaveText(all);
  await expect(burger).toHaveCount(0);
  for (const width of [600, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(entries).toHaveCount(0);
    await burger.click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'About' })).toBeVisible();
    await expect(entries).toHaveText(all);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.route('**/assets/about-page-*', (route) => route.abort());
  await page.getByRole('link', { name: 'About' }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await page.unroute('**/assets/about-page-*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
});

test.describe('theme and language', () => {
  test.use({ locale: 'zh-CN', colorScheme: 'dark' });

  test('a visitor gets the dark theme and Chinese from the system settings, and can change both', async ({ page }) => {
    const html = page.locator('html');
    const scheme = 'data-mantine-color-scheme';
    await page.goto('/');
    await expect(page.getByRole('link', { name: '关于' })).toBeVisible();
    await expect(html).toHaveAttribute('lang', 'zh-CN');
    await expect(html).toHaveAttribute(scheme, 'dark');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Switch to light mode' }).click();
    await expect(html).toHaveAttribute(scheme, 'light');
    await page.reload();
    await expect(page.getByRole('link', { name: 'About' })).toBeVisible();
    await expect(html).toHaveAttribute(scheme, 'light');
  });
});
