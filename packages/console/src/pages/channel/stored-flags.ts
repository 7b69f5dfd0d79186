import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { createStored, type Stored } from '../../lib/page/stored.ts';

/** A flag stored in the browser. */
export interface StoredFlag {
  readonly isSet: boolean;
  set(value: boolean): void;
}

const details = createStored('show_detail', z.boolean());
const seenHint = createStored('prompt-detail', z.boolean());

function useFlag(stored: Stored<boolean>): StoredFlag {
  const value = useSyncExternalStore(stored.subscribe, stored.get);
  return { isSet: value === true, set: stored.set };
}

/** True if the list shows balances, test models and weights. */
export const useDetails = (): StoredFlag => useFlag(details);

export const useDismissedHint = (): StoredFlag => useFlag(seenHint);
