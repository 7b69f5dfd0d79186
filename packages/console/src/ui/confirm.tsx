import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import type { Confirmation } from './confirmation.ts';

// Loaded with the first confirmation.
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

let confirmation: Confirmation | undefined;
const listeners = new Set<() => void>();

function setConfirmation(next: Confirmation | undefined): void {
  confirmation = next;
  for (const listener of listeners) listener();
}

/** Opens a confirmation dialog. */
export const openConfirmation = (next: Confirmation): void => setConfirmation(next);

/** Renders the confirmation dialog. Mounted once, by the frame. */
export function ConfirmHost() {
  useEffect(() => () => setConfirmation(undefined), []);
  const requested = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => confirmation,
  );
  return (
    requested && (
      <Suspense>
        <ConfirmDialog question={requested} onClose={() => setConfirmation(undefined)} />
      </Suspense>
    )
  );
}
