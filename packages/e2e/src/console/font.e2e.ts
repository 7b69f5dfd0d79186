import { expect, test } from '../support/product.ts';

test('loads the bundled font before the script runs, and uses tabular digits', async ({ page, product }) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.fonts.check('14px "Inter Variable"'))).toBe(true);
  expect(fonts).toHaveLength(1);
  expect(fonts[0]).toMatch(new RegExp(`^${product.url}/assets/.*\\.woff2$`));
  const preload = page.locator('head link[rel="preload"][as="font"]');
  await expect(preload).toHaveAttribute('href', new URL(fonts[0] ?? '').pathname);
  const response = await page.request.get(fonts[0] ?? '');
  expect(response.headers()).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const widths = await page.evaluate(() => {
    const widthOf = (digit: string) => {
      const span = document.createElement('span');
      span.style.fontVariantNumeric = 'tabular-nums';
      span.textContent = digit.repeat(20);
      document.body.append(span);
      const { width } = span.getBoundingClientRect();
      span.remove();
      return Math.round(width * 10);
    };
    return [...'0123456789'].map(widthOf);
  });
  expect(new Set(widths).size).toBe(1);
});
