import { organizationApi, organizationDirectoryApi, organizationSsoApi } from '@headgate/contract';
import { ageSessions, asRoot, createTestUser, rootAccount, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton } from '../../testing/page.ts';

/** An organization that a gateway admin may have allowed to use SSO and SCIM. */
async function organization({ sso_allowed = true } = {}) {
  const url = await gatewayUrl();
  const owner = await createTestUser(url);
  const client = await signedInClient(url, owner);
  const { id } = await client.call(organizationApi.create, { body: { name: uniqueName('acme') } });
  if (sso_allowed) await (await asRoot(url)).call(organizationApi.update, { body: { id, sso_allowed } });
  return { id, owner, client, params: { id } };
}

const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
const section = async (name: string) => within(await screen.findByRole('region', { name }));

it('an owner sets up a provider with a role mapping, after a proof of identity', async () => {
  const { id, owner, client, params } = await organization();
  const { user } = await openConsole(`/organization?id=${id}&tab=sign-in`, { as: owner });
  await screen.findByText('No login providers yet');
  expect(screen.getByRole('switch', { name: /^SSO required/ }).hasAttribute('disabled')).toBe(true);
  await user.click(await findButton('Add provider'));
  const form = await dialog('Add provider');
  const enter = (name: string | RegExp, value: string) => fill(form.getByRole('textbox', { name }), value);
  enter('Name', 'Okta');
  enter('Issuer URL', 'https://acme.okta.example');
  enter('Client ID', 'headgate');
  fill(form.getByLabelText('Client secret'), 'secret');
  enter('Roles claim', 'groups');
  await user.click(await form.findByRole('button', { name: 'Add claim value' }));
  enter('Claim value 1', 'engineering');
  await user.selectOptions(form.getByRole('combobox', { name: 'Role for claim value 1' }), 'Organization admin');
  await ageSessions(await workerGateway());
  await user.click(form.getByRole('button', { name: 'Add provider' }));
  const proof = await dialog('Confirm your identity');
  fill(proof.getByLabelText('Password'), owner.password);
  await user.click(proof.getByRole('button', { name: 'Continue' }));
  await (await section('Login providers')).findByText('https://acme.okta.example');
  const [provider] = await client.call(organizationSsoApi.providers, { params });
  expect(provider).toMatchObject({
    name: 'Okta',
    client_id: 'headgate',
    has_secret: true,
    roles_claim: 'groups',
    roles: [{ value: 'engineering', role: 'admin' }],
    joining: 'off',
    is_enabled: true,
  });
  await user.click(screen.getByRole('switch', { name: /^SSO required/ }));
  await expect.poll(() => client.call(organizationSsoApi.settings, { params })).toEqual({ is_required: true });
});

it('shows the DNS record of a domain until it is verified', async () => {
  const { id, owner, client, params } = await organization();
  const { user } = await openConsole(`/organization?id=${id}&tab=sign-in`, { as: owner });
  await user.click(await findButton('Add domain'));
  const form = await dialog('Add domain');
  const domain = `${uniqueName('acme')}.example`;
  fill(form.getByRole('textbox', { name: 'Domain' }), domain);
  await user.click(form.getByRole('button', { name: 'Add domain' }));
  const domains = await section('Email domains');
  await domains.findByText(domain);
  const [row] = await client.call(organizationSsoApi.domains, { params });
  domains.getByText(row?.record_name ?? '');
  domains.getByText(row?.record_value ?? '');
  expect(domains.queryByRole('button', { name: 'Mark as verified' })).toBeNull();
  // A new session, because the confirmation needs a recent sign-in.
  const root = await signedInClient(await gatewayUrl(), rootAccount);
  await root.call(organizationSsoApi.confirmDomain, { params: { id, sso_domain: row?.id ?? 0 } });
  await openConsole(`/organization?id=${id}&tab=sign-in`, { as: owner });
  const later = await section('Email domains');
  await later.findByText('Verified');
  expect(later.queryByText(row?.record_value ?? '')).toBeNull();
});

it('shows a SCIM token once, and rotates and revokes it', async () => {
  const { id, owner, client, params } = await organization();
  const { user } = await openConsole(`/organization?id=${id}&tab=sign-in`, { as: owner });
  const create = async (name: string) => {
    await user.click(await findButton(name));
    const form = await dialog(name);
    await user.click(form.getByRole('button', { name }));
    const created = await dialog('New SCIM token');
    const token = created.getByText(/^hgscim_/).textContent;
    await user.click(created.getByRole('button', { name: 'Done' }));
    return token;
  };
  const first = await create('Create SCIM token');
  expect(await create('Rotate SCIM token')).not.toBe(first);
  const tokens = await client.call(organizationDirectoryApi.tokens, { params });
  expect(tokens.map(({ expired_time }) => expired_time === -1)).toEqual([true, false]);
  const directory = await section('Directory (SCIM)');
  await expect.poll(() => directory.queryAllByRole('listitem').length).toBe(2);
  await user.click(directory.getAllByRole('button', { name: 'Revoke' })[1] as HTMLElement);
  await user.click((await dialog(/^Revoke SCIM token/)).getByRole('button', { name: 'Revoke token' }));
  await expect.poll(async () => (await client.call(organizationDirectoryApi.tokens, { params })).length).toBe(1);
});

it('a gateway admin allows SSO and SCIM for an organization', async () => {
  const { id, owner, client, params } = await organization({ sso_allowed: false });
  await openConsole(`/organization?id=${id}&tab=sign-in`, { as: owner });
  await screen.findByText(/^SSO and SCIM are off for this organization/);
  for (const name of ['Add provider', 'Add domain', 'Create SCIM token'])
    expect((await findButton(name)).hasAttribute('disabled'), name).toBe(true);
  const { user } = await openConsole(`/organization?id=${id}&tab=sign-in`, { as: rootAccount });
  await user.click(await screen.findByRole('switch', { name: /^Allow SSO and SCIM/ }));
  await expect.poll(async () => (await client.call(organizationApi.get, { params })).sso_allowed).toBe(true);
});
