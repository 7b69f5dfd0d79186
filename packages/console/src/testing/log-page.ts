import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

/** Texts of the list rows, without loading rows. */
export const rowTexts = (): string[] =>
  [...document.querySelectorAll('main tbody tr')].flatMap(({ textContent }) => textContent || []);

/** Waits until this many rows contain the text. */
export const expectRowCount = (count: number, text = '') =>
  expect.poll(() => rowTexts().filter((row) => row.includes(text))).toHaveLength(count);

/** Expands the filters. */
export async function expandFilters(user: UserEvent): Promise<void> {
  const button = await screen.findByRole('button', { name: /^Filters/ });
  if (button.getAttribute('aria-expanded') === 'false') await user.click(button);
}

export const query = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Apply filters' }));

export const chooseType = async (user: UserEvent, type: string) =>
  user.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), type);

/** Texts of the active filter chips. */
export const chips = (): string[] => {
  const list = screen.queryByRole('list', { name: 'Active filters' });
  return list
    ? within(list)
        .getAllByRole('button')
        .map(({ textContent }) => textContent.replace('Remove filter', ''))
    : [];
};

const findTotal = () => screen.findByRole('group', { name: 'Total consumed quota' });

export const clickInTotal = async (user: UserEvent, name: string) =>
  user.click(await within(await findTotal()).findByRole('button', { name }));

export const expectTotal = async (text: string) =>
  expect.poll(async () => (await findTotal()).textContent).toBe(`Total consumed quota${text}`);

/** Opens the receipt of the only row that has one. */
export async function openReceipt(user: UserEvent): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: /^Cost breakdown/ }));
  const receipt = await screen.findByRole('dialog');
  expect(receipt.getAttribute('aria-label')).toBe('Cost breakdown');
  return receipt;
}
