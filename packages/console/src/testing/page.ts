import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

/** Replaces the text of a field in one step. `user.type` renders once per key; use it only if key events matter. */
export function fill(field: HTMLElement, text: string): void {
  field.focus();
  fireEvent.change(field, { target: { value: text } });
}

/** Waits for a field or button with this role and accessible name. */
export const findButton = (name: string | RegExp) => screen.findByRole('button', { name });
export const findTextbox = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });

/** Accessible name of an amount field: its label and its unit. */
export const amountFieldName = (label: string): RegExp => new RegExp(`^${label} \\((US dollars|points)\\)$`);
export const findMoney = (label: string) => findTextbox(amountFieldName(label));

export const rows = (role: 'row' | 'listitem') => [
  ...document.querySelectorAll<HTMLElement>(role === 'row' ? 'tbody tr' : 'li'),
];

/** Waits for the table row, or the card on a phone, that contains this text. */
export const findRow = (text: string, role: 'row' | 'listitem' = 'row'): Promise<HTMLElement> =>
  waitFor(() => {
    const row = rows(role).find(({ textContent }) => textContent?.includes(text));
    if (!row) throw new Error(`No row with "${text}" among: ${rowNames().join(', ')}`);
    return row;
  });

/** Text of the first cell of each row, without loading rows. */
export const rowNames = (): string[] => rows('row').flatMap((row) => row.querySelector('td')?.textContent || []);

/** Waits until the list has exactly these rows. */
export const expectRows = (names: readonly string[]) => expect.poll(rowNames).toEqual(names);

/** Waits until the row contains this text. */
export const expectInRow = async (row: string, text: string) =>
  expect.poll(async () => within(await findRow(row)).queryAllByText(text).length).toBe(1);

/** Opens the menu of a row and clicks through these entries. */
export async function chooseAction(user: UserEvent, row: string, ...actions: readonly string[]): Promise<void> {
  await user.click(await findButton(`More actions for ${row}`));
  // Queries and clicks in one step, because a loading list may replace its rows.
  for (const name of actions)
    await waitFor(() => {
      const item = screen.getByRole('menuitem', { name });
      // Opens a submenu.
      fireEvent.mouseEnter(item);
      fireEvent.click(item);
    });
}

/** Path and query of the current page. */
export const address = (): string => window.location.pathname + window.location.search;

export const expectAddress = (expected: string) => expect.poll(address).toBe(expected);

/** Waits for an alert or message that contains this text. */
export const expectAlert = (text: string | RegExp) =>
  waitFor(() =>
    expect(
      screen
        .queryAllByRole('alert')
        .map(({ textContent }) => textContent)
        .join('\n'),
    ).toMatch(text),
  );

export type MessageKind = 'success' | 'info' | 'error' | 'warning' | 'notice';

/** Visible messages, optionally of one kind. */
export const messages = (kind?: MessageKind): string[] =>
  [...document.querySelectorAll(kind ? `[data-kind="${kind}"]` : '[data-kind]')].map(
    ({ textContent }) => textContent ?? '',
  );

/** Texts of a list column, counted from 1. */
export const columnTexts = (column: number): (string | null)[] =>
  rows('row').map((row) => row.querySelector(`td:nth-child(${column})`)?.textContent ?? null);

/** Waits for the section with this heading. */
export async function findSection(name: string): Promise<HTMLElement> {
  const heading = await screen.findByRole('heading', { level: 2, name });
  return heading.closest('section') as HTMLElement;
}

/** Waits for a message that contains this text. */
export const expectMessage = (text: string | RegExp, kind?: MessageKind) =>
  waitFor(() => expect(messages(kind).join('\n')).toMatch(text));

/** Waits for the panel of the selected tab. */
export const findTabPanel = (): Promise<HTMLElement> =>
  waitFor(() => {
    const tab = screen.getAllByRole('tab').find((one) => one.getAttribute('aria-selected') === 'true');
    const panel = document.getElementById(tab?.getAttribute('aria-controls') ?? '');
    if (!panel?.querySelector('h2')) throw new Error('The tab is not loaded yet');
    return panel;
  });
