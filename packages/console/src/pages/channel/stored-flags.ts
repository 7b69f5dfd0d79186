import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { createStoredValue, type StoredValue } from '../../lib/page/stored-value.ts';

/** A flag stored in the browser. */
export interface StoredFlag {
  readonly isSet: boolean;
  set(value: boolean): void;
}

const details = createStoredValue('show_detail', z.boolean());
const seenHint = createStoredValue('prompt-detail', z.boolean());

function useFlag(stored: StoredValue<boolean>): StoredFlag {
  const value = useSyncExternalStore(stored.subscribe, stored.get);
  return { isSet: value === true, set: stored.set };
}

/** True if the list shows balances, test models and weights. */
export const useDetails = (): StoredFlag => useFlag(details);

export const useDismissedHint = (): StoredFlag => useFlag(seenHint);
