import { openAsSomebody } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('a gateway that does not answer is told in the reader’s words, and what failed comes back with it', async ({
      page,
      product,
    }) => {
      await openAsSomebody(page, product.url, '/about');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.route('**/*', (route) => route.abort('connectionrefused'));
      await page.evaluate(() => window.history.pushState({}, '', '/topup'));
      await page.evaluate(() => window.dispatchEvent(new PopStateEvent('popstate')));
      await expect(page.getByText('The gateway is not reachable. Retrying…').first()).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('not reachable');
      await page.unroute('**/*');
      await expect(page.getByRole('heading', { level: 1, name: 'Top-up' })).toBeVisible();
      await expect(page.getByText('The gateway is not reachable. Retrying…')).toHaveCount(0);
      await expect(page.getByRole('contentinfo')).not.toContainText('not reachable');
    });
  });

test('[S8.7] one call that does not come through is told by the specification’s words alone while the gateway answers', async ({
  page,
  product,
}) => {
  await openAsSomebody(page, product.url, '/token');
  await page.route(/\/api\/token\/\?/, (route) => route.abort('connectionrefused'));
  await page.reload();
  await expect(page.getByText('错误：The server cannot be reached.').first()).toBeVisible();
  await expect(page.getByText('The gateway is not reachable. Retrying…')).toHaveCount(0);
});

test('[S8.6] what a proxy answers for a gateway that is gone is told beside the specification’s words', async ({
  page,
  product,
}) => {
  await page.route(/\/api\/token\/\?/, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
  await openAsSomebody(page, product.url, '/token');
  const told = page.locator('[data-kind="error"]').first();
  await expect(told).toContainText('错误：HTTP 502');
  await expect(told).toContainText('The gateway is not reachable.');
});

test('the footer claims no version before the gateway has told it', async ({ page }) => {
  await page.route('**/api/status', () => undefined);
  await page.goto('/about');
  await expect(page.getByRole('contentinfo')).toHaveText('Headgate');
});
