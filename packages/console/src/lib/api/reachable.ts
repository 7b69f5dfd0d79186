import { useSyncExternalStore } from 'react';

let isLost = false;
const listeners = new Set<() => void>();
const suspicions = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the gateway has stopped answering at all. */
export const useIsLost = (): boolean => useSyncExternalStore(subscribe, () => isLost);

export function setLost(next: boolean): void {
  isLost = next;
  for (const listener of listeners) listener();
}

/** A call or a file did not come through: whoever watches finds out whether the gateway is gone. */
export function suspectLost(): void {
  for (const listener of suspicions) listener();
}

export function onSuspicion(listener: () => void): () => void {
  suspicions.add(listener);
  return () => suspicions.delete(listener);
}
