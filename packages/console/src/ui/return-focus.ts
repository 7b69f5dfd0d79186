import { useEffect } from 'react';

const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/**
 * Returns the focus to the element that opened a dialog when the last dialog closes, and to the page if that element
 * is gone. Mantine does so only for dialogs that are mounted before they open. Used once, by the frame.
 */
export function useReturnFocus(): void {
  useEffect(() => {
    let opener: Element | null = null;
    let observer: MutationObserver | undefined;
    const closed = () => {
      if (isDialogOpen()) return;
      observer?.disconnect();
      observer = undefined;
      if (document.activeElement === document.body) restoreFocus(opener);
    };
    const focus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      if (!target.closest('[role="dialog"]')) opener = openerOf(target);
      else if (!observer) {
        observer = new MutationObserver(closed);
        observer.observe(document.body, { childList: true, subtree: true });
      }
    };
    document.addEventListener('focusin', focus);
    return () => {
      document.removeEventListener('focusin', focus);
      observer?.disconnect();
    };
  }, []);
}

/** A menu item disappears with its menu, so the element that opened the menu gets the focus back. */
function openerOf(element: Element): Element | null {
  const menu = element.closest('[role="menu"]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}

const watchedMs = 10_000;

function restoreFocus(opener: Element | null): void {
  if (!(opener instanceof HTMLElement && opener.isConnected)) {
    focusPage();
    return;
  }
  opener.focus();
  // The confirmed action may remove its row.
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusPage();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), watchedMs);
}

const focusPage = (): void => document.getElementById('main')?.focus();
