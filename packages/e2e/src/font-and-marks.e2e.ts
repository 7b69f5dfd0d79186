import { channelTypes } from '@headgate/contract';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('the font comes with the product, is asked for before the script runs, and is what words are set in', async ({
  page,
  product,
}) => {
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
  const answer = await page.request.get(fonts[0] ?? '');
  expect(answer.headers()).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  });
});

test('figures in the font are all of one width where they stand under one another', async ({ page }) => {
  await page.goto('/login');
  await page.evaluate(() => document.fonts.load('14px "Inter Variable"'));
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

test('the types of a channel are told apart by their marks, which are not read aloud or copied', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/channel/add');
  await page.getByRole('combobox', { name: 'Type' }).click();
  const options = page.getByRole('option');
  await expect(options).toHaveCount(channelTypes.length);
  const marks = options.locator('[data-mark]');
  await expect(marks).toHaveCount(channelTypes.length);
  await expect.poll(() => marks.locator('[style*="mask"]').count()).toBeGreaterThan(30);
  const looks = await marks.evaluateAll((tiles) =>
    tiles.map((tile) => {
      const inner = tile.firstElementChild as HTMLElement;
      return inner.style.maskImage || inner.dataset['letters'];
    }),
  );
  expect(new Set(looks).size).toBe(channelTypes.length);
  await expect(options.first()).toHaveText('OpenAI');
});
