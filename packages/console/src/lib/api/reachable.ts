import { useSyncExternalStore } from 'react';

let isLost = false;
const listeners = new Set<() => void>();
const suspicions = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** True while the gateway is unreachable. */
export const useIsLost = (): boolean => useSyncExternalStore(subscribe, () => isLost);

export function setLost(next: boolean): void {
  isLost = next;
  for (const listener of listeners) listener();
}

/** Called after a failed call or file; triggers a check whether the gateway is reachable. */
export function suspectLost(): void {
  for (const listener of suspicions) listener();
}

export function onSuspicion(listener: () => void): () => void {
  suspicions.add(listener);
  return () => suspicions.delete(listener);
}
