import { redemptionApi, role, userApi } from '@headgate/contract';
import { asRoot, createTestUser, findChannel, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { addModel, keyField } from '../testing/channel-form.ts';
import { gatewayUrl } from '../testing/gateway.ts';
import { expectNoRow } from '../testing/list-page.ts';
import { openWithNavigation } from '../testing/open-console.tsx';
import { chooseAction, expectAddress, fill, findButton, findMoney, findTextbox } from '../testing/page.ts';
import { collectSavedFiles } from '../testing/saved-files.ts';

/** Opens Home as a plain admin, then a list and its form for a new row. */
async function openNewRow(entries: readonly string[], add: string): Promise<UserEvent> {
  const admin = await createTestUser(await gatewayUrl(), { role: role.admin });
  const { user } = await openWithNavigation('/', { as: admin });
  for (const name of entries) await user.click(await screen.findByRole('link', { name }));
  const main = within(await screen.findByRole('main'));
  await user.click((await main.findAllByRole('link', { name: add }))[0] as HTMLElement);
  return user;
}

it('[S1.13] an admin creates, edits, disables and deletes channels', async () => {
  const url = await gatewayUrl();
  const [name, newName] = [uniqueName('ch'), uniqueName('renamed')];
  const user = await openNewRow(['Channels'], 'Add channel');
  fill(await findTextbox('Name'), name);
  fill(keyField(), 'sk-1');
  addModel('gpt-4o');
  await user.click(await findButton('Create channel'));
  await expectAddress('/channel');
  await user.click(await screen.findByRole('link', { name }));
  await user.click(await screen.findByRole('link', { name: 'Edit' }));
  const field = await findTextbox('Name');
  await expect.poll(() => field.value).toBe(name);
  fill(field, newName);
  await user.click(await findButton('Save channel'));
  await expectAddress('/channel');
  await chooseAction(user, newName, 'Disable');
  await expect.poll(async () => (await findChannel(url, newName)).status).toBe(2);
  await chooseAction(user, newName, 'Delete');
  await user.click(await findButton('Delete channel'));
  await expectNoRow(newName);
  await expect(findChannel(url, newName)).rejects.toThrow();
});

it('[S1.14] an admin creates, edits, disables and deletes redemption codes', async () => {
  const name = uniqueName('code');
  const root = await asRoot(await gatewayUrl());
  const stored = async () => (await root.call(redemptionApi.search, { query: { keyword: name } }))[0];
  const user = await openNewRow(['Billing'], 'Add codes');
  // The form saves the new codes as a file.
  collectSavedFiles();
  fill(await findTextbox('Name'), name);
  await user.click(await findButton('Create codes'));
  await user.click(await findButton('Done'));
  await expect.poll(stored).toMatchObject({ name, quota: 100_000 });
  const row = `${name} #${(await stored())?.id}`;
  await chooseAction(user, row, 'Edit');
  const quota = await findMoney('Quota');
  await expect.poll(() => quota.value).toBe('0.20');
  fill(quota, '5');
  await user.click(await findButton('Save code'));
  await expectAddress('/redemption');
  await chooseAction(user, row, 'Disable');
  await expect.poll(stored).toMatchObject({ quota: 2_500_000, status: 2 });
  await chooseAction(user, row, 'Delete');
  await user.click(await findButton('Delete code'));
  await expect.poll(stored).toBeUndefined();
});

it('[S1.15] an admin creates, edits, disables and deletes users', async () => {
  const username = uniqueName();
  const root = await asRoot(await gatewayUrl());
  const stored = async () => (await root.call(userApi.search, { query: { keyword: username, order: '' } }))[0];
  const user = await openNewRow(['Users'], 'Add user');
  fill(await findTextbox(/^Username/), username);
  fill(screen.getByLabelText(/^Password/), 'password-9');
  await user.click(await findButton('Create user'));
  await expectAddress('/user');
  await user.click(await screen.findByRole('link', { name: `Edit: ${username}` }));
  const field = await findTextbox('Display name');
  await expect.poll(() => field.value).toBe(username);
  fill(field, 'Renamed');
  await user.click(await findButton('Save user'));
  await expectAddress('/user');
  await chooseAction(user, username, 'Disable');
  await expect.poll(stored).toMatchObject({ display_name: 'Renamed', status: 2 });
  await chooseAction(user, username, 'Delete');
  await user.click(await findButton('Delete user'));
  await expect.poll(stored).toBeUndefined();
});
