import {
  errorCodeHeader,
  ledgerApi,
  maxOwnedOrganizations,
  organizationApi,
  organizationInvitationApi,
  organizationMemberApi,
  organizationUsageApi,
  redemptionApi,
  sessionApi,
  statementApi,
  subjectApi,
  tokenApi,
  userApi,
} from '@headgate/contract';
import type { ApiClient, SendOptions } from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { organizationFixture } from '../../testing/accounts/organization-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { ServerAddress: 'https://gateway.example' } });
const root = await app.as('root');
const { people, createOrganization, join, signedInUser } = await organizationFixture(app);
const { owner, admin, member } = people;

type Endpoint = Parameters<ApiClient['send']>[0];
const codeOf = async (client: ApiClient, endpoint: Endpoint, input: SendOptions) =>
  (await client.send(endpoint, input)).headers.get(errorCodeHeader);

const rolesOf = async (id: number): Promise<Readonly<Record<string, string>>> => {
  const rows = await root.call(organizationMemberApi.list, { params: { id } });
  return Object.fromEntries(rows.map(({ username, role }) => [username, role]));
};

const invite = (id: number, body: object = {}) =>
  owner.client.call(organizationMemberApi.invite, { params: { id }, body });

describe('an organization', () => {
  it('has an account that is not a user', async () => {
    const id = await createOrganization();
    const { username } = await app.database
      .selectFrom('users')
      .select('username')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const found = await root.page(userApi.search, { query: { keyword: username } });
    expect(found.rows).toEqual([]);
    expect(await root.call(subjectApi.suggest, { query: { kind: 'user', keyword: username } })).toEqual([]);
    expect(await codeOf(root, userApi.get, { params: { id } })).toBe('unknownUser');
    expect(await codeOf(root, userApi.topUp, { body: { user_id: id, quota: 1 } })).toBe('unknownUser');
    expect(await codeOf(root, userApi.manage, { body: { username, action: 'promote' } })).toBe('unknownUser');
    expect((await app.client().send(sessionApi.login, { body: { username, password: '' } })).body).toMatchObject({
      success: false,
    });
    const taken = { username: 'org:mine', password: 'long enough 1' };
    expect(await codeOf(root, userApi.create, { body: { ...taken, display_name: '' } })).toBe('usernameUnfit');
  });

  it('has a unique name, even compared with lookalikes', async () => {
    const create = (name: string) => codeOf(owner.client, organizationApi.create, { body: { name } });
    expect(await create('pace')).toBe(null);
    // Written in Cyrillic letters.
    for (const name of ['PACE', 'расе']) expect(await create(name)).toBe('organizationNameTaken');
    const id = await createOrganization();
    expect(await codeOf(owner.client, organizationApi.update, { body: { id, name: 'Pace' } })).toBe(
      'organizationNameTaken',
    );
    expect(await owner.client.call(organizationApi.update, { body: { id, name: 'Renamed' } })).toMatchObject({
      name: 'Renamed',
    });
  });

  it('can be created by users up to a limit', async () => {
    const { client } = await signedInUser();
    for (let n = 0; n < maxOwnedOrganizations; n += 1)
      await client.call(organizationApi.create, { body: { name: `Own ${n}` } });
    expect(await codeOf(client, organizationApi.create, { body: { name: 'One more' } })).toBe('tooManyOrganizations');
  });

  it('receives top-ups and redeemed codes', async () => {
    const id = await createOrganization();
    await root.call(organizationApi.topUp, { params: { id }, body: { quota: 30, remark: 'invoice 7' } });
    const [key = ''] = await root.call(redemptionApi.create, { body: { name: 'code', quota: 12, count: 1 } });
    expect(await people.billing.client.call(organizationApi.redeem, { params: { id }, body: { key } })).toBe(12);
    expect(await codeOf(people.billing.client, organizationApi.redeem, { params: { id }, body: { key } })).toBe(
      'usedRedemptionCode',
    );
    expect(await owner.client.call(organizationApi.get, { params: { id } })).toMatchObject({ quota: 42 });
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
  });

  it("receives transfers from a member's balance, up to that balance", async () => {
    const id = await createOrganization();
    const { client, user } = await signedInUser();
    await join(id, user.id, 'viewer');
    await root.call(userApi.topUp, { body: { user_id: user.id, quota: 100 } });
    const transfer = (quota: number) => codeOf(client, organizationApi.transfer, { params: { id }, body: { quota } });
    const codes = await Promise.all(Array.from({ length: 5 }, () => transfer(40)));
    const moved = 40 * codes.filter((code) => code === null).length;
    expect([40, 80]).toContain(moved);
    expect(await client.call(userApi.self)).toMatchObject({ quota: 100 - moved });
    expect(await transfer(101 - moved)).toBe('balanceTooLow');
    expect(await transfer(100 - moved)).toBe(null);
    expect(await owner.client.call(organizationApi.get, { params: { id } })).toMatchObject({ quota: 100 });
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
    const now = Math.floor(Date.now() / 1000);
    const query = { start_timestamp: now - 60, end_timestamp: now + 60 };
    expect((await client.call(statementApi.own, { query })).credited).toBe(0);
    const { credited } = await owner.client.call(organizationUsageApi.statement, { params: { id }, query });
    expect(credited).toBe(100);
  });

  it('is deleted with its members and tokens, and its name becomes available', async () => {
    const { id, name } = await owner.client.call(organizationApi.create, { body: { name: 'Short-lived' } });
    await join(id, member.user.id, 'member');
    await owner.client.call(organizationApi.remove, { params: { id } });
    expect(await codeOf(member.client, organizationApi.get, { params: { id } })).toBe('notFound');
    const left = await app.database
      .selectFrom('organization_members')
      .select('id')
      .where('organization_id', '=', id)
      .execute();
    expect(left).toEqual([]);
    expect(await codeOf(owner.client, organizationApi.create, { body: { name } })).toBe(null);
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0 });
  });
});

describe('members', () => {
  it('the last owner cannot be removed or demoted', async () => {
    const id = await createOrganization();
    const { user } = owner;
    expect(await codeOf(owner.client, organizationMemberApi.leave, { params: { id } })).toBe('lastOwner');
    for (const client of [owner.client, root])
      expect(
        await codeOf(client, organizationMemberApi.update, {
          params: { id },
          body: { user_id: user.id, role: 'admin' },
        }),
      ).toBe('lastOwner');
    const closing = await signedInUser();
    const own = await closing.client.call(organizationApi.create, { body: { name: 'Of one' } });
    expect(await codeOf(closing.client, userApi.removeSelf, {})).toBe('lastOwner');
    await closing.client.call(organizationApi.remove, { params: { id: own.id } });
    await closing.client.call(userApi.removeSelf);
  });

  it('only owners can remove owners, and no member becomes an owner without consent', async () => {
    const id = await createOrganization();
    const setRole = (client: ApiClient, user_id: number, role: string) =>
      codeOf(client, organizationMemberApi.update, { params: { id }, body: { user_id, role } });
    expect(await setRole(admin.client, owner.user.id, 'viewer')).toBe('organizationRole');
    expect(await setRole(admin.client, member.user.id, 'owner')).toBe('organizationRole');
    expect(await setRole(owner.client, member.user.id, 'owner')).toBe('ownershipNeedsConsent');
    expect(await codeOf(admin.client, organizationMemberApi.remove, { params: { id, user_id: owner.user.id } })).toBe(
      'organizationRole',
    );
    expect(await setRole(admin.client, member.user.id, 'billing')).toBe(null);
    expect((await rolesOf(id))[member.user.username]).toBe('billing');
    // Gateway admins can recover organizations whose owners cannot be reached.
    expect(await setRole(root, member.user.id, 'owner')).toBe(null);
  });

  it('a member becomes owner only by accepting the offer', async () => {
    const id = await createOrganization();
    const offer = await owner.client.call(organizationMemberApi.offerOwnership, {
      params: { id },
      body: { user_id: admin.user.id },
    });
    expect(await codeOf(member.client, organizationInvitationApi.accept, { body: { id: offer.id } })).toBe(
      'invitationInvalid',
    );
    expect((await rolesOf(id))[admin.user.username]).toBe('admin');
    expect((await admin.client.call(organizationInvitationApi.own)).map((row) => row.id)).toContain(offer.id);
    await admin.client.call(organizationInvitationApi.accept, { body: { id: offer.id } });
    expect(await rolesOf(id)).toMatchObject({ [admin.user.username]: 'owner', [owner.user.username]: 'admin' });
  });

  it("a member's tokens are disabled or transferred to a service account when the member leaves", async () => {
    const id = await createOrganization();
    const { id: heir } = await app.database
      .insertInto('service_accounts')
      .values({ organization_id: id, name: 'ci', created_time: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const tokenOf = async (userId: number) => {
      const made = await member.client.call(tokenApi.create, { body: { name: 'shared', unlimited_quota: true } });
      await app.database
        .updateTable('tokens')
        .set({ user_id: id, creator_id: userId })
        .where('id', '=', made.id)
        .execute();
      return made.id;
    };
    const [first, second] = [await tokenOf(member.user.id), await tokenOf(admin.user.id)];
    await member.client.call(organizationMemberApi.leave, { params: { id } });
    await owner.client.call(organizationMemberApi.remove, {
      params: { id, user_id: admin.user.id },
      query: { service_account_id: heir },
    });
    const rows = await app.database
      .selectFrom('tokens')
      .select(['id', 'status', 'creator_id', 'service_account_id'])
      .where('id', 'in', [first, second])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { id: first, status: 2, creator_id: member.user.id, service_account_id: 0 },
      { id: second, status: 1, creator_id: 0, service_account_id: heir },
    ]);
    const other = await createOrganization();
    const foreign = { params: { id: other, user_id: admin.user.id }, query: { service_account_id: heir } };
    expect(await codeOf(owner.client, organizationMemberApi.remove, foreign)).toBe('notFound');
  });
});

describe('invitations', () => {
  it('an invitation by link can be accepted once', async () => {
    const id = await createOrganization();
    const { token, link } = await invite(id, { role: 'viewer' });
    expect(link).toBe(`https://gateway.example/organization/invitation#${token}`);
    const [one, other] = [await signedInUser(), await signedInUser()];
    expect(await one.client.call(organizationInvitationApi.read, { body: { token } })).toMatchObject({
      organization_id: id,
      role: 'viewer',
      inviter: owner.user.username,
      state: 'pending',
    });
    await one.client.call(organizationInvitationApi.accept, { body: { token } });
    expect((await rolesOf(id))[one.user.username]).toBe('viewer');
    expect(await codeOf(other.client, organizationInvitationApi.accept, { body: { token } })).toBe('invitationInvalid');
    const stored = await app.database.selectFrom('organization_invitations').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('an invitation to an email address is listed for its user and can be declined', async () => {
    const id = await createOrganization();
    const invited = await signedInUser({ email: 'ada@example.com' });
    const now = Math.floor(Date.now() / 1000);
    const { id: invitation } = await app.database
      .insertInto('organization_invitations')
      .values({
        organization_id: id,
        email: 'ada@example.com',
        user_id: 0,
        role: 'member',
        inviter_id: owner.user.id,
        token_hash: 'hash',
        state: 'pending',
        created_time: now,
        expires_time: now + 60,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const body = { id: invitation };
    expect(await codeOf(member.client, organizationInvitationApi.read, { body })).toBe('invitationInvalid');
    expect(await invited.client.call(organizationInvitationApi.own)).toMatchObject([{ id: invitation }]);
    await invited.client.call(organizationInvitationApi.decline, { body });
    expect(await codeOf(invited.client, organizationInvitationApi.accept, { body })).toBe('invitationInvalid');
    expect(await owner.client.call(organizationMemberApi.invitations, { params: { id } })).toMatchObject([
      { state: 'declined' },
    ]);
    expect(
      await codeOf(owner.client, organizationMemberApi.invite, { params: { id }, body: { email: 'a@b.example' } }),
    ).toBe('mailNotSetUp');
  });

  it('an invitation is invalid after it is withdrawn, renewed or expired', async () => {
    const id = await createOrganization();
    const guest = (await signedInUser()).client;
    const accept = (token: string) => codeOf(guest, organizationInvitationApi.accept, { body: { token } });
    const withdrawn = await invite(id);
    await owner.client.call(organizationMemberApi.withdraw, { params: { id, invitation: withdrawn.id } });
    const renewed = await invite(id);
    const again = await owner.client.call(organizationMemberApi.resend, { params: { id, invitation: renewed.id } });
    const expired = await invite(id);
    await app.database
      .updateTable('organization_invitations')
      .set({ expires_time: 1 })
      .where('id', '=', expired.id)
      .execute();
    for (const { token } of [withdrawn, renewed, expired]) expect(await accept(token)).toBe('invitationInvalid');
    expect(await accept(again.token)).toBe(null);
    expect(
      (await owner.client.call(organizationMemberApi.invitations, { params: { id } })).map(({ state }) => state),
    ).toEqual(['expired', 'accepted', 'withdrawn']);
  });

  it('an invitation cannot grant a higher role than the inviter may grant', async () => {
    const id = await createOrganization();
    const asAdmin = { params: { id }, body: { role: 'owner' } };
    expect(await codeOf(admin.client, organizationMemberApi.invite, asAdmin)).toBe('organizationRole');
  });
});
