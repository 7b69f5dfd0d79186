import { type RefObject, useLayoutEffect } from 'react';

/** Height covered by the sticky toolbar; the table header sticks below it. */
const property = '--list-band';

/** Tracks the height of the sticky toolbar. */
export function useToolbarHeight(band: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = band.current;
    if (!element) return;
    const root = document.documentElement.style;
    const measure = () => root.setProperty(property, `${coveredBy(element)}px`);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
      root.removeProperty(property);
    };
  }, [band]);
}

function coveredBy(element: HTMLElement): number {
  const { position, top } = getComputedStyle(element);
  if (position !== 'sticky') return 0;
  return Math.max(0, Math.floor(element.getBoundingClientRect().height + Number.parseFloat(top)));
}
