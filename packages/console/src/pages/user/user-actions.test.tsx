import { role, secondFactorApi, userApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { totpCode } from '../../testing/authenticator.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectNoRow, menuEntries } from '../../testing/list-page.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { chooseAction, expectAddress, expectInRow, expectMessage, findButton } from '../../testing/page.ts';

/** Opens the list with a new user in it. */
async function openWithUser() {
  const person = await createTestUser(await gatewayUrl());
  const opened = await openConsole(`/user?keyword=${person.username}`, { as: rootAccount });
  return { person, name: person.username, ...opened };
}

it('[S2.77 S7.23 S7.24 S8.12] disables and enables a user', async () => {
  const { person, name, user, network } = await openWithUser();
  const client = await signedInClient(await gatewayUrl(), person);
  await chooseAction(user, name, 'Disable');
  await screen.findByText('Operation completed successfully');
  await expectInRow(name, 'Banned');
  await expect(client.call(userApi.self)).rejects.toThrow();
  await chooseAction(user, name, 'Enable');
  await expectInRow(name, 'Activated');
  await expect
    .poll(() => network.sent('POST', '/api/user/manage').map(({ body }) => body))
    .toEqual([
      { username: name, action: 'disable' },
      { username: name, action: 'enable' },
    ]);
});

it('[S2.74 S2.75 S4.6 S4.8] promotes and demotes a user, and updates the row from the response', async () => {
  const { name, user, network } = await openWithUser();
  await chooseAction(user, name, 'Promote');
  await expectInRow(name, 'Admin');
  await chooseAction(user, name, 'Promote');
  await screen.findByText('This user is already an admin');
  await chooseAction(user, name, 'Demote');
  await expectInRow(name, 'Common user');
  network.route('POST', '/api/user/manage', () =>
    Response.json({ success: true, message: '', data: { status: 2, role: 10 } }),
  );
  await chooseAction(user, name, 'Promote');
  await expectInRow(name, 'Admin');
  await expectInRow(name, 'Banned');
});

it('[S2.76 S4.5 S3.3] deletes a user after a confirmation, and removes the row', async () => {
  const { person, name, user, network } = await openWithUser();
  await chooseAction(user, name, 'Delete');
  const question = within(await screen.findByRole('dialog'));
  await question.findByText(`Delete user ${name}?`);
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(network.sent('POST', '/api/user/manage')).toEqual([]);
  await chooseAction(user, name, 'Delete');
  // The row disappears before the list has reloaded.
  const release = network.hold('GET', '/api/user/search');
  await user.click(await findButton('Delete user'));
  await expectNoRow(name);
  release();
  expect(network.sent('POST', '/api/user/manage')[0]?.body).toEqual({ username: name, action: 'delete' });
  const root = await asRoot(await gatewayUrl());
  await expect(root.call(userApi.get, { params: { id: person.id } })).rejects.toThrow();
});

it("resets a user's second factor after a confirmation, ends the user's sessions and logs the reset", async () => {
  const url = await gatewayUrl();
  const { person, name, user, network } = await openWithUser();
  const client = await signedInClient(url, person);
  const { secret } = await client.call(secondFactorApi.begin);
  await client.call(secondFactorApi.confirm, { body: { code: totpCode(secret) } });
  const respond = async (button: string) => {
    await chooseAction(user, name, 'Reset second factor');
    const question = within(await screen.findByRole('dialog'));
    await question.findByText(`Reset second factor of ${name}?`);
    await user.click(question.getByRole('button', { name: button }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  };
  await respond('Cancel');
  expect((await client.call(userApi.self)).id).toBe(person.id);
  await respond('Reset second factor');
  await expectMessage('Operation completed successfully');
  await expect(client.call(userApi.self)).rejects.toThrow();
  const again = await signedInClient(url, person);
  expect(await again.call(secondFactorApi.status)).toMatchObject({ isOn: false, backupCodes: 0 });
  await respond('Reset second factor');
  await expectMessage('This user has neither two-step login nor passkeys');
  await openConsole('/log?type=3', { network });
  await screen.findByText(new RegExp(`root reset the second factor of ${name}`));
});

it('restores the status when the server rejects the change, and shows the reason', async () => {
  const { name, user, network } = await openWithUser();
  network.fail('POST', '/api/user/manage', 200, 'Not this one');
  await chooseAction(user, name, 'Disable');
  await screen.findByText(/Not this one/);
  await expectInRow(name, 'Activated');
});

it("[S1.20 S2.83 S6.11 S6.12] offers only editing for a super admin, and links the admin's own row to the profile", async () => {
  const { user } = await openConsole('/user?keyword=root', { as: rootAccount });
  const entries = await menuEntries(user, 'root');
  for (const name of ['Promote', 'Demote', 'Disable', 'Reset second factor', 'Delete'])
    expect(entries).toContainEqual({ name, isDisabled: true });
  await user.click(await screen.findByRole('link', { name: 'Edit: root' }));
  await expectAddress('/user/edit');
  await expect.poll(() => screen.queryByRole('textbox', { name: 'Username' })).toHaveProperty('value', 'root');
  for (const label of [/^Group/, /^Remaining quota/]) expect(screen.queryByLabelText(label)).toBeNull();
});

it('[S2.38 S6.4] admins can open the user list but not other admins, and common users cannot open it', async () => {
  const url = await gatewayUrl();
  const admin = await createTestUser(url, { role: role.admin });
  const { user, network } = await openConsole(`/user?keyword=${admin.username}`, { as: admin });
  await user.click(await screen.findByRole('link', { name: `Edit: ${admin.username}` }));
  await expectAddress('/user/edit');
  await openConsole('/user/edit/1', { network });
  await screen.findByText('Could not be loaded');
  const common = await openConsole('/user', { as: await createTestUser(url) });
  for (const path of ['/user', '/user/add', '/user/edit/1']) {
    await openWithNavigation(path, { network: common.network });
    await screen.findByRole('heading', { level: 1, name: 'Not allowed' });
  }
  expect(screen.queryByRole('link', { name: 'Users' })).toBeNull();
});
