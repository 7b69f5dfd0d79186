import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { Question } from './question.ts';

// The dialog's code comes with the first question: the login page asks none.
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

let question: Question | undefined;
const listeners = new Set<() => void>();

function setQuestion(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Asks before something that cannot be undone. */
export const askFirst = (next: Question): void => setQuestion(next);

/** Where questions appear; mounted once, by the frame. */
export function ConfirmHost() {
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => question,
  );
  return (
    asked && (
      <Suspense>
        <ConfirmDialog question={asked} onClose={() => setQuestion(undefined)} />
      </Suspense>
    )
  );
}
