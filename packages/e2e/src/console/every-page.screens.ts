import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { demoPassword, startDemo } from '../support/demo.ts';
import { signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';
import { allRoutes, blockSignIn, type Route, waitUntilLoaded } from '../support/routes.ts';

const folder = fileURLToPath(new URL('../../../../docs/screens/', import.meta.url));

/** Fake chat app, as configured by an operator. */
const chatApp =
  '<meta name="color-scheme" content="light dark"><body style="font: 16px system-ui; display: grid; place-content: center; height: 90vh; color: gray">A chat application';

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

/** Pages that users keep open all day are also captured on a large screen. */
const large = { width: 2560, height: 1440 } as const;
const pagesOnLarge: readonly string[] = ['cockpit', 'channels', 'logs', 'usage'];

/** Captures a page in its sizes and both color schemes, from one page load. */
async function takeScreenshot(page: Page, { name, path }: Route): Promise<void> {
  await page.setViewportSize(sizes[0]);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await waitUntilLoaded(page);
  for (const size of pagesOnLarge.includes(name) ? [...sizes, large] : sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}${name}-${size.width}-${colorScheme}.png`, caret: 'initial' });
    }
  }
}

test('captures every page', async ({ browser }) => {
  test.setTimeout(600_000);
  const demo = await startDemo();
  try {
    const routes = allRoutes(demo.seededIds);
    const context = await browser.newContext({ baseURL: demo.url, reducedMotion: 'reduce' });
    await context.route('https://chat.example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: chatApp }),
    );
    const page = await context.newPage();
    await blockSignIn(page);
    for (const route of routes.filter(({ isForVisitors }) => isForVisitors)) await takeScreenshot(page, route);
    await signInAs(page, { username: 'root', password: demoPassword });
    await takeScreenshot(page, { name: 'cockpit', path: '/', isForVisitors: false });
    for (const route of routes.filter(({ isForVisitors }) => !isForVisitors)) await takeScreenshot(page, route);
    await context.close();
  } finally {
    await demo.stop();
  }
});
