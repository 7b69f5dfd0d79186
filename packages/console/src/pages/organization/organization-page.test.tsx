import {
  organizationApi,
  organizationBudgetApi,
  organizationInvitationApi,
  organizationMemberApi,
  organizationTokenApi,
  projectApi,
  serviceAccountApi,
  userApi,
} from '@headgate/contract';
import { type Account, asRoot, createTestUser, rootAccount, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { searchList } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import {
  chooseAction,
  expectAddress,
  expectAlert,
  expectMessage,
  expectRows,
  fill,
  findButton,
  findMoney,
  findRow,
  findTextbox,
} from '../../testing/page.ts';

/** An organization with an owner and members of these roles. */
async function organizationWith<Role extends 'admin' | 'billing' | 'member' | 'viewer'>(...roles: readonly Role[]) {
  const url = await gatewayUrl();
  const owner = await createTestUser(url);
  const client = await signedInClient(url, owner);
  const name = uniqueName('acme');
  const { id } = await client.call(organizationApi.create, { body: { name } });
  const people: Partial<Record<Role, Account>> = {};
  for (const role of roles) {
    const { token } = await client.call(organizationMemberApi.invite, { params: { id }, body: { role } });
    const account = await createTestUser(url);
    await (await signedInClient(url, account)).call(organizationInvitationApi.accept, { body: { token } });
    people[role] = account;
  }
  return { id, name, owner, client, people: people as Record<Role, Account>, params: { id } };
}

const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);

it('a user without an organization creates one', async () => {
  const account = await createTestUser(await gatewayUrl());
  const { user } = await openConsole('/organization', { as: account });
  await screen.findByText('You do not belong to an organization.');
  await user.click(await findButton('Create organization'));
  const name = uniqueName('acme');
  const dialog = within(await screen.findByRole('dialog', { name: 'Create organization' }));
  fill(dialog.getByRole('textbox', { name: 'Name' }), name);
  await user.click(dialog.getByRole('button', { name: 'Create organization' }));
  await screen.findByRole('heading', { level: 1, name });
  expect(tabs()).toEqual(['Overview', 'Members', 'Projects', 'Tokens', 'Usage', 'Logs', 'Statements', 'Login']);
  await findButton(`Switch organization: ${name}`);
});

it('shows each role only the data and actions it has permission for', async () => {
  const { id, people } = await organizationWith('billing', 'member');
  await openConsole(`/organization?id=${id}`, { as: people.member });
  await screen.findByText('Your spend this month');
  expect(tabs()).toEqual(['Overview', 'Projects', 'Tokens', 'Usage', 'Logs', 'Statements']);
  for (const text of ['Balance', 'Rename', 'Redeem', 'Budgets near their limit'])
    expect(screen.queryByText(text), text).toBeNull();
  await openConsole(`/organization?id=${id}`, { as: people.billing });
  await screen.findByText('Balance');
  await findButton('Redeem');
  expect(tabs()).toEqual(['Overview', 'Members', 'Projects', 'Usage', 'Logs', 'Statements']);
  await openConsole(`/organization?id=${id}&tab=members`, { as: people.billing });
  await findRow(people.member.username);
  expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Set cap' })).toBeNull();
});

it("transfers quota from a member's balance after a confirmation", async () => {
  const { id, owner, client } = await organizationWith();
  const { id: user_id } = await client.call(userApi.self);
  await (await asRoot(await gatewayUrl())).call(userApi.topUp, { body: { user_id, quota: 1_000_000 } });
  const { user } = await openConsole(`/organization?id=${id}`, { as: owner });
  fill(await findMoney('Transfer from your balance'), '1.5');
  await user.click(await findButton('Transfer'));
  const question = within(await screen.findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Transfer' }));
  await expectMessage('$1.50 added', 'success');
  await screen.findByText('$1.50');
  expect(await client.call(userApi.self)).toMatchObject({ quota: 250_000 });
});

it("an owner invites by link, sets a member's spending cap, changes the role and removes the member", async () => {
  const { id, owner, client, people, params } = await organizationWith('member');
  const name = people.member.username;
  const { user } = await openConsole(`/organization?id=${id}&tab=members`, { as: owner });
  await user.click(await findButton('Invite'));
  await user.click(await findButton('Create link'));
  const link = within(await screen.findByRole('dialog', { name: 'Invitation link' }));
  link.getByText(/\/organization\/invitation#\w+/);
  await user.click(link.getByRole('button', { name: /close/i }));
  await screen.findByText('Link for one person');
  await user.click(await findButton('Withdraw'));
  await user.click(await findButton('Withdraw invitation'));
  await expectMessage('Invitation withdrawn');

  await chooseAction(user, name, 'Change role');
  const roles = within(await screen.findByRole('dialog', { name: `Role of ${name}` }));
  await user.click(roles.getByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: 'Viewer' }));
  await user.click(roles.getByRole('button', { name: 'Change role' }));
  await expectMessage('Role changed');

  const row = within(await findRow(name));
  await user.click(row.getByRole('button', { name: /^Set cap/ }));
  fill(await findMoney('Amount'), '20');
  await user.click(await findButton('Save cap'));
  await expect.poll(async () => (await findRow(name)).textContent).toContain('$0.00 of $20.00');
  expect(await client.call(organizationBudgetApi.list, { params })).toMatchObject([{ kind: 'member', owner: name }]);

  await chooseAction(user, name, 'Remove');
  await user.click(await findButton('Remove member'));
  await expectMessage(`${name} was removed`);
  await expectRows([expect.stringContaining(owner.username)]);
});

it('an admin creates a project with a budget, a service account and its token', async () => {
  const { id, client, people, params } = await organizationWith('admin');
  const { user } = await openConsole(`/organization?id=${id}&tab=projects`, { as: people.admin });
  await user.click(await findButton('Create project'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create project' }));
  fill(dialog.getByRole('textbox', { name: 'Name' }), 'search');
  await user.click(dialog.getByRole('button', { name: 'Create project' }));
  await findRow('search');
  await chooseAction(user, 'search', 'Set budget');
  fill(await findMoney('Amount'), '5');
  await user.click(await findButton('Save budget'));
  await expect.poll(async () => (await findRow('search')).textContent).toContain('$0.00 of $5.00');
  await user.click(await findButton('Add service account'));
  const account = within(await screen.findByRole('dialog', { name: 'Add service account' }));
  fill(account.getByRole('textbox', { name: 'Name' }), 'ci');
  await user.click(account.getByRole('button', { name: 'Add service account' }));
  await screen.findByText('API tokens: 0');

  await user.click(screen.getByRole('tab', { name: 'Tokens' }));
  await user.click(await screen.findByRole('link', { name: 'Add token' }));
  fill(await findTextbox('Name'), 'deploy');
  await user.click(await screen.findByRole('combobox', { name: 'Owner' }));
  await user.click(await screen.findByRole('option', { name: 'ci' }));
  await user.click(screen.getByRole('combobox', { name: 'Project' }));
  await user.click(await screen.findByRole('option', { name: 'search' }));
  await user.click(await findButton('Create token'));
  await screen.findByText('Token created. Connect a client:');
  expect((await findRow('deploy')).textContent).toMatch(/ci.*search/);
  const [token] = await client.call(organizationTokenApi.list, { params, query: {} });
  expect(token).toMatchObject({ name: 'deploy', project: 'search', service_account: 'ci' });

  await chooseAction(user, 'deploy', 'Edit');
  fill(await findTextbox('Name'), 'deploy-2');
  await user.click(await findButton('Save token'));
  await findRow('deploy-2');
  expect(await client.call(projectApi.list, { params })).toMatchObject([{ name: 'search', tokens: 1 }]);
  expect(await client.call(serviceAccountApi.list, { params })).toMatchObject([{ name: 'ci', tokens: 1 }]);
});

it("renames an organization, and asks before overwriting another user's change", async () => {
  const { id, owner, client } = await organizationWith();
  const { user } = await openConsole(`/organization?id=${id}`, { as: owner });
  await user.click(await findButton('Rename'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename organization' }));
  await client.call(organizationApi.update, { body: { id, name: uniqueName('other') } });
  const name = uniqueName('mine');
  fill(dialog.getByRole('textbox', { name: 'Name' }), name);
  await user.click(dialog.getByRole('button', { name: 'Rename' }));
  await user.click(await findButton('Overwrite'));
  await screen.findByRole('heading', { level: 1, name });
});

it('shows usage, logs and statements of the organization', async () => {
  const { id, name, owner, people } = await organizationWith('member');
  const { user } = await openConsole(`/organization?id=${id}&tab=usage`, { as: owner });
  await screen.findByText(/No data|No usage/);
  await user.click(screen.getByRole('tab', { name: 'Statements' }));
  await screen.findByRole('heading', { level: 1, name: /^Statement \d{4}-\d{2}$/ });
  screen.getByText(`Organization ${name}`);
  await user.click(screen.getByRole('tab', { name: 'Logs' }));
  await screen.findByText(new RegExp(`created the organization ${name}`));
  await openConsole(`/organization?id=${id}&tab=statements`, { as: people.member });
  await screen.findByText(`Organization ${name} · Member ${people.member.username}`);
});

it('shows "not found" to the owner of another organization', async () => {
  const [{ id }, { owner }] = [await organizationWith(), await organizationWith()];
  await openConsole(`/organization?id=${id}`, { as: owner });
  await expectAlert(/The organization could not be loaded/);
});

it('lists every organization for gateway admins', async () => {
  const { name, owner } = await organizationWith();
  const { user } = await openConsole('/organization/all', { as: rootAccount });
  await searchList(user, name);
  await user.click(within(await findRow(name)).getByRole('link', { name }));
  await screen.findByRole('heading', { level: 1, name });
  await user.click(await findButton(`Switch organization: ${name}`));
  await user.click(await screen.findByRole('menuitem', { name: 'All organizations' }));
  await expectAddress('/organization/all');
  await openConsole('/organization/all', { as: owner });
  await expect.poll(() => screen.queryByRole('searchbox')).toBeNull();
});
