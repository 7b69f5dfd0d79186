import { expect, type Page } from '@playwright/test';
import axe, { type NodeResult, type Result, type RunOptions } from 'axe-core';
import { placeholderFaults } from './placeholder-contrast.ts';

/** Each width and each color scheme is checked only once, because no style depends on both. */
export const viewports = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;

interface AxeWindow extends Window {
  axe?: { run(scope: string, options: RunOptions): Promise<{ violations: Violation[] }> };
}

type Violation = Pick<Result, 'id' | 'impact'> & { readonly nodes: readonly Pick<NodeResult, 'html'>[] };

/** axe violations of the page, or of the part that the selector matches. Frames of other sites are excluded. */
export async function violations(page: Page, scope = ':root', rules: RunOptions['rules'] = {}): Promise<Violation[]> {
  // Dialogs are loaded when they open for the first time.
  await page.locator(scope).first().waitFor({ state: 'attached' });
  if (!(await page.evaluate(() => (window as AxeWindow).axe !== undefined))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([selector, options]) => (await (window as AxeWindow).axe?.run(selector, options))?.violations ?? [],
    // Reporting passed rules would take most of the time.
    [scope, { resultTypes: ['violations'], rules } satisfies RunOptions] as const,
  );
}

const describe = ({ id, nodes }: Violation) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`;

async function seriousViolations(page: Page, scope?: string): Promise<string[]> {
  const found = await violations(page, scope);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(describe);
}

/** Limits axe to the open dialog. The page behind it would take most of the time and is checked separately. */
export const dialogSelector = '[role="dialog"]';

/** Serious and critical axe violations, faint placeholders and horizontal scrolling, on a desktop and on a phone. */
export async function accessibilityFaults(page: Page, where: string, scope?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, scheme } of viewports) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    for (const violation of await seriousViolations(page, scope))
      faults.push(`${where} at ${width} px, ${scheme}, ${violation}`);
    faults.push(...(await placeholderFaults(page, `${where} at ${width} px, ${scheme}`)));
    faults.push(...(await horizontalScrollFaults(page, where)));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

export async function horizontalScrollFaults(page: Page, where: string): Promise<string[]> {
  const room = page.viewportSize()?.width ?? 0;
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > room ? [`${where} is ${width} px wide in a window of ${room}`] : [];
}

/** Restores the window size afterwards. */
export async function expectAccessible(page: Page, where: string, scope?: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 844 };
  expect(await accessibilityFaults(page, where, scope)).toEqual([]);
  await page.setViewportSize(before);
}
