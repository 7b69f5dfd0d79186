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

/** All rules with serious or critical violations: those of WCAG, and some best practices. */
const seriousRules: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
  rules: Object.fromEntries(
    [
      ...['accesskeys', 'aria-dialog-name', 'aria-text', 'aria-treeitem-name'],
      ...['frame-tested', 'label-title-only', 'tabindex'],
    ].map((rule) => [rule, { enabled: true }]),
  ),
};

/** The rule that depends on the color scheme. */
const contrastRule: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/** axe violations of the page, or of the part that the selector matches. Frames of other sites are excluded. */
export async function violations(page: Page, scope = ':root', options: RunOptions = {}): Promise<Violation[]> {
  // Dialogs are loaded when they open for the first time.
  await page.locator(scope).first().waitFor({ state: 'attached' });
  if (!(await page.evaluate(() => (window as AxeWindow).axe !== undefined))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([selector, options]) => (await (window as AxeWindow).axe?.run(selector, options))?.violations ?? [],
    // Reporting passed rules and selectors would take most of the time.
    [scope, { resultTypes: ['violations'], selectors: false, ...options } satisfies RunOptions] as const,
  );
}

const describe = ({ id, nodes }: Violation) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`;

async function seriousViolations(page: Page, scope: string, options: RunOptions): Promise<string[]> {
  const found = await violations(page, scope, options);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(describe);
}

/** Limits axe to the open dialog. The page behind it would take most of the time and is checked separately. */
export const dialogSelector = '[role="dialog"]';

type Look = (typeof viewports)[number];

/** The whole page and all serious rules by default. */
interface Part {
  readonly scope?: string;
  readonly rules?: RunOptions;
}

/** Serious and critical axe violations, faint placeholders and horizontal scrolling in one window size and scheme. */
export async function faultsIn(look: Look, page: Page, where: string, part: Part = {}): Promise<string[]> {
  const { width, scheme } = look;
  const { scope = ':root', rules = seriousRules } = part;
  await page.setViewportSize({ width, height: 844 });
  await page.emulateMedia({ colorScheme: scheme });
  const found = await seriousViolations(page, scope, rules);
  return [
    ...found.map((violation) => `${where} at ${width} px, ${scheme}, ${violation}`),
    ...(await placeholderFaults(page, `${where} at ${width} px, ${scheme}`)),
    ...(await horizontalScrollFaults(page, where)),
  ];
}

/**
 * Faults of a state, on a desktop and on a phone. The navigation and the markup of each page on a phone are checked
 * by every-page.
 */
export async function accessibilityFaults(page: Page, where: string, scope = 'main'): Promise<string[]> {
  const [desktop, phone] = viewports;
  const faults = [
    ...(await faultsIn(desktop, page, where, { scope })),
    ...(await faultsIn(phone, page, where, { scope, rules: contrastRule })),
  ];
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
