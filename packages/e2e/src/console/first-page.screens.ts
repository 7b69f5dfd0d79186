import { fileURLToPath } from 'node:url';
import { rootAccount, signInAs } from '../support/people.ts';
import { expect, startProduct, test } from '../support/product.ts';
import { waitUntilLoaded } from '../support/routes.ts';

const screenshotPath = fileURLToPath(new URL('../../../../docs/screens/start-1280-light.png', import.meta.url));

test('captures the first page of a new gateway', async ({ browser }) => {
  const product = await startProduct();
  try {
    const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce', colorScheme: 'light' });
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await signInAs(page, rootAccount);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Get started: send your first request' })).toBeVisible();
    await waitUntilLoaded(page);
    await page.screenshot({ path: screenshotPath, caret: 'initial' });
    await context.close();
  } finally {
    await product.stop();
  }
});
