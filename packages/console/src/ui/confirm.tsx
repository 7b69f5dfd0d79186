import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { Confirmation } from './confirmation.ts';

// Loaded with the first confirmation.
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

let confirmation: Confirmation | undefined;
const listeners = new Set<() => void>();

function setConfirmation(next: Confirmation | undefined): void {
  confirmation = next;
  for (const listener of listeners) listener();
}

let askedFrom: Element | null = null;

/** Opens a confirmation dialog. */
export function openConfirmation(next: Confirmation): void {
  askedFrom = openerOf(document.activeElement);
  setConfirmation(next);
}

/** A menu item disappears with its menu, so the element that opened the menu gets the focus back. */
function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}

/** Returns the focus to the element that opened the dialog, or to the page if that element is gone. */
function restoreFocus(): void {
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

/** Renders the confirmation dialog. Mounted once, by the frame. */
export function ConfirmHost() {
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => confirmation,
  );
  return (
    asked && (
      <Suspense>
        <ConfirmDialog
          question={asked}
          onClose={() => {
            setConfirmation(undefined);
            restoreFocus();
          }}
        />
      </Suspense>
    )
  );
}
