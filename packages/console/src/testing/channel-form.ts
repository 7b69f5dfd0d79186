import { rootAccount } from '@headgate/testkit';
import { fireEvent, screen } from '@testing-library/react';
import { expect } from 'vitest';
import { typeAndEnter } from './list-page.ts';
import { openConsole } from './open-console.tsx';
import { fill, findTextbox } from './page.ts';

export const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
/** A password input has no ARIA role. */
export const keyField = () => screen.getByLabelText<HTMLInputElement>(/^Key( \*)?$/);
export const modelsField = () => screen.getByRole('combobox', { name: 'Available models' });
export const createButton = () => screen.getByRole('button', { name: 'Create channel' });

/** Selected models. */
export const models = () => [...document.querySelectorAll('form [data-model]')].map(({ textContent }) => textContent);

export const addModel = (name: string) => typeAndEnter(modelsField(), name);

/** Opens the form for a new channel as root, with this name and key. */
export async function openChannelForm(name: string, key?: string) {
  const opened = await openConsole('/channel/add', { as: rootAccount });
  fill(await findTextbox('Name'), name);
  if (key !== undefined) fill(keyField(), key);
  return opened;
}

export async function chooseType(name: string): Promise<void> {
  fireEvent.focus(await screen.findByRole('combobox', { name: 'Type' }));
  fireEvent.click(await screen.findByRole('option', { name }));
  await expect.poll(() => screen.getByRole('combobox', { name: 'Type' })).toHaveProperty('value', name);
}
