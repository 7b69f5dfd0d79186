import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

/** Replaces the text of a field in one step. `user.type` renders once per key; use it where keys matter. */
export function fill(field: HTMLElement, text: string): void {
  field.focus();
  fireEvent.change(field, { target: { value: text } });
}

/** The field or button with this role and accessible name, as soon as it is there. */
export const findButton = (name: string | RegExp) => screen.findByRole('button', { name });
export const findTextbox = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });

export const rows = (role: 'row' | 'listitem') => [
  ...document.querySelectorAll<HTMLElement>(role === 'row' ? 'tbody tr' : 'li'),
];

/** The row of a table, or the card of a list on a phone, that contains this text. */
export const findRow = (text: string, role: 'row' | 'listitem' = 'row'): Promise<HTMLElement> =>
  waitFor(() => {
    const row = rows(role).find(({ textContent }) => textContent?.includes(text));
    if (!row) throw new Error(`No row with "${text}" among: ${rowNames().join(', ')}`);
    return row;
  });

/** The text of the first cell of each row; rows that are still loading are left out. */
export const rowNames = (): string[] => rows('row').flatMap((row) => row.querySelector('td')?.textContent || []);

/** Waits until the list has these rows. */
export const expectRows = (names: readonly string[]) => expect.poll(rowNames).toEqual(names);

/** Waits until the row contains this text. */
export const expectInRow = async (row: string, text: string) =>
  expect.poll(async () => within(await findRow(row)).queryAllByText(text).length).toBe(1);

/** Opens the menu of a row and clicks through these entries. */
export async function chooseAction(user: UserEvent, row: string, ...actions: readonly string[]): Promise<void> {
  await user.click(await findButton(`More actions for ${row}`));
  for (const name of actions) {
    const item = await screen.findByRole('menuitem', { name });
    // Opens a submenu.
    fireEvent.mouseEnter(item);
    fireEvent.click(item);
  }
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
