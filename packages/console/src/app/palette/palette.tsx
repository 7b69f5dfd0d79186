import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { useUser } from '../../lib/account/session.ts';
import { useStatus } from '../../lib/page/status.ts';
import { menuPages } from '../menu-sections.ts';
import { focusRow, focusSearch, openRow, plainKey, type Shortcut, shortcutOf } from './shortcuts.ts';

// Lazy-loaded on first use.
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
  useEffect(() => () => show(undefined), []);
  return (
    <Suspense>
      {now === 'palette' && <PaletteDialog onClose={close} showShortcuts={() => show('shortcuts')} />}
      {now === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </Suspense>
  );
}

/** Shortcuts are ignored while another dialog is open. */
const hasOpenDialog = (): boolean => shown === undefined && document.querySelector('[role="dialog"]') !== null;

/** Maximum time between the two keys of a `g` shortcut. */
const sequenceMs = 1500;

function useShortcuts(): void {
  const navigate = useNavigate();
  const [user, status] = [useUser(), useStatus()];
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY);
  const go = (to: string) => void navigate({ to });
  /** Each returns true if it handled the key. */
  const handlers: Readonly<Record<Shortcut, () => boolean>> = {
    search: focusSearch,
    palette: () => {
      show(shown === 'palette' ? undefined : 'palette');
      return true;
    },
    shortcuts: () => {
      show('shortcuts');
      return true;
    },
    next: () => focusRow(1),
    previous: () => focusRow(-1),
    open: () => openRow(go),
    go: () => {
      goPressedAt.current = performance.now();
      return true;
    },
  };
  const openPage = (key: string | undefined): boolean => {
    const isSecond = performance.now() - goPressedAt.current < sequenceMs;
    goPressedAt.current = Number.NEGATIVE_INFINITY;
    const page = isSecond
      ? menuPages(user, status).find(({ menu }) => key !== undefined && menu.key === key)
      : undefined;
    if (page) go(page.path);
    return page !== undefined;
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (hasOpenDialog()) return;
    const shortcut = shortcutOf(event);
    if (openPage(plainKey(event)) || (shortcut && handlers[shortcut]())) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
