import { createChannel, rootAccount } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { findButton } from '../../testing/page.ts';

const usual = ['ID', 'Name', 'Group', 'Type', 'Status', '24 hours', 'Response time', 'Priority', 'Actions'];
const headings = () => screen.queryAllByRole('columnheader').map(({ textContent }) => textContent);
const expectHeadings = (titles: readonly string[]) => expect.poll(headings).toEqual(titles);

async function openPanel(user: UserEvent) {
  await user.click(await findButton('Columns and density'));
  const panel = within(await screen.findByRole('dialog'));
  await panel.findByRole('checkbox', { name: 'Name' });
  const column = (name: string) => panel.getByRole<HTMLInputElement>('checkbox', { name });
  return { panel, column };
}

it('keeps the column choice of one list until it is reset', async () => {
  const { name } = await createChannel(await gatewayUrl(), { tag: 'batch' });
  const { user, network } = await openConsole(`/channel?keyword=${name}`, { as: rootAccount });
  await expectHeadings(usual);
  const { column } = await openPanel(user);
  await user.click(column('Group'));
  await expectHeadings(usual.filter((title) => title !== 'Group'));
  await user.click(column('Used quota'));
  const chosen = [...usual.slice(0, -1).filter((title) => title !== 'Group'), 'Used quota', 'Actions'];
  await expectHeadings(chosen);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await openConsole('/user', { network });
  await expect.poll(headings).toContain('Group');
  const again = (await openConsole(`/channel?keyword=${name}`, { network })).user;
  await expectHeadings(chosen);
  const { panel } = await openPanel(again);
  await again.click(panel.getByRole('button', { name: 'Default columns' }));
  await expectHeadings(usual);
});

it('does not hide the last column, and keeps the checkboxes in the first visible one', async () => {
  const { name } = await createChannel(await gatewayUrl(), { tag: 'batch' });
  const { user } = await openConsole(`/channel?keyword=${name}`, { as: rootAccount });
  await expectHeadings(usual);
  const { column } = await openPanel(user);
  for (const title of usual.slice(0, -1).filter((each) => each !== 'Name')) await user.click(column(title));
  await expectHeadings(['Name', 'Actions']);
  expect(column('Name').disabled).toBe(true);
  screen.getByRole('checkbox', { name: `Select ${name}` });
});
