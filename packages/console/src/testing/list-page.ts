import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { fill, findButton, findRow, rows } from './page.ts';

/** Types a text into a field and presses Enter. */
export function typeAndEnter(field: HTMLElement, text: string): void {
  fill(field, text);
  fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
}

/** Selects an option in a searchable field. */
export async function chooseOption(user: UserEvent, field: HTMLElement, name: string | RegExp): Promise<void> {
  await user.click(field);
  await user.click(await screen.findByRole('option', { name }));
}

type MessageKind = 'success' | 'info' | 'error' | 'warning' | 'notice';

/** Texts of the visible messages of this kind. */
export const messages = (kind: MessageKind): (string | null)[] =>
  [...document.querySelectorAll(`[data-kind="${kind}"]`)].map(({ textContent }) => textContent);

/** Waits until exactly these messages of this kind are visible. */
export const expectMessages = (kind: MessageKind, texts: readonly string[]) =>
  expect.poll(() => messages(kind)).toEqual(texts);

/** Texts of a list column, counted from 1. */
export const columnTexts = (column: number): (string | null)[] =>
  rows('row').map((row) => row.querySelector(`td:nth-child(${column})`)?.textContent ?? null);

/** Clicks a column title twice, and expects ascending, then descending order. */
export async function expectSorting(
  user: UserEvent,
  title: string,
  column: number,
  ascending: readonly string[],
): Promise<void> {
  const heading = await screen.findByRole('columnheader', { name: new RegExp(`^${title}`) });
  for (const [direction, texts] of [
    ['ascending', ascending],
    ['descending', ascending.toReversed()],
  ] as const) {
    await user.click(within(heading).getByRole('button'));
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe(direction);
    await expect.poll(() => columnTexts(column)).toEqual(texts);
  }
}

/** Searches the list for a keyword. */
export async function searchList(user: UserEvent, keyword: string): Promise<void> {
  const box = await screen.findByRole('searchbox');
  fill(box, keyword);
  await user.type(box, '{Enter}');
}

/** Waits until the row contains this text. */
export const expectRowText = (row: string, text: string | RegExp) =>
  expect.poll(async () => (await findRow(row)).textContent).toMatch(text);

/** Waits until no row contains this text. */
export const expectNoRow = (text: string) =>
  expect.poll(() => rows('row').some((row) => row.textContent?.includes(text))).toBe(false);

/** Opens the menu of a row, returns its entries and closes it. */
export async function menuEntries(
  user: UserEvent,
  row: string,
): Promise<{ name: string | null; isDisabled: boolean }[]> {
  const button = await findButton(`More actions for ${row}`);
  await user.click(button);
  const items = await screen.findAllByRole<HTMLButtonElement>('menuitem');
  const entries = items.map(({ textContent, disabled }) => ({ name: textContent, isDisabled: disabled }));
  await user.click(button);
  await waitFor(() => expect(screen.queryAllByRole('menuitem')).toEqual([]));
  return entries;
}
