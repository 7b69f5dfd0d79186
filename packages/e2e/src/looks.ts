import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const looks = [1280, 390].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })));

/** No serious fault of accessibility at a desk and on a phone, light and dark, and no scrolling sideways. The window is as before. */
export async function expectFine(page: Page, where: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 844 };
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const faults = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(faults.map(({ id, nodes }) => `${where} ${width} ${scheme} ${id} ${nodes[0]?.html}`)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}
