import { expect, type Page } from '@playwright/test';
import { dialogSelector, horizontalScrollFaults, viewports, violations } from './accessibility.ts';

/** Mantine renders the dialog title in a `header`, which axe counts as a second banner. */
const dialogRules = {
  rules: { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } },
};

type Width = (typeof viewports)[number]['width'];

/** Checks the open dialog with axe, on a desktop and on a phone. The page behind it is covered by every-page. */
export async function expectAccessibleDialog(page: Page, widths: readonly Width[] = [1280, 390]): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const { width, scheme } of viewports.filter((look) => widths.includes(look.width))) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    const found = await violations(page, dialogSelector, dialogRules);
    expect(found.map(({ id: rule, nodes }) => [rule, width, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await horizontalScrollFaults(page, 'the dialog')).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}
