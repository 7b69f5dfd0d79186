/** Modifier key that opens the palette together with K. */
export const commandKey: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export type Shortcut = 'palette' | 'search' | 'shortcuts';

/** Global shortcut of a key event; undefined while typing in a field. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const isCommand = event.metaKey || event.ctrlKey;
  if (isCommand && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') return 'palette';
  if (isCommand || event.altKey || isTyping(event.target)) return undefined;
  if (event.key === '/') return 'search';
  return event.key === '?' ? 'shortcuts' : undefined;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Focuses the page's search field. Returns false if there is none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
