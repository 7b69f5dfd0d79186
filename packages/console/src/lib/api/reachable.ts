import { useSyncExternalStore } from 'react';

let isUnreachable = false;
const listeners = new Set<() => void>();
const suspicions = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** True while the gateway is unreachable. */
export const useIsUnreachable = (): boolean => useSyncExternalStore(subscribe, () => isUnreachable);

export function setUnreachable(next: boolean): void {
  isUnreachable = next;
  for (const listener of listeners) listener();
}

/** Called after a failed call or module load; triggers a reachability check. */
export function reportPossibleOutage(): void {
  for (const listener of suspicions) listener();
}

export function onSuspectedOutage(listener: () => void): () => void {
  suspicions.add(listener);
  return () => suspicions.delete(listener);
}
