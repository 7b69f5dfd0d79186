// Polyfills and performance patches for jsdom.

import { installFastLabels } from './fast-labels.ts';
import { installFastSelectors } from './fast-selectors.ts';
import { installFastStyles } from './fast-styles.ts';

const mediaListeners = new Set<() => void>();

/** Supports only width queries; preference queries never match. */
function mediaMatches(media: string): boolean {
  const width = /\((max|min)-width: ?([\d.]+)(px|em)\)/.exec(media);
  if (!width) return media.includes('prefers-reduced-motion');
  const bound = Number(width[2]) * (width[3] === 'em' ? 16 : 1);
  return width[1] === 'max' ? window.innerWidth <= bound : window.innerWidth >= bound;
}

function matchMedia(media: string) {
  return {
    media,
    get matches() {
      return mediaMatches(media);
    },
    addEventListener: (_: string, listener: () => void) => mediaListeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => mediaListeners.delete(listener),
  };
}

/** Resizes the window and rerenders components that depend on its width. */
export function setWindowWidth(width: number): void {
  window.innerWidth = width;
  window.dispatchEvent(new Event('resize'));
  for (const listener of mediaListeners) listener();
}

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

const shims = {
  CSS: { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') },
  matchMedia,
  ResizeObserver: NoObserver,
  IntersectionObserver: NoObserver,
  scrollTo: () => {},
  // Style sheets are not loaded in these tests, and computing styles would dominate the run time of getByRole.
  getComputedStyle: (element: HTMLElement) => element.style,
};

/** Without layout, Mantine logs that nothing is focusable along with the component tree, and charts have no size. */
const isNoise = (message: unknown): boolean =>
  /^\[@mantine\/hooks\/use-focus-trap\]|^The width\(0\) and height\(0\) of chart/.test(String(message));
const { warn } = console;

let isInstalled = false;

/** Once per window, although the setup file runs before each test file. */
export function installBrowserShims(): void {
  if (isInstalled) return;
  isInstalled = true;
  Object.assign(console, {
    warn: (message: unknown, ...rest: readonly unknown[]) => isNoise(message) || warn(message, ...rest),
  });
  Object.assign(window, shims);
  Object.assign(globalThis, shims);
  Object.assign(document, { fonts: new EventTarget() });
  Element.prototype.scrollIntoView = () => {};
  installFastLabels();
  installFastSelectors();
  installFastStyles();
}
