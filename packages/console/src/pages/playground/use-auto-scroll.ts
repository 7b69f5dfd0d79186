import { useEffect, useLayoutEffect, useRef } from 'react';

/** Distance from the end within which scrolling follows new text. */
const nearPixels = 80;

const isAtEnd = (): boolean => {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  return scrollHeight - clientHeight - scrollTop < nearPixels;
};

/** Scrolls with growing content, unless the user has scrolled up. */
export function useAutoScroll(grown: readonly unknown[]): void {
  const isFollowing = useRef(true);
  const count = useRef(grown.length);
  useEffect(() => {
    const look = () => {
      isFollowing.current = isAtEnd();
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    // A new question always scrolls to its response.
    if (grown.length !== count.current) isFollowing.current = true;
    count.current = grown.length;
    if (isFollowing.current && grown.length > 0) window.scrollTo({ top: document.documentElement.scrollHeight });
  }, [grown]);
}
