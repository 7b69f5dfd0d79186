import type { Page } from '@playwright/test';
import { furnish } from './furnish.ts';
import { signInAs } from './people.ts';
import { expect, type Product, startProduct, test } from './product.ts';
import { allRoutes, holdSignIn, isComplete, type Route } from './routes.ts';

const password = 'password-1';
const viewport = { width: 320, height: 640 };

/** How far the page can be pushed sideways, and by what. */
async function tooWide(page: Page, { path }: Route): Promise<string[]> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await isComplete(page);
  const filters = page.getByRole('main').getByRole('button', { name: /^(Filters|筛选)$/ });
  if (await filters.isVisible()) await filters.click();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > viewport.width ? [`${path} is ${width} px wide`] : [];
}

test.describe('no page scrolls sideways in a window of 320 pixels', () => {
  let product: Product;
  let routes: readonly Route[];

  test.beforeAll(async () => {
    product = await startProduct({ ROOT_PASSWORD: password });
    routes = allRoutes(await furnish(product, password));
  });

  test.afterAll(() => product.stop());

  for (const [language, locale] of Object.entries({ English: 'en-US', Chinese: 'zh-CN' }))
    test(`in ${language}`, async ({ browser }) => {
      test.slow();
      const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce', viewport, locale });
      const page = await context.newPage();
      await holdSignIn(page);
      const faults: string[] = [];
      for (const route of routes.filter(({ isForVisitors }) => isForVisitors))
        faults.push(...(await tooWide(page, route)));
      await signInAs(page, { username: 'root', password });
      for (const route of routes) faults.push(...(await tooWide(page, route)));
      expect(faults).toEqual([]);
      await context.close();
    });
});
