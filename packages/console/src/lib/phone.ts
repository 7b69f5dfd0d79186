import { phoneWidth } from '@headgate/contract';
import { useSyncExternalStore } from 'react';

const query = window.matchMedia(`(max-width: ${phoneWidth}px)`);

const subscribe = (listener: () => void) => {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Whether the window is as narrow as a phone, also after it was resized or turned. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => query.matches);
