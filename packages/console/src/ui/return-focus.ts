import { useEffect } from 'react';

const dialogSelector = '[role="dialog"]';

/**
 * When a dialog closes, returns the focus to the element that opened it, or to the page if that element no longer
 * exists. Mantine does this only for dialogs that are mounted before they open. Used once, by the frame.
 */
export function useReturnFocus(): void {
  useEffect(() => {
    /** Element that had the focus before each dialog; kept for closed dialogs that opened another one. */
    const openers = new WeakMap<Element, Element>();
    const open = new Set<Element>();
    let focused: Element = document.body;
    const observer = new MutationObserver(() => {
      const closed = [...open].filter((dialog) => !dialog.isConnected);
      for (const dialog of closed) open.delete(dialog);
      if (open.size === 0) observer.disconnect();
      const last = closed.at(-1);
      if (last && document.activeElement === document.body) restoreFocus(remainingOpener(last, openers));
    });
    const focus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const dialog = target.closest(dialogSelector);
      if (dialog && !open.has(dialog)) {
        openers.set(dialog, focused);
        open.add(dialog);
        observer.observe(document.body, { childList: true, subtree: true });
      }
      focused = openerOf(target);
    };
    document.addEventListener('focusin', focus);
    return () => {
      document.removeEventListener('focusin', focus);
      observer.disconnect();
    };
  }, []);
}

/** A menu item disappears with its menu, so the element that opened the menu gets the focus back. */
function openerOf(element: Element): Element {
  const menu = element.closest('[role="menu"]');
  return (menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`)) ?? element;
}

/** Opener of this dialog, or the opener of the closed dialog that contains it. */
function remainingOpener(dialog: Element, openers: WeakMap<Element, Element>): Element | undefined {
  const opener = openers.get(dialog);
  if (!opener || opener.isConnected) return opener;
  const outer = opener.closest(dialogSelector);
  return outer ? remainingOpener(outer, openers) : undefined;
}

const watchedMs = 10_000;

function restoreFocus(opener: Element | undefined): void {
  if (!(opener instanceof HTMLElement) || opener === document.body) {
    focusPage();
    return;
  }
  opener.focus();
  // The confirmed action may delete the row.
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusPage();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), watchedMs);
}

const focusPage = (): void => document.getElementById('main')?.focus();
