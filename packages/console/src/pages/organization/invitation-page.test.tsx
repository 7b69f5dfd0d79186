import { organizationApi, organizationMemberApi } from '@headgate/contract';
import { asRoot, createTestUser, uniqueName } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';

async function invite() {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const name = uniqueName('acme');
  const { id } = await root.call(organizationApi.create, { body: { name } });
  const { token } = await root.call(organizationMemberApi.invite, { params: { id }, body: { role: 'billing' } });
  const rolesOf = async () => (await root.call(organizationMemberApi.list, { params: { id } })).map(({ role }) => role);
  return { name, token, rolesOf, as: await createTestUser(url) };
}

it('accepts an invitation from its link, even after using the skip link', async () => {
  const { name, token, rolesOf, as } = await invite();
  const { user } = await openConsole(`/organization/invitation#${token}`, { as });
  await screen.findByText(`Invitation from root to join ${name}. Role: Billing`);
  await user.click(screen.getByRole('link', { name: 'Skip to content' }));
  await user.click(screen.getByRole('button', { name: 'Accept' }));
  await screen.findByText(`You are now a member of ${name}.`);
  expect(await rolesOf()).toContain('billing');
});

it('declines an invitation, and the link then shows that it is no longer valid', async () => {
  const { token, rolesOf, as } = await invite();
  const { user } = await openConsole(`/organization/invitation#${token}`, { as });
  await user.click(await screen.findByRole('button', { name: 'Decline' }));
  await screen.findByText('You declined the invitation.');
  expect(await rolesOf()).toEqual(['owner']);
});

it('an incomplete link shows instructions', async () => {
  const { as } = await invite();
  await openConsole('/organization/invitation', { as });
  await screen.findByText('This link is incomplete. Open it from the email again or request a new one.');
});
