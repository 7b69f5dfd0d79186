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

/** Applies the texts immediately, and reloads the list. */
export const query = async (user: UserEvent) => {
  await expandFilters(user);
  screen.getByLabelText('Token name').focus();
  await user.keyboard('{Enter}');
};

export const chooseType = async (user: UserEvent, type: string) => {
  await expandFilters(user);
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), type);
};

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

export const clickTotal = async (user: UserEvent, name: string) =>
  user.click(await within(await findTotal()).findByRole('button', { name }));

export const expectTotal = async (text: string) =>
  expect.poll(async () => (await findTotal()).textContent).toBe(`Total consumed quota${text}`);

/** Opens the details of the only request in the list. */
export async function openReceipt(user: UserEvent): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: /^Request details/ }));
  const details = await screen.findByRole('dialog');
  await within(details).findByRole('list', { name: 'Timeline' });
  return details;
}
