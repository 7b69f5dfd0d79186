import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { furnish } from './furnish.ts';
import { signInAs } from './people.ts';
import { expect, type Product, startProduct, test } from './product.ts';
import { allRoutes, consolePages, holdSignIn, isComplete, listedPages, type Route } from './routes.ts';

const password = 'password-1';
const widths = [1280, 390] as const;
const schemes = ['light', 'dark'] as const;

test('no page of the console is forgotten here', () => {
  expect(Object.keys(listedPages).sort()).toEqual(
    consolePages()
      .map(({ path }) => path)
      .sort(),
  );
});

/** What axe finds wrong with the page as it is shown now, serious or worse. */
async function faultsOf(page: Page, where: string): Promise<string[]> {
  // The legacy mode opens no second page for every look; it only leaves out frames of other sites.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${where} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** One load of the page serves all looks: it follows the window and the scheme by itself. */
async function inspect(page: Page, { path }: Route): Promise<string[]> {
  const faults: string[] = [];
  await page.setViewportSize({ width: widths[0], height: 800 });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await isComplete(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      faults.push(...(await faultsOf(page, `${path} at ${width} px, ${colorScheme}`)));
    }
  }
  await page.setViewportSize({ width: 360, height: 740 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > 360) faults.push(`${path} scrolls sideways: ${width} px wide in a window of 360`);
  return faults;
}

test.describe('no serious fault of accessibility, light and dark, wide and narrow, and no scrolling sideways', () => {
  let product: Product;
  let routes: readonly Route[];

  test.beforeAll(async () => {
    product = await startProduct({ ROOT_PASSWORD: password });
    routes = allRoutes(await furnish(product, password));
  });

  test.afterAll(() => product.stop());

  const isForm = ({ path }: Route) => /\/(add|edit)/.test(path);
  const parts: Readonly<Record<string, (route: Route) => boolean>> = {
    'what visitors see': ({ isForVisitors }) => isForVisitors,
    forms: isForm,
    'lists and settings': (route) => !route.isForVisitors && !isForm(route),
  };

  for (const [what, belongs] of Object.entries(parts)) {
    test(what, async ({ browser }) => {
      test.slow();
      const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await holdSignIn(page);
      const shown = routes.filter(belongs);
      if (shown.some(({ isForVisitors }) => !isForVisitors)) await signInAs(page, { username: 'root', password });
      const faults: string[] = [];
      for (const route of shown) faults.push(...(await inspect(page, route)));
      expect(faults).toEqual([]);
      expect(shown.length).toBeGreaterThan(5);
      await context.close();
    });
  }
});
