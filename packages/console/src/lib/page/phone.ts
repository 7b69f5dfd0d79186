import { phoneWidth } from '@headgate/contract';
import { useSyncExternalStore } from 'react';

/** Hook for a media query. Rerenders when the result changes. */
function createMediaHook(media: string): () => boolean {
  const query = window.matchMedia(media);
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => query.matches);
}

export const useIsPhone = createMediaHook(`(max-width: ${phoneWidth}px)`);

/** True if the window has room for optional columns. */
export const useIsWide = createMediaHook('(min-width: 1800px)');
