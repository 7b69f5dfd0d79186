import { useLayoutEffect } from 'react';

/**
 * Escape closes only the topmost dialog. Mantine would close all open dialogs and discard what was typed into the lower
 * ones. Used once, by the frame.
 */
export function useCloseTopDialog(): void {
  // Runs before the effects in which dialogs register their listeners, including dialogs of the first page.
  useLayoutEffect(() => {
    window.addEventListener('keydown', closeTopDialog, { capture: true });
    return () => window.removeEventListener('keydown', closeTopDialog, { capture: true });
  }, []);
}

function closeTopDialog(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || closesDropdown(event.target)) return;
  const dialogs = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')];
  if (dialogs.length < 2) return;
  event.stopImmediatePropagation();
  dialogs.at(-1)?.querySelector<HTMLElement>('.mantine-Modal-close, .mantine-Drawer-close')?.click();
}

/** The key closes an open dropdown of this element. */
const closesDropdown = (target: EventTarget | null): boolean =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
