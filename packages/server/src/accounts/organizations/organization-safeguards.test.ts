import {
  budgetApi,
  errorCodeHeader,
  organizationApi,
  organizationBudgetApi,
  organizationDirectoryApi,
  organizationInvitationApi,
  organizationMemberApi,
  organizationTokenApi,
  userApi,
} from '@headgate/contract';
import type { ApiClient, SendOptions } from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { directoryFixture } from '../../testing/accounts/directory-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { root, people, createDirectory, createOrganization, join, signedInUser, withToken } =
  await directoryFixture(app);
const admin = await app.as('admin');
const owner = people.owner.client;

type Endpoint = Parameters<ApiClient['send']>[0];
const codeOf = async (client: ApiClient, endpoint: Endpoint, input: SendOptions = {}) =>
  (await client.send(endpoint, input)).headers.get(errorCodeHeader);

describe('the budgets of an organization', () => {
  const terms = { amount: 100, period: 'month', time_zone: 'UTC' } as const;

  it('keep limiting a member who leaves and returns', async () => {
    const id = await createOrganization();
    const { user, client } = await signedInUser();
    await join(id, user.id, 'member');
    const body = { ...terms, kind: 'member', owner_id: user.id } as const;
    const cap = await owner.call(organizationBudgetApi.create, { params: { id }, body });
    await client.call(organizationMemberApi.leave, { params: { id } });
    const { token } = await owner.call(organizationMemberApi.invite, { params: { id }, body: { role: 'member' } });
    await client.call(organizationInvitationApi.accept, { body: { token } });
    const budgets = await owner.call(organizationBudgetApi.list, { params: { id } });
    expect(budgets).toMatchObject([{ id: cap.id, kind: 'member', amount: 100 }]);
  });

  it('cannot be changed by the organization if a gateway admin set them', async () => {
    const id = await createOrganization();
    const body = { ...terms, kind: 'user', owner_id: id } as const;
    const ofAdmin = await admin.call(budgetApi.create, { body });
    const other = { ...terms, kind: 'user', owner_id: 0, period: 'day' } as const;
    const own = await owner.call(organizationBudgetApi.create, { params: { id }, body: other });
    const change = (budget: number) =>
      codeOf(owner, organizationBudgetApi.update, { params: { id }, body: { id: budget, amount: 1000 } });
    expect(await change(ofAdmin.id)).toBe('budgetSetByAdmin');
    expect(await codeOf(owner, organizationBudgetApi.remove, { params: { id, budget: ofAdmin.id } })).toBe(
      'budgetSetByAdmin',
    );
    expect(await change(own.id)).toBe(null);
    // A gateway admin who is not a member acts as admin here too.
    await admin.call(organizationBudgetApi.update, { params: { id }, body: { id: own.id, amount: 50 } });
    expect(await change(own.id)).toBe('budgetSetByAdmin');
  });
});

it('only gateway admins create organizations while the option is off', async () => {
  await using other = await startTestApp({ options: { OrganizationCreationEnabled: 'false' } });
  const create = async (client: ApiClient, name: string) => codeOf(client, organizationApi.create, { body: { name } });
  expect(await create(await other.as('user'), 'First')).toBe('organizationCreationOff');
  expect(await create(await other.as('admin'), 'Second')).toBe(null);
});

it('an invitation whose inviter may no longer assign the role is listed as void', async () => {
  const id = await createOrganization();
  const { user, client } = await signedInUser();
  await join(id, user.id, 'admin');
  await client.call(organizationMemberApi.invite, { params: { id }, body: { role: 'member' } });
  const states = async () =>
    (await owner.call(organizationMemberApi.invitations, { params: { id } })).map(({ state }) => state);
  expect(await states()).toEqual(['pending']);
  await owner.call(organizationMemberApi.remove, { params: { id, user_id: user.id }, query: {} });
  expect(await states()).toEqual(['void']);
});

it('a SCIM token stops working when its creator is disabled, demoted or removed', async () => {
  const { id } = await createDirectory();
  const { user, client } = await signedInUser();
  await join(id, user.id, 'owner');
  const { token } = await client.call(organizationDirectoryApi.createToken, { params: { id }, body: {} });
  const status = async () => (await withToken(token)('GET', '/Users')).status;
  const setRole = (role: 'owner' | 'admin') =>
    root.call(organizationMemberApi.update, { params: { id }, body: { user_id: user.id, role } });
  const manage = (action: 'disable' | 'enable') =>
    root.call(userApi.manage, { body: { username: user.username, action } });
  expect(await status()).toBe(200);
  await manage('disable');
  expect(await status()).toBe(401);
  await manage('enable');
  await setRole('admin');
  expect(await status()).toBe(401);
  await setRole('owner');
  expect(await status()).toBe(200);
  await owner.call(organizationMemberApi.remove, { params: { id, user_id: user.id }, query: {} });
  expect(await status()).toBe(401);
});

it('rotating the key of a token is recorded', async () => {
  const id = await createOrganization();
  const body = { name: 'ci', unlimited_quota: true };
  const { id: token } = await owner.call(organizationTokenApi.create, { params: { id }, body });
  await owner.call(organizationTokenApi.rotate, { params: { id, token }, body: { grace: 0 } });
  const rows = await app.database.selectFrom('logs').select('content').where('user_id', '=', id).execute();
  expect(rows.map(({ content }) => content)).toContainEqual(
    expect.stringContaining('rotated the key of organization token ci'),
  );
});

it('[A75.29] a gateway admin can read but not change an organization that a super admin owns', async () => {
  const { id } = await root.call(organizationApi.create, { body: { name: 'Of root' } });
  const self = await admin.call(userApi.self);
  const params = { id };
  const body = { name: 'ci', unlimited_quota: true };
  const { id: token } = await root.call(organizationTokenApi.create, { params, body });
  const attempts = () =>
    Promise.all([
      codeOf(admin, organizationTokenApi.update, { params, body: { id: token, status: 2 } }),
      codeOf(admin, organizationTokenApi.remove, { params: { id, token } }),
      codeOf(admin, organizationTokenApi.create, { params, body: { ...body, service_account_id: 1 } }),
      codeOf(admin, organizationMemberApi.invite, { params, body: { role: 'owner' } }),
      codeOf(admin, organizationApi.update, { body: { id, status: 2 } }),
      codeOf(admin, organizationApi.remove, { params }),
      codeOf(admin, organizationApi.topUp, { params, body: { quota: 5 } }),
    ]);
  expect(new Set(await attempts())).toEqual(new Set(['organizationRole']));
  expect((await admin.call(organizationApi.get, { params })).permissions).toContain('see_tokens');
  await join(id, self.id, 'member');
  expect(new Set(await attempts())).toEqual(new Set(['organizationRole', 'notFound']));
  await app.database
    .updateTable('organization_members')
    .set({ role: 'owner' })
    .where('user_id', '=', self.id)
    .execute();
  for (const change of [{ status: 2 }, { group: 'vip' }, { sso_allowed: true }])
    expect(await codeOf(admin, organizationApi.update, { body: { id, ...change } })).toBe('organizationRole');
  expect(await codeOf(root, organizationTokenApi.update, { params, body: { id: token, status: 2 } })).toBe(null);
});

it('[A75.24] an invitation to an email address can be accepted only by a user with this address', async () => {
  const id = await createOrganization();
  const [other, invited] = [await signedInUser(), await signedInUser({ email: 'grace@example.com' })];
  const { token } = await owner.call(organizationMemberApi.invite, { params: { id }, body: { role: 'member' } });
  // The gateway has no mail server, so the address is added to an invitation by link.
  await app.database
    .updateTable('organization_invitations')
    .set({ email: 'grace@example.com' })
    .where('organization_id', '=', id)
    .execute();
  for (const name of ['read', 'decline', 'accept'] as const)
    expect(await codeOf(other.client, organizationInvitationApi[name], { body: { token } }), name).toBe(
      'invitationAddress',
    );
  for (const name of ['read', 'accept'] as const)
    expect(await codeOf(invited.client, organizationInvitationApi[name], { body: { token } }), name).toBeNull();
});
