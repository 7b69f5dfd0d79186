import type { Page } from '@playwright/test';

/** Minimum contrast of text for WCAG 2 AA. axe does not check placeholders. */
const minContrast = 4.5;

/** Placeholders of visible fields that are hard to read, with their contrast. */
export async function placeholderFaults(page: Page, where: string): Promise<string[]> {
  const faint = await page.evaluate(findFaintPlaceholders, minContrast);
  return faint.map((found) => `${where}, placeholder ${found}`);
}

/** Runs in the browser. */
function findFaintPlaceholders(min: number): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) throw new Error('This browser cannot draw');

  /** Luminance after painting the colors over each other. */
  const luminance = (colors: readonly string[]): number => {
    for (const color of ['white', ...colors]) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  const backgroundsOf = (element: Element): string[] => {
    const colors: string[] = [];
    for (let box: Element | null = element; box; box = box.parentElement)
      colors.unshift(getComputedStyle(box).backgroundColor);
    return colors;
  };

  const contrastOf = (field: HTMLInputElement | HTMLTextAreaElement): number => {
    const backgrounds = backgroundsOf(field);
    const text = luminance([...backgrounds, getComputedStyle(field, '::placeholder').color]);
    const behind = luminance(backgrounds);
    return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
  };

  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
    .filter((field) => field.placeholder !== '' && field.value === '' && !field.disabled && field.checkVisibility())
    .map((field) => [field.placeholder, contrastOf(field)] as const)
    .filter(([, contrast]) => contrast < min)
    .map(([placeholder, contrast]) => `"${placeholder}" has a contrast of ${contrast.toFixed(2)}`);
}
