import { phoneWidth } from '@headgate/contract';
import { useSyncExternalStore } from 'react';

/** A hook that tells whether the window is of this kind, also after it was resized or turned. */
function windowIs(media: string): () => boolean {
  const query = window.matchMedia(media);
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => query.matches);
}

/** Whether the window is as narrow as a phone. */
export const useIsPhone = windowIs(`(max-width: ${phoneWidth}px)`);

/** Whether the window has room for what a list can do without. */
export const useIsWide = windowIs('(min-width: 1800px)');
