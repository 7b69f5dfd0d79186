import type { Channel } from '@headgate/contract';
import { listedChannels, rootAccount } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { Network } from './network.ts';
import { openConsole } from './open-console.tsx';
import { findRow } from './page.ts';

/** Opens the list with these channels instead of the stored ones. */
export async function openListWith(...channels: readonly Partial<Channel>[]) {
  const network = new Network();
  const data = listedChannels(channels);
  network.route('GET', '/api/channel/', () => Response.json({ success: true, message: '', data }));
  const opened = await openConsole('/channel', { as: rootAccount, network });
  for (const { name } of data) await findRow(name);
  return opened;
}

/** Opens the list with this channel as its only row. */
export const openListOf = ({ name }: Pick<Channel, 'name'>, width?: number) =>
  openConsole(`/channel?keyword=${name}`, { as: rootAccount, ...(width !== undefined && { width }) });

/** Cell of a row in the column with this title. */
export async function findCell(row: string, title: string): Promise<Element | undefined> {
  const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  return (await findRow(row)).querySelectorAll('td')[headings.indexOf(title)];
}

type Named = Pick<Channel, 'name'>;
export const priorityOf = ({ name }: Named) =>
  screen.findByLabelText<HTMLInputElement>(`Priority of ${name} (higher is preferred)`);
export const weightOf = ({ name }: Named) =>
  screen.findByLabelText<HTMLInputElement>(`Weight of ${name} among channels of equal priority`);
export const detailsSwitch = () => screen.findByRole('switch', { name: 'Details' });
