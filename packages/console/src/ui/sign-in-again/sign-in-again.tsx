import { lazy, Suspense, useSyncExternalStore } from 'react';

// Its code comes with the first session that ends over unsaved work.
const SignInAgainDialog = lazy(async () => ({
  default: (await import('./sign-in-again-dialog.tsx')).SignInAgainDialog,
}));

let isAsked = false;
const listeners = new Set<() => void>();

function setAsked(next: boolean): void {
  isAsked = next;
  for (const listener of listeners) listener();
}

/** Lets the person sign in over the page, which keeps what was typed there. */
export const askToSignInAgain = (): void => setAsked(true);

/** Where the dialog appears; mounted once, by the frame. */
export function SignInAgainHost() {
  const isShown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAsked,
  );
  return (
    isShown && (
      <Suspense>
        <SignInAgainDialog onClose={() => setAsked(false)} />
      </Suspense>
    )
  );
}
