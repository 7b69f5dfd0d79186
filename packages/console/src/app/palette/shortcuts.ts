/** Modifier key that opens the palette together with K. */
export const commandKey: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export type Shortcut = 'palette' | 'search' | 'shortcuts' | 'next' | 'previous' | 'open' | 'go';

const keys: Readonly<Record<string, Shortcut>> = {
  '/': 'search',
  '?': 'shortcuts',
  j: 'next',
  k: 'previous',
  Enter: 'open',
  g: 'go',
};

/** Global shortcut of a key event; undefined while typing in a field. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  if (event.defaultPrevented) return undefined;
  if (isCommand(event) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') return 'palette';
  return keys[plainKey(event) ?? ''];
}

/** The key without modifiers, outside fields. */
export const plainKey = (event: KeyboardEvent): string | undefined =>
  isCommand(event) || event.altKey || isTyping(event.target) ? undefined : event.key;

const isCommand = (event: KeyboardEvent) => event.metaKey || event.ctrlKey;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Focuses the page's search field. Returns false if there is none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

const rowsOfPage = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-row]')];

/** Focuses the row after or before the focused one, or the first one. Returns false if the page has no list. */
export function focusRow(step: 1 | -1): boolean {
  const rows = rowsOfPage();
  const row =
    rows[rows.findIndex((one) => one.contains(document.activeElement)) + step] ??
    rows[step === 1 ? rows.length - 1 : 0];
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
  return row !== undefined;
}

/**
 * Opens the focused row via the row itself, its first link or its first action. Returns false if none of them opens a
 * page.
 */
export function openRow(go: (address: string) => void): boolean {
  const row = rowsOfPage().find((one) => one === document.activeElement);
  const address = row?.dataset['row'] ?? '';
  const target = row?.dataset['opens'] ? row : row?.querySelector<HTMLElement>('a[href]');
  if (target) target.click();
  else if (address !== '') go(address);
  return target !== null && target !== undefined ? true : address !== '';
}
