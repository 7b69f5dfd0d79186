import type { Page } from '@playwright/test';
import { createPerson, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { holdSignIn } from './routes.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

/** The pages without navigation, and where the link of their header leads. */
const pages = {
  '/login': ['Register', '/register'],
  '/register': ['Log in', '/login'],
  '/reset': ['Log in', '/login'],
  '/user/reset?email=ada@example.com&token=abc': ['Log in', '/login'],
  '/oauth/github?code=c&state=s': ['Log in', '/login'],
} as const;

const header = (page: Page) => page.getByRole('banner');

/** Nothing of the header is cut off, above or below it or at the end of the gateway's name. */
async function expectOneRow(page: Page): Promise<void> {
  const room = await header(page).boundingBox();
  for (const control of await header(page).locator('a, button').all()) {
    const box = await control.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(room?.y ?? 0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((room?.y ?? 0) + (room?.height ?? 0));
  }
  const name = header(page).getByTitle('Headgate');
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
}

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    for (const [path, [words, target]] of Object.entries(pages))
      test(`[S2.33 S2.34 S2.36] ${path} has the way home, the way in, and the choice of language and scheme`, async ({
        page,
      }) => {
        await holdSignIn(page);
        await page.goto(path);
        await expect(header(page).getByRole('link', { name: words })).toHaveAttribute('href', target);
        await expectOneRow(page);
        const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
        const before = await scheme();
        await header(page).getByRole('button', { name: 'Switch to' }).click();
        expect(await scheme()).not.toBe(before);
        await header(page).getByRole('button', { name: '中文' }).click();
        await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
        await expect(header(page).getByRole('link', { name: words })).toHaveCount(0);
        const home = header(page).getByRole('link', { name: 'Headgate' });
        await expect(home.locator('img')).toHaveAttribute('src', '/logo.png');
        const edge = await header(page).evaluate((element) => element.scrollWidth - element.clientWidth);
        expect(edge).toBe(0);
        await home.click();
        await expect(page).toHaveURL('/');
      });

    test('somebody who is signed in is offered no other way in', async ({ page, product }) => {
      await signInAs(page, await createPerson(product.url));
      await holdSignIn(page);
      await page.goto('/oauth/github?code=c&state=s');
      await expect(header(page).getByRole('link', { name: 'Headgate' })).toBeVisible();
      await expect(header(page).getByRole('link', { name: /Log in|Register/ })).toHaveCount(0);
    });
  });
