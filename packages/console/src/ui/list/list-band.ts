import { type RefObject, useLayoutEffect } from 'react';

/** How much of the window's top is covered by what sticks there; the head of a table stands below it. */
const property = '--list-band';

/** Measures what sticks to the top of a list as it grows and shrinks. */
export function useBandHeight(band: RefObject<HTMLElement | null>): void {
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
