import { createTestUser, rootAccount } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../testing/gateway.ts';
import { openWithNavigation } from '../testing/open-console.tsx';
import { chooseAction, expectAddress, fill, findButton, findTextbox, messages } from '../testing/page.ts';

const findQuestion = () => screen.findByRole('dialog', { name: 'Leave without saving?' });
const choose = async (user: UserEvent, name: string) =>
  user.click(within(await findQuestion()).getByRole('button', { name }));
const expectNoDialog = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull();
const logOut = async (user: UserEvent) => {
  await user.click(await findButton(/^Account/));
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
};

/** Opens the form for a new token and types a name. */
async function typeToken(name: string) {
  const person = await createTestUser(await gatewayUrl());
  const console = await openWithNavigation('/token/add', { as: person });
  const field = await findTextbox('Name');
  fill(field, name);
  return { ...console, person, field };
}

/** Ends the session, then tries to save. */
async function saveWithoutSession({ network, user }: Awaited<ReturnType<typeof typeToken>>): Promise<HTMLElement> {
  network.cookies.clear();
  await user.click(await findButton('Create token'));
  return screen.findByRole('dialog', { name: 'Your session has expired' });
}

it('asks for confirmation before leaving a changed form by link, back button, closing the tab or logging out', async () => {
  const { user, network } = await openWithNavigation('/token', { as: await createTestUser(await gatewayUrl()) });
  await user.click((await screen.findAllByRole('link', { name: 'Add token' }))[0] as HTMLElement);
  const field = await findTextbox('Name');
  fill(field, 'half a token');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await choose(user, 'Keep editing');
  await expectNoDialog();
  window.history.back();
  await choose(user, 'Keep editing');
  await expectNoDialog();
  await logOut(user);
  await choose(user, 'Keep editing');
  await expectNoDialog();
  expect(network.sent('GET', '/api/user/logout')).toEqual([]);
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
  expect(field.value).toBe('half a token');
  await expectAddress('/token/add');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await choose(user, 'Discard changes');
  await expectAddress('/token');
});

it('logs out after Leave was chosen', async () => {
  const { user, network } = await typeToken('half a token');
  await logOut(user);
  await choose(user, 'Discard changes');
  await expectAddress('/login');
  expect(network.sent('GET', '/api/user/logout')).toHaveLength(1);
});

it('leaves an unchanged or saved form without confirmation', async () => {
  const { user } = await openWithNavigation('/token/add', { as: await createTestUser(await gatewayUrl()) });
  await findTextbox('Name');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await expectAddress('/token');
  const editor = (await openWithNavigation('/user/edit', { as: await createTestUser(await gatewayUrl()) })).user;
  fill(await findTextbox('Display name'), 'New name');
  await editor.click(await findButton('Save profile'));
  await screen.findByText('User info updated');
  await editor.click(screen.getByRole('link', { name: 'Tokens' }));
  await expectAddress('/token');
});

it('reopens the login in a dialog over the form when the session has ended, and then saves the form', async () => {
  const form = await typeToken('kept through the night');
  const { user, person, field } = form;
  const dialog = within(await saveWithoutSession(form));
  expect(dialog.getByLabelText<HTMLInputElement>('Username').value).toBe(person.username);
  await expectAddress('/token/add');
  fill(dialog.getByLabelText('Password'), 'not the password');
  await user.click(dialog.getByRole('button', { name: 'Log in' }));
  await expect.poll(() => messages('error')).not.toEqual([]);
  fill(dialog.getByLabelText('Password'), person.password);
  await user.click(dialog.getByRole('button', { name: 'Log in' }));
  await expectNoDialog();
  expect(field.value).toBe('kept through the night');
  await user.click(await findButton('Create token'));
  await expectAddress('/token');
  await screen.findByText('kept through the night');
});

it('redirects to the login page when the user does not sign in again', async () => {
  const form = await typeToken('given up');
  const dialog = await saveWithoutSession(form);
  await form.user.click(within(dialog).getByRole('button', { name: 'Leave without saving' }));
  await expectAddress('/login?expired=true');
  expect(localStorage.getItem('user')).toBeNull();
});

it('a dialog with unsaved input closes with Escape only after a confirmation', async () => {
  const { user } = await openWithNavigation('/organization', { as: await createTestUser(await gatewayUrl()) });
  const open = async () => {
    await user.click(await findButton('Create organization'));
    return await screen.findByRole('dialog', { name: 'Create organization' });
  };
  const name = within(await open()).getByRole('textbox', { name: 'Name' });
  fill(name, 'half typed');
  await user.keyboard('{Escape}');
  const question = within(await findQuestion());
  await user.click(question.getByRole('button', { name: 'Keep editing' }));
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Leave without saving?' })).toBeNull();
  expect(name).toHaveProperty('value', 'half typed');
  await user.keyboard('{Escape}');
  await choose(user, 'Discard changes');
  await expectNoDialog();
  await open();
  await user.keyboard('{Escape}');
  await expectNoDialog();
});

it('deletes a user only after a confirmation', async () => {
  const person = await createTestUser(await gatewayUrl());
  const { user } = await openWithNavigation(`/user?keyword=${person.username}`, { as: rootAccount });
  await chooseAction(user, person.username, 'Delete');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  await expectNoDialog();
  await chooseAction(user, person.username, 'Delete');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /Delete/ }));
  await expect.poll(() => screen.queryByRole('button', { name: `More actions for ${person.username}` })).toBeNull();
});
