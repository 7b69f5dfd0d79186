import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { focusSearch, type Shortcut, shortcutOf } from './shortcuts.ts';

// Both are loaded on first use.
const PaletteDialog = lazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }));
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }));

type Shown = 'palette' | 'shortcuts' | undefined;

let shown: Shown;
const listeners = new Set<() => void>();

function show(next: Shown): void {
  shown = next;
  for (const listener of listeners) listener();
}

export const openPalette = (): void => show('palette');

/** Renders the command palette and the shortcut list, and handles their shortcuts. Mounted once, by the frame. */
export function PaletteHost() {
  useShortcuts();
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  const close = () => show(undefined);
  return (
    <Suspense>
      {now === 'palette' && <PaletteDialog onClose={close} showShortcuts={() => show('shortcuts')} />}
      {now === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </Suspense>
  );
}

/** Shortcut handlers. Each returns whether it handled the key. */
const shortcutHandlers: Readonly<Record<Shortcut, () => boolean>> = {
  search: focusSearch,
  palette: () => {
    show(shown === 'palette' ? undefined : 'palette');
    return true;
  },
  shortcuts: () => {
    show('shortcuts');
    return true;
  },
};

/** Shortcuts are ignored while another dialog is open. */
const hasOpenDialog = (): boolean => shown === undefined && document.querySelector('[role="dialog"]') !== null;

function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event);
      if (shortcut && !hasOpenDialog() && shortcutHandlers[shortcut]()) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
