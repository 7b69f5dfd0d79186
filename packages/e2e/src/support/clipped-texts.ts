import type { Page } from '@playwright/test';

/** Texts that may be truncated: selectors with the reason. */
const mayBeTruncated: Readonly<Record<string, string>> = {
  'table td': 'the table shows the full text in a tooltip on hover and focus',
};

/** Texts that are cut off horizontally without a `title` at the current window size. */
export async function clippedTextFaults(page: Page, where: string): Promise<string[]> {
  const texts = await page.evaluate(findClippedTexts, Object.keys(mayBeTruncated).join(', '));
  return texts.map((text) => `${where} at ${page.viewportSize()?.width} px cuts off "${text}"`);
}

/** Runs in the browser. Charts adapt to a new window size some frames later. */
async function findClippedTexts(allowed: string): Promise<string[]> {
  const tolerance = 1;
  const maxFrames = 60;

  /** A box of less than two pixels contains text for screen readers only. */
  const isVisible = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.clientWidth !== 1;

  const isCutBy = (box: Element, text: DOMRect): boolean => {
    const { left, right, width } = box.getBoundingClientRect();
    return width > 2 && (text.right > right + tolerance || text.left < left - tolerance);
  };

  const isClipped = (node: Text): boolean => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()];
    for (let box = node.parentElement; box && box !== document.body; box = box.parentElement) {
      const { overflowX } = getComputedStyle(box);
      if (box.hasAttribute('title') || overflowX === 'auto' || overflowX === 'scroll') return false;
      if (overflowX !== 'visible' && rects.some((rect) => isCutBy(box as Element, rect))) return true;
    }
    return false;
  };

  /** The value of a select, or the placeholder of an empty field unless it is an example URL. */
  const shownText = (field: HTMLInputElement): string => {
    if (field.value !== '') return field.readOnly ? field.value : '';
    return /^[a-z0-9]+:\/\//.test(field.placeholder) ? '' : field.placeholder;
  };

  const canvas = document.createElement('canvas').getContext('2d');
  const isFieldClipped = (field: HTMLInputElement): boolean => {
    const style = getComputedStyle(field);
    if (!canvas || field.hasAttribute('title')) return false;
    canvas.font = style.font;
    const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    return canvas.measureText(shownText(field)).width > room + tolerance;
  };

  const isChecked = (node: Text): boolean =>
    node.data.trim() !== '' && node.parentElement?.closest(`script, style, ${allowed}`) === null;

  const textNodes = (): Text[] => {
    const nodes: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) nodes.push(walker.currentNode as Text);
    return nodes.filter((node) => isChecked(node) && node.parentElement !== null && isVisible(node.parentElement));
  };

  const clippedTexts = (): Set<string> => {
    const fields = [...document.querySelectorAll('input')].filter((field) => isVisible(field) && isFieldClipped(field));
    return new Set([
      ...textNodes()
        .filter(isClipped)
        .map(({ data }) => data.trim()),
      ...fields.map(shownText),
    ]);
  };

  for (let frame = 0; frame < maxFrames && clippedTexts().size > 0; frame++)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return [...clippedTexts()];
}
