import { expect, type Page } from '@playwright/test';
import axe, { type NodeResult, type Result, type RunOptions } from 'axe-core';

/** Each width and each colour scheme once: no style of ours depends on both. */
export const looks = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;

interface AxeWindow extends Window {
  axe?: { run(scope: string, options: RunOptions): Promise<{ violations: Violation[] }> };
}

type Violation = Pick<Result, 'id' | 'impact'> & { readonly nodes: readonly Pick<NodeResult, 'html'>[] };

/** What axe finds in the page, or in the part that the selector names. Frames of other sites are left out. */
export async function violations(page: Page, scope = ':root', rules: RunOptions['rules'] = {}): Promise<Violation[]> {
  if (!(await page.evaluate(() => (window as AxeWindow).axe !== undefined))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([selector, options]) => (await (window as AxeWindow).axe?.run(selector, options))?.violations ?? [],
    // Most of the time of a run goes into describing what passed.
    [scope, { resultTypes: ['violations'], rules } satisfies RunOptions] as const,
  );
}

const describe = ({ id, nodes }: Violation) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`;

async function seriousViolations(page: Page, scope?: string): Promise<string[]> {
  const found = await violations(page, scope);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(describe);
}

/** Limits axe to the open dialog. The page behind it takes most of the time, and is checked by itself. */
export const inDialog = '[role="dialog"]';

/** Serious and critical violations that axe finds, on a wide screen and on a phone, and sideways scrolling there. */
export async function accessibilityFaults(page: Page, where: string, scope?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    for (const violation of await seriousViolations(page, scope))
      faults.push(`${where} at ${width} px, ${scheme}, ${violation}`);
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
export async function expectFine(page: Page, where: string, scope?: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 844 };
  expect(await accessibilityFaults(page, where, scope)).toEqual([]);
  await page.setViewportSize(before);
}
