import { useEffect, useLayoutEffect, useRef } from 'react';

/** So near the end somebody reads what comes. */
const nearPixels = 80;

const isAtEnd = (): boolean => {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  return scrollHeight - clientHeight - scrollTop < nearPixels;
};

/** Keeps the end of what grows in sight, unless the reader has gone back to something above it. */
export function useFollow(grown: readonly unknown[]): void {
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
    // Who asks wants to see the answer.
    if (grown.length !== count.current) isFollowing.current = true;
    count.current = grown.length;
    if (isFollowing.current && grown.length > 0) window.scrollTo({ top: document.documentElement.scrollHeight });
  }, [grown]);
}
