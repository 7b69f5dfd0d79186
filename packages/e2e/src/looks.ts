import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Each width and each colour scheme once: no style of ours depends on both. */
const looks = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;

/** Serious and critical violations that axe finds, on a wide screen and on a phone, and sideways scrolling there. */
export async function accessibilityFaults(page: Page, where: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    // The legacy mode opens no second page for every run; it only leaves out frames of other sites.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        faults.push(`${where} at ${width} px, ${scheme}, ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    faults.push(...(await scrollsSideways(page, where)));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

export async function scrollsSideways(page: Page, where: string): Promise<string[]> {
  const room = page.viewportSize()?.width ?? 0;
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > room ? [`${where} is ${width} px wide in a window of ${room}`] : [];
}

/** The window is as before afterwards. */
export async function expectFine(page: Page, where: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 844 };
  expect(await accessibilityFaults(page, where)).toEqual([]);
  await page.setViewportSize(before);
}
