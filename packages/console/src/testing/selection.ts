import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

const find = () => screen.findByRole('toolbar', { name: 'Actions for selected rows' });

/** Toolbar of the selected rows. */
export const selectionBar = async () => within(await find());

/** Waits until the toolbar contains this text. */
export const expectSelection = (text: string) => expect.poll(async () => (await find()).textContent).toContain(text);

export const expectNoSelection = () => expect.poll(() => screen.queryByRole('toolbar')).toBeNull();

export async function selectPage(user: UserEvent): Promise<void> {
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' });
  await expect.poll(() => box.disabled).toBe(false);
  await user.click(box);
}

/** Starts an action for the selected rows, from its button or the menu. */
export async function applyToSelection(user: UserEvent, action: string): Promise<void> {
  const bar = await selectionBar();
  const button = bar.queryByRole('button', { name: action });
  if (button) return user.click(button);
  await user.click(bar.getByRole('button', { name: /^(More|Actions)$/ }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}
