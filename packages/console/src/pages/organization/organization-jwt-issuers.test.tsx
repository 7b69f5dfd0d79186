import { jwtIssuerApi, organizationApi, organizationTokenApi, serviceAccountApi } from '@headgate/contract';
import { asRoot, createTestUser, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton } from '../../testing/page.ts';

it('an owner adds a JWT issuer, revokes its JWTs and removes it', async () => {
  const url = await gatewayUrl();
  const owner = await createTestUser(url);
  const client = await signedInClient(url, owner);
  const { id } = await client.call(organizationApi.create, { body: { name: uniqueName('acme') } });
  const params = { id };
  await (await asRoot(url)).call(organizationApi.update, { body: { id, sso_allowed: true } });
  const account = await client.call(serviceAccountApi.create, { params, body: { name: 'CI' } });
  const created = await client.call(organizationTokenApi.create, {
    params,
    body: { name: 'search', service_account_id: account.id },
  });
  const { user } = await openConsole(`/organization?id=${id}&tab=sign-in`, { as: owner });
  await user.click(await findButton('Add JWT issuer'));
  const form = within(await screen.findByRole('dialog', { name: 'Add JWT issuer' }));
  const audience = uniqueName('urn:gateway');
  const enter = (name: string | RegExp, value: string) => fill(form.getByRole('textbox', { name }), value);
  enter('Name', 'GitHub');
  enter('Issuer URL', `https://${uniqueName('idp')}.example`);
  enter('Audience', audience);
  enter('Claim', 'repository');
  await form.findByRole('option', { name: 'CI: search' });
  await user.click(await form.findByRole('button', { name: 'Add claim value' }));
  enter('Claim value 1', 'acme/search');
  enter('Blocked subjects', 'mallory\neve');
  await user.click(form.getByRole('button', { name: 'Add JWT issuer' }));
  const issuers = within(await screen.findByRole('region', { name: 'JWT issuers' }));
  await issuers.findByText(`Audience: ${audience}`);
  const [issuer] = await client.call(jwtIssuerApi.list, { params });
  expect(issuer).toMatchObject({
    name: 'GitHub',
    claim: 'repository',
    values: [{ value: 'acme/search', token_id: created.id }],
    token_id: 0,
    blocked_subjects: ['mallory', 'eve'],
    is_enabled: true,
    not_before: 0,
  });
  await user.click(issuers.getByRole('button', { name: 'Revoke JWTs' }));
  const revoking = within(await screen.findByRole('dialog', { name: 'Revoke the JWTs of GitHub?' }));
  await user.click(revoking.getByRole('button', { name: 'Revoke JWTs' }));
  await issuers.findByText(/^JWTs issued before .* are rejected$/);
  await user.click(issuers.getByRole('button', { name: 'Remove' }));
  const removing = within(await screen.findByRole('dialog', { name: 'Remove JWT issuer GitHub?' }));
  await user.click(removing.getByRole('button', { name: 'Remove JWT issuer' }));
  await issuers.findByText('No JWT issuers yet');
});
