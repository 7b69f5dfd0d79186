import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './product.ts';

const pages = ['/', '/login', '/about', '/nowhere', '/user/edit'] as const;

for (const width of [1280, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`no serious accessibility fault at ${width} px, ${colorScheme}`, async ({ browser, product }) => {
      const context = await browser.newContext({
        baseURL: product.url,
        viewport: { width, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto('/login');
      await page.getByLabel('Username or email').fill('root');
      await page.getByLabel('Password', { exact: true }).fill('123456');
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page).toHaveURL('/user/edit');
      for (const path of pages) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.waitForLoadState('networkidle');
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => `${path} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
      }
      await context.close();
    });
  }
}

test('no page scrolls sideways at 360 px', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
});
