import { expect, test } from '../support/product.ts';
import { holdSignIn } from '../support/routes.ts';

const widths = [1280, 390];

/** The pages without navigation. */
const pages = [
  '/login',
  '/register',
  '/reset',
  '/user/reset?email=ada@example.com&token=abc',
  '/oauth/github?code=c&state=s',
];

interface Measured {
  /** Controls of the header that reach above or below it. */
  readonly outside: number;
  /** Pixels of the header, and of the name of the gateway, that are cut off. */
  readonly cutOff: readonly number[];
}

/** Measured in one step: a call to the browser takes longer than the layout. */
const measure = (header: HTMLElement): Measured => {
  const { top, bottom } = header.getBoundingClientRect();
  const boxes = [...header.querySelectorAll('a, button')].map((control) => control.getBoundingClientRect());
  const name = header.querySelector('[title="Headgate"]') ?? document.documentElement;
  return {
    outside: boxes.filter((box) => box.top < top || box.bottom > bottom).length,
    cutOff: [header, name].map((element) => element.scrollWidth - element.clientWidth),
  };
};

test('pages without navigation have a header in one row, in both languages', async ({ page }) => {
  await holdSignIn(page);
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
