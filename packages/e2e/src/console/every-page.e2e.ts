import { expect, type Page } from '@playwright/test';
import { faultsIn, horizontalScrollFaults, viewports } from '../support/accessibility.ts';
import { clippedTextFaults } from '../support/clipped-texts.ts';
import { signInAs } from '../support/people.ts';
import { type Product, startProduct, test } from '../support/product.ts';
import { allRoutes, blockSignIn, consolePages, listedPages, type Route, waitUntilLoaded } from '../support/routes.ts';
import { seedGateway } from '../support/seed-gateway.ts';

const password = 'password-1';

test('the route table lists every page of the console', () => {
  expect(Object.keys(listedPages).sort()).toEqual(
    consolePages()
      .map(({ path }) => path)
      .sort(),
  );
});

/** Opens a page through the client-side router, which takes half the time of a full load, or with a full load. */
async function open(page: Page, { path }: Route): Promise<void> {
  const [from, to] = [page.url(), path].map((address) => new URL(address, 'http://product').pathname);
  const isAnotherPage = page.url().startsWith('http') && from !== to;
  if (isAnotherPage) await page.evaluate(pushAddress, path);
  else await page.goto(path);
  await expect(page.locator('h1:not([data-left])')).toBeVisible();
  await waitUntilLoaded(page);
}

/** Runs in the browser. Marks the heading of the current page, so that the test can wait for the next one. */
function pushAddress(path: string): void {
  for (const heading of document.querySelectorAll('h1')) heading.dataset['left'] = 'true';
  history.pushState({}, '', path);
}

/** Opens the filters of a phone's page; a dialog may cover their button. */
async function openFilters(page: Page): Promise<void> {
  const filters = page.getByRole('main').getByRole('button', { name: /^(Filters|筛选)$/ });
  const isCovered = await page.getByRole('dialog').isVisible();
  if (!isCovered && (await filters.isVisible())) await filters.click();
}

/** Checks for horizontal scrolling and truncated texts. */
async function layoutFaults(page: Page, path: string): Promise<string[]> {
  return [...(await horizontalScrollFaults(page, path)), ...(await clippedTextFaults(page, path))];
}

const resize = (page: Page, width: number): Promise<void> => page.setViewportSize({ width, height: 844 });

async function titleFaults(page: Page, { name, path }: Route): Promise<string[]> {
  const title = await page.title();
  const wanted = name === 'home' ? /^Headgate$/ : /^\S.* · Headgate$/;
  return wanted.test(title) ? [] : [`${path} has the title "${title}"`];
}

const blur = (page: Page): Promise<void> => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());

/** After the skip link, one Tab reaches the first element of the page. */
async function keyboardFaults(page: Page, { path }: Route): Promise<string[]> {
  const skip = page.getByRole('link', { name: 'Skip to content' });
  if (!(await skip.count()) || (await page.getByRole('dialog').isVisible())) return [];
  await skip.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const isInside = await page.evaluate(() => {
    const main = document.querySelector('main');
    return !main?.querySelector('a[href], button:enabled, input:enabled') || main.contains(document.activeElement);
  });
  await blur(page);
  return isInside ? [] : [`${path}: one Tab after the skip link leaves the page`];
}

/** `/` focuses the search field of a page that has one. */
async function searchFaults(page: Page, { path }: Route): Promise<string[]> {
  const hasList = (await page.locator('main [data-row]').count()) > 0;
  if (!hasList || (await page.getByRole('dialog').isVisible())) return [];
  await blur(page);
  await page.keyboard.press('/');
  const isFocused = await page.evaluate(() => document.activeElement?.matches('main input'));
  await blur(page);
  return isFocused ? [] : [`${path}: "/" focuses no search field`];
}

/** Opens the filters on a phone, and checks the layout on it and on a small one. */
async function phoneLayoutFaults(page: Page, path: string): Promise<string[]> {
  await resize(page, 390);
  await openFilters(page);
  const faults = await layoutFaults(page, path);
  await resize(page, 320);
  return [...faults, ...(await layoutFaults(page, path))];
}

/** All checks share one page load and take each window size once, because the page adapts to it. */
async function inspect(page: Page, route: Route): Promise<string[]> {
  const { path } = route;
  const [desktop, phone] = viewports;
  await resize(page, desktop.width);
  await open(page, route);
  return [
    ...(await titleFaults(page, route)),
    ...(await keyboardFaults(page, route)),
    ...(await searchFaults(page, route)),
    ...(await faultsIn(desktop, page, path)),
    ...(await layoutFaults(page, path)),
    ...(await faultsIn(phone, page, path)),
    ...(await phoneLayoutFaults(page, path)),
  ];
}

async function inspectInChinese(page: Page, route: Route): Promise<string[]> {
  await resize(page, 1280);
  await open(page, route);
  return [...(await layoutFaults(page, route.path)), ...(await phoneLayoutFaults(page, route.path))];
}

test.describe('every page', () => {
  let product: Product;
  let routes: readonly Route[];

  test.beforeAll(async () => {
    product = await startProduct({ ROOT_PASSWORD: password });
    routes = allRoutes(await seedGateway(product, password));
  });

  test.afterAll(() => product.stop());

  const isForm = ({ path }: Route) => /\/(add|edit)/.test(path);
  const parts: Readonly<Record<string, (route: Route) => boolean>> = {
    'for visitors': ({ isForVisitors }) => isForVisitors,
    'with a form': isForm,
    'with a list or settings': (route) => !route.isForVisitors && !isForm(route),
  };
  const languages = { 'en-US': inspect, 'zh-CN': inspectInChinese };

  for (const [part, belongs] of Object.entries(parts))
    for (const [locale, inspectRoute] of Object.entries(languages))
      test(`${part} is accessible, fits the window and truncates no text (${locale})`, async ({ browser }) => {
        test.slow();
        const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce', locale });
        const page = await context.newPage();
        await blockSignIn(page);
        const shown = routes.filter(belongs);
        if (shown.some(({ isForVisitors }) => !isForVisitors)) await signInAs(page, { username: 'root', password });
        const faults: string[] = [];
        for (const route of shown) faults.push(...(await inspectRoute(page, route)));
        expect(faults).toEqual([]);
        expect(shown.length).toBeGreaterThan(5);
        await context.close();
      });
});
