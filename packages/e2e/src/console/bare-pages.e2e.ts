import { expect, test } from '../support/product.ts';
import { blockSignIn } from '../support/routes.ts';

const widths = [1280, 390];

/** Pages without navigation. */
const pages = [
  '/login',
  '/register',
  '/reset',
  '/user/reset?email=ada@example.com&token=abc',
  '/oauth/github?code=c&state=s',
];

interface Measured {
  /** Controls that extend above or below the header. */
  readonly outside: number;
  /** Clipped pixels of the header and of the gateway's name. */
  readonly cutOff: readonly number[];
}

/** Measures everything in one call, because a round trip to the browser takes longer than the layout. */
const measure = (header: HTMLElement): Measured => {
  const { top, bottom } = header.getBoundingClientRect();
  const boxes = [...header.querySelectorAll('a, button')].map((control) => control.getBoundingClientRect());
  const name = header.querySelector('[title="Headgate"]') ?? document.documentElement;
  return {
    outside: boxes.filter((box) => box.top < top || box.bottom > bottom).length,
    cutOff: [header, name].map((element) => element.scrollWidth - element.clientWidth),
  };
};

test('shows a one-row header on pages without navigation, in both languages', async ({ page }) => {
  await blockSignIn(page);
  for (const path of pages) {
    await page.goto(path);
    const header = page.getByRole('banner');
    await expect(header.getByTitle('Headgate')).toBeVisible();
    for (const [switchTo, language] of [
      ['中文', 'zh-CN'],
      ['English', 'en'],
    ] as const) {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 });
        await expect.poll(() => header.getByRole('link').count(), path).toBeGreaterThan(1);
        expect(await header.evaluate(measure), `${path} at ${width} px`).toEqual({ outside: 0, cutOff: [0, 0] });
      }
      await header.getByRole('button', { name: switchTo }).click();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
    }
  }
});
