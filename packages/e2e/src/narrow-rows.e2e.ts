import { logEnders } from '@headgate/contract';
import { scrollsSideways } from './looks.ts';
import { clientOf, openAsSomebody } from './people.ts';
import { expect, test } from './product.ts';

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

test('does not cut the button that ends a session, on a wide screen and on a phone', async ({ page, product }) => {
  const person = await openAsSomebody(page, product.url, '/setting');
  await clientOf(product.url, person);
  await page.reload();
  const words = page.getByRole('button', { name: 'Sign out' }).getByText('Sign out');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(words).toBeVisible();
    expect(await words.evaluate((label) => label.scrollWidth - label.clientWidth)).toBe(0);
  }
});

test('logs with marks do not scroll sideways on a phone', async ({ page, product }) => {
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
  await page.setViewportSize({ width: 390, height: 844 });
  await openAsSomebody(page, product.url, '/log');
  const rows = page.locator('main ul > li');
  await expect(rows).toHaveCount(logs.length);
  await rows
    .nth(1)
    .getByRole('button', { name: /^How this was charged/ })
    .click();
  await expect(page.getByText('The provider told what cannot be: completion_tokens -4')).toBeVisible();
  expect(await scrollsSideways(page, 'the log')).toEqual([]);
});
