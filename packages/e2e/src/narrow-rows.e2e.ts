import { logEnders } from '@headgate/contract';
import { clientOf, openAsSomebody } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

const request = {
  type: 2,
  channel: 3,
  username: 'ada',
  token_name: 'notebook',
  model_name: 'claude-sonnet-4-5',
  content: '',
  prompt_tokens: 1200,
  completion_tokens: 340,
  quota: 5210,
  elapsed_time: 2310,
  is_stream: true,
};

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('the button that ends a session is not cut', async ({ page, product }) => {
      const person = await openAsSomebody(page, product.url, '/setting');
      await clientOf(product.url, person);
      await page.reload();
      const words = page.getByRole('button', { name: 'Sign out' }).getByText('Sign out');
      await expect(words).toBeVisible();
      expect(await words.evaluate((label) => label.scrollWidth - label.clientWidth)).toBe(0);
    });

    test('a log says how its request ended, and that the provider counted oddly', async ({ page, product }) => {
      const logs = ['', ...Object.keys(logEnders)].map((ended_by, index) => ({
        ...request,
        id: index + 1,
        created_at: 1_790_000_000 - index,
        ended_by,
        detail: index === 1 ? JSON.stringify({ model_ratio: 1, odd_usage: 'completion_tokens -4' }) : '',
      }));
      await page.route(/\/api\/log\/self\/\?/, (route) =>
        route.fulfill({
          headers: { 'x-total-count': String(logs.length) },
          json: { success: true, message: '', data: logs },
        }),
      );
      await openAsSomebody(page, product.url, '/log');
      const rows = page.locator('main tbody tr, main ul > li');
      await expect(rows).toHaveCount(logs.length);
      const marks = Object.values(logEnders).map(({ label }) => label);
      for (const label of marks) await expect(rows.first()).not.toContainText(label);
      await expect(rows).toContainText(['Stream', ...marks]);
      await expect(rows.filter({ hasText: 'Odd usage' })).toHaveCount(1);
      await rows
        .nth(1)
        .getByRole('button', { name: /^How this was charged/ })
        .click();
      await expect(page.getByText('The provider told what cannot be: completion_tokens -4')).toBeVisible();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(viewport.width);
    });
  });
