import {
  type Endpoint,
  errorCodeHeader,
  jwtIssuerApi,
  type OrganizationRole,
  organizationApi,
  organizationBudgetApi,
  organizationDirectoryApi,
  organizationMemberApi,
  organizationRoles,
  organizationSsoApi,
  organizationTokenApi,
  organizationUsageApi,
  projectApi,
  serviceAccountApi,
} from '@headgate/contract';
import type { ApiClient, SendOptions } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { organizationFixture } from '../../testing/accounts/organization-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { people, createOrganization, join, signedInUser } = await organizationFixture(app);
const gatewayAdmin = await app.as('admin');

/** A user without organizations, and the owner of another organization. */
const outsider = (await signedInUser()).client;
const otherOwner = (await signedInUser()).client;
await otherOwner.call(organizationApi.create, { body: { name: 'Other' } });

const absent = 999_999;

interface Call {
  readonly endpoint: Endpoint;
  /** Roles that may make the call. Maintained by hand. */
  readonly roles: readonly OrganizationRole[];
  readonly input: (id: number) => SendOptions;
}

const everyone = organizationRoles;
const readers = ['owner', 'admin', 'billing', 'viewer'] as const;
const managers = ['owner', 'admin'] as const;
const owners = ['owner'] as const;
const params = (id: number) => ({ params: { id } });

/** Every call on an organization. The ids in it are unknown, so that permitted calls change nothing. */
const calls: readonly Call[] = [
  { endpoint: organizationApi.get, roles: everyone, input: params },
  { endpoint: organizationApi.update, roles: managers, input: (id) => ({ body: { id } }) },
  {
    endpoint: organizationApi.redeem,
    roles: ['owner', 'billing'],
    input: (id) => ({ ...params(id), body: { key: 'x' } }),
  },
  {
    endpoint: organizationApi.transfer,
    roles: everyone,
    input: (id) => ({ ...params(id), body: { quota: 1_000_000_000_000_000 } }),
  },
  { endpoint: organizationMemberApi.list, roles: readers, input: params },
  { endpoint: organizationMemberApi.get, roles: readers, input: (id) => ({ params: { id, user_id: absent } }) },
  {
    endpoint: organizationMemberApi.update,
    roles: managers,
    input: (id) => ({ ...params(id), body: { user_id: absent, role: 'viewer' } }),
  },
  { endpoint: organizationMemberApi.remove, roles: managers, input: (id) => ({ params: { id, user_id: absent } }) },
  {
    endpoint: organizationMemberApi.offerOwnership,
    roles: ['owner'],
    input: (id) => ({ ...params(id), body: { user_id: absent } }),
  },
  { endpoint: organizationMemberApi.invitations, roles: managers, input: params },
  { endpoint: organizationMemberApi.invite, roles: managers, input: (id) => ({ ...params(id), body: {} }) },
  { endpoint: organizationMemberApi.resend, roles: managers, input: (id) => ({ params: { id, invitation: absent } }) },
  {
    endpoint: organizationMemberApi.withdraw,
    roles: managers,
    input: (id) => ({ params: { id, invitation: absent } }),
  },
  ...(['tokens', 'users', 'groups'] as const).map((name) => ({
    endpoint: organizationDirectoryApi[name],
    roles: owners,
    input: params,
  })),
  { endpoint: organizationDirectoryApi.createToken, roles: owners, input: (id) => ({ ...params(id), body: {} }) },
  {
    endpoint: organizationDirectoryApi.revokeToken,
    roles: owners,
    input: (id) => ({ params: { id, scim_token: absent } }),
  },
  {
    endpoint: organizationDirectoryApi.updateGroup,
    roles: owners,
    input: (id) => ({ ...params(id), body: { id: absent, role: '' } }),
  },
  ...(['settings', 'providers', 'domains'] as const).map((name) => ({
    endpoint: organizationSsoApi[name],
    roles: owners,
    input: params,
  })),
  {
    endpoint: organizationSsoApi.updateSettings,
    roles: owners,
    input: (id) => ({ ...params(id), body: { is_required: false } }),
  },
  {
    endpoint: organizationSsoApi.createProvider,
    roles: owners,
    input: (id) => ({ ...params(id), body: { name: 'x', issuer: 'https://idp.example', client_id: 'x' } }),
  },
  {
    endpoint: organizationSsoApi.updateProvider,
    roles: owners,
    input: (id) => ({ ...params(id), body: { id: absent } }),
  },
  {
    endpoint: organizationSsoApi.removeProvider,
    roles: owners,
    input: (id) => ({ params: { id, sso_provider: absent } }),
  },
  { endpoint: jwtIssuerApi.list, roles: owners, input: params },
  {
    endpoint: jwtIssuerApi.create,
    roles: owners,
    input: (id) => ({ ...params(id), body: { name: 'x', issuer: 'https://idp.example', audience: 'x' } }),
  },
  { endpoint: jwtIssuerApi.update, roles: owners, input: (id) => ({ ...params(id), body: { id: absent } }) },
  { endpoint: jwtIssuerApi.remove, roles: owners, input: (id) => ({ params: { id, jwt_issuer: absent } }) },
  {
    endpoint: organizationSsoApi.addDomain,
    roles: owners,
    input: (id) => ({ ...params(id), body: { domain: 'corp.example' } }),
  },
  {
    endpoint: organizationSsoApi.verifyDomain,
    roles: owners,
    input: (id) => ({ params: { id, sso_domain: absent } }),
  },
  {
    endpoint: organizationSsoApi.removeDomain,
    roles: owners,
    input: (id) => ({ params: { id, sso_domain: absent } }),
  },
  { endpoint: organizationTokenApi.list, roles: everyone, input: params },
  { endpoint: organizationTokenApi.get, roles: everyone, input: (id) => ({ params: { id, token: absent } }) },
  {
    endpoint: organizationTokenApi.create,
    roles: ['owner', 'admin', 'member'],
    input: (id) => ({ ...params(id), body: { name: 'x', subnet: 'none' } }),
  },
  {
    endpoint: organizationTokenApi.create,
    roles: managers,
    input: (id) => ({ ...params(id), body: { name: 'x', service_account_id: absent } }),
  },
  { endpoint: organizationTokenApi.update, roles: everyone, input: (id) => ({ ...params(id), body: { id: absent } }) },
  {
    endpoint: organizationTokenApi.rotate,
    roles: everyone,
    input: (id) => ({ params: { id, token: absent }, body: {} }),
  },
  { endpoint: organizationTokenApi.remove, roles: everyone, input: (id) => ({ params: { id, token: absent } }) },
  { endpoint: organizationBudgetApi.list, roles: readers, input: params },
  {
    endpoint: organizationBudgetApi.create,
    roles: managers,
    input: (id) => ({ ...params(id), body: { kind: 'project', owner_id: absent, amount: 1, period: 'day' } }),
  },
  { endpoint: organizationBudgetApi.update, roles: managers, input: (id) => ({ ...params(id), body: { id: absent } }) },
  { endpoint: organizationBudgetApi.remove, roles: managers, input: (id) => ({ params: { id, budget: absent } }) },
  { endpoint: organizationUsageApi.logs, roles: everyone, input: params },
  { endpoint: organizationUsageApi.exportLogs, roles: everyone, input: params },
  {
    endpoint: organizationUsageApi.usage,
    roles: everyone,
    input: (id) => ({ ...params(id), query: { rows: 'model' } }),
  },
  {
    endpoint: organizationUsageApi.usage,
    roles: readers,
    input: (id) => ({ ...params(id), query: { rows: 'model', member_id: absent } }),
  },
  {
    endpoint: organizationUsageApi.statement,
    roles: ['owner', 'admin', 'billing'],
    input: (id) => ({ ...params(id), query: { start_timestamp: 1, end_timestamp: 2 } }),
  },
  { endpoint: projectApi.list, roles: everyone, input: params },
  { endpoint: projectApi.get, roles: everyone, input: (id) => ({ params: { id, project: absent } }) },
  { endpoint: projectApi.create, roles: managers, input: (id) => ({ ...params(id), body: { name: 'p' } }) },
  { endpoint: projectApi.update, roles: managers, input: (id) => ({ ...params(id), body: { id: absent } }) },
  { endpoint: projectApi.remove, roles: managers, input: (id) => ({ params: { id, project: absent } }) },
  { endpoint: serviceAccountApi.list, roles: ['owner', 'admin', 'viewer'], input: params },
  { endpoint: serviceAccountApi.create, roles: managers, input: (id) => ({ ...params(id), body: { name: 'p' } }) },
  {
    endpoint: serviceAccountApi.remove,
    roles: managers,
    input: (id) => ({ params: { id, service_account: absent } }),
  },
  { endpoint: organizationMemberApi.leave, roles: everyone, input: params },
  { endpoint: organizationApi.remove, roles: ['owner'], input: params },
];

const codeOf = async (client: ApiClient, { endpoint, input }: Call, id: number) =>
  (await client.send(endpoint, input(id))).headers.get(errorCodeHeader) ?? 'none';

/** Calls that delete members or the organization. */
const endings: readonly Endpoint[] = [organizationMemberApi.leave, organizationApi.remove];

test('the list covers every call that names an organization', () => {
  const tables = [organizationApi, organizationMemberApi, organizationTokenApi, organizationBudgetApi];
  const named = [
    ...tables,
    organizationUsageApi,
    organizationDirectoryApi,
    organizationSsoApi,
    projectApi,
    serviceAccountApi,
  ]
    .flatMap((table): Endpoint[] => Object.values(table))
    .filter(({ access, path, method }) => access === 'user' && (path.includes(':id') || method === 'PUT'));
  // Moving a token has the organization in its body; see organization-tokens.db.test.ts.
  const listed = named.filter((row) => row !== organizationTokenApi.move);
  expect(listed.filter((row) => !calls.some(({ endpoint }) => endpoint === row))).toEqual([]);
});

test('permits every call only to its roles, and returns "not found" for other organizations', async () => {
  const shared = await createOrganization();
  for (const call of calls) {
    const id = endings.includes(call.endpoint) ? await createOrganization() : shared;
    const name = `${call.endpoint.method} ${call.endpoint.path}`;
    for (const stranger of [outsider, otherOwner]) expect(await codeOf(stranger, call, id), name).toBe('notFound');
    // The owner comes last, because the call may delete the organization.
    for (const role of organizationRoles.toReversed()) {
      const code = await codeOf(people[role].client, call, id);
      if (call.roles.includes(role)) expect(code, `${name} as ${role}`).not.toBe('organizationRole');
      else expect(code, `${name} as ${role}`).toBe('organizationRole');
    }
  }
});

/** Calls about the caller's membership. */
const membersOnly: readonly Endpoint[] = [
  organizationMemberApi.leave,
  organizationMemberApi.offerOwnership,
  organizationTokenApi.create,
];

test('lets gateway admins manage every organization', async () => {
  // Deleted by the last call.
  const id = await createOrganization();
  for (const call of calls) {
    if (membersOnly.includes(call.endpoint)) continue;
    const code = await codeOf(gatewayAdmin, call, id);
    expect(code, call.endpoint.path).not.toBe('organizationRole');
  }
});

test('lets only gateway admins change status, group and quota', async () => {
  const id = await createOrganization();
  const owner = people.owner.client;
  for (const change of [{ status: 2 }, { group: 'vip' }, { sso_allowed: true }])
    expect((await owner.send(organizationApi.update, { body: { id, ...change } })).status).toBe(403);
  expect((await owner.send(organizationApi.topUp, { params: { id }, body: { quota: 5 } })).status).toBe(403);
  const changed = await gatewayAdmin.call(organizationApi.update, { body: { id, status: 2, group: 'vip' } });
  expect(changed).toMatchObject({ status: 2, group: 'vip' });
  expect((await gatewayAdmin.call(organizationApi.topUp, { params: { id }, body: { quota: 5 } })).quota).toBe(5);
});

test('lists and balances contain only data that the role may see', async () => {
  const id = await createOrganization(70);
  expect((await outsider.call(organizationApi.own)).map((row) => row.id)).toEqual([]);
  expect((await otherOwner.call(organizationApi.own)).map(({ name }) => name)).toEqual(['Other']);
  const seen = async (role: OrganizationRole) =>
    (await people[role].client.call(organizationApi.own)).find((row) => row.id === id);
  expect(await seen('viewer')).toMatchObject({ role: 'viewer', quota: 70, members: 5 });
  expect(await seen('member')).toMatchObject({ role: 'member', quota: 0 });
  const emails = async (role: OrganizationRole) =>
    (await people[role].client.call(organizationMemberApi.list, { params: { id } })).map(({ email }) => email);
  const invited = await signedInUser({ email: 'seen@example.com' });
  await join(id, invited.user.id, 'member');
  expect(await emails('admin')).toContain('seen@example.com');
  expect(await emails('viewer')).not.toContain('seen@example.com');
});
