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

let askedFrom: Element | null = null;

/** Asks before something that cannot be undone. */
export function askFirst(next: Question): void {
  askedFrom = openerOf(document.activeElement);
  setQuestion(next);
}

/** An entry of a menu goes with its menu: whoever opened that stays. */
function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}

/** Back to where the question came from; to the page itself where that is gone, or goes with what was deleted. */
function giveBackFocus(): void {
  if (!(askedFrom instanceof HTMLElement && askedFrom.isConnected)) {
    focusPage();
    return;
  }
  const place = askedFrom;
  place.focus();
  const observer = new MutationObserver(() => {
    if (place.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusPage();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), watchedMs);
}

const watchedMs = 10_000;

const focusPage = (): void => document.getElementById('main')?.focus();

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
        <ConfirmDialog
          question={asked}
          onClose={() => {
            setQuestion(undefined);
            giveBackFocus();
          }}
        />
      </Suspense>
    )
  );
}
