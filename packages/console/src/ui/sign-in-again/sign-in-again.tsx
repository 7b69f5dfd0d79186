import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';

// Loaded when a session ends with unsaved input.
const SignInAgainDialog = lazy(async () => ({
  default: (await import('./sign-in-again-dialog.tsx')).SignInAgainDialog,
}));

let isRequested = false;
const listeners = new Set<() => void>();

function setAsked(next: boolean): void {
  isRequested = next;
  for (const listener of listeners) listener();
}

/** Opens the sign-in dialog over the page, which keeps its input. */
export const openSignInAgain = (): void => setAsked(true);

/** Renders the dialog. Mounted once, by the frame. */
export function SignInAgainHost() {
  useEffect(() => () => setAsked(false), []);
  const isShown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isRequested,
  );
  return (
    isShown && (
      <Suspense>
        <SignInAgainDialog onClose={() => setAsked(false)} />
      </Suspense>
    )
  );
}
