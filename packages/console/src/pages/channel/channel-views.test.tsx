import { createChannel, removeAllChannels, rootAccount, setOption, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectNoRow } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { address, fill, findButton, findRow } from '../../testing/page.ts';

beforeEach(async () => removeAllChannels(await gatewayUrl()));

it('saves a view under a name, opens it again, and deletes it', async () => {
  const url = await gatewayUrl();
  const tag = uniqueName('tag');
  await createChannel(url, { name: 'europe-1', tag });
  await createChannel(url, { name: 'other' });
  const { user } = await openConsole(`/channel?tag=${tag}&sort=-priority`, { as: rootAccount });
  await user.click(await findButton('Views'));
  await user.click(await screen.findByRole('menuitem', { name: 'Save view' }));
  const dialog = within(await screen.findByRole('dialog'));
  fill(dialog.getByLabelText('Name'), 'Europe');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await findButton('Views · Europe');
  // Views belong to the account, so another browser shows them.
  const { user: elsewhere } = await openConsole('/channel', { as: rootAccount });
  await findRow('other');
  await elsewhere.click(await findButton('Views'));
  await elsewhere.click(await screen.findByRole('menuitem', { name: 'Europe' }));
  await expectNoRow('other');
  await findRow('europe-1');
  expect(address()).toContain(`tag=${tag}`);
  await elsewhere.click(await findButton('Views · Europe'));
  await elsewhere.click(await findButton('Delete view Europe'));
  await expect.poll(() => screen.queryByRole('menuitem', { name: 'Europe' })).toBeNull();
});

it('moves views from browser storage to the account', async () => {
  const { network } = await openConsole('/about', { as: rootAccount });
  const { id } = JSON.parse(localStorage.getItem('user') ?? '{}') as { id: number };
  const key = `views:channel:${id}`;
  localStorage.setItem(key, JSON.stringify([{ name: 'Old view', search: { tag: 'eu' } }]));
  const { user } = await openConsole('/channel', { network });
  await user.click(await findButton('Views'));
  await screen.findByRole('menuitem', { name: 'Old view' });
  await expect.poll(() => localStorage.getItem(key)).toBeNull();
  const { user: elsewhere } = await openConsole('/channel', { as: rootAccount });
  await elsewhere.click(await findButton('Views'));
  await elsewhere.click(await findButton('Delete view Old view'));
  await expect.poll(() => screen.queryByRole('menuitem', { name: 'Old view' })).toBeNull();
});

async function openByTag(user: UserEvent): Promise<void> {
  await user.click(await findButton('More actions for all channels'));
  await user.click(await screen.findByRole('menuitem', { name: 'By tag' }));
}

it('groups channels by tag, and changes all channels of a tag', async () => {
  const url = await gatewayUrl();
  for (const [name, tag] of [
    ['one', 'eu'],
    ['two', 'eu'],
    ['three', 'us'],
  ] as const)
    await createChannel(url, { name, tag });
  const { user } = await openConsole('/channel', { as: rootAccount });
  await openByTag(user);
  const europe = await screen.findByRole('region', { name: 'eu' });
  await expect.poll(() => europe.textContent).toContain('2 of 2 enabled');
  await user.click(within(europe).getAllByRole('button', { name: /eu/ })[0] as HTMLElement);
  await within(europe).findByRole('link', { name: 'two' });
  await user.click(within(europe).getByRole('button', { name: 'More actions for eu' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Disable' }));
  await user.click(await findButton('Change 2 channels'));
  await user.click(await findButton('Done'));
  await expect.poll(() => screen.getByRole('region', { name: 'eu' }).textContent).toContain('0 of 2 enabled');
  expect(screen.getByRole('region', { name: 'us' }).textContent).toContain('1 of 1 enabled');
});

it('edits the rules of a tag', async () => {
  const url = await gatewayUrl();
  const tag = uniqueName('tag');
  await createChannel(url, { name: 'ruled', tag });
  try {
    const { user, network } = await openConsole('/channel', { as: rootAccount });
    await openByTag(user);
    await user.click(await findButton(`More actions for ${tag}`));
    await user.click(await screen.findByRole('menuitem', { name: 'Rules' }));
    const dialog = within(await screen.findByRole('dialog', { name: `Rules of ${tag}` }));
    await user.click(await dialog.findByRole('button', { name: 'Add rule' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await dialog.findByText('Enter a path such as a.b.0');
    expect(network.sent('PUT', '/api/option/')).toHaveLength(0);
    fill(dialog.getByLabelText('Path'), 'top_k');
    fill(dialog.getByLabelText('Value (JSON or text)'), '5');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await expect.poll(() => network.sent('PUT', '/api/option/')).toHaveLength(1);
    const [sent] = network.sent('PUT', '/api/option/');
    expect(JSON.stringify(sent)).toContain('top_k');
  } finally {
    await setOption(url, 'TagRules', '');
  }
});
