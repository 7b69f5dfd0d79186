import {
  errorCodeHeader,
  type OrganizationRole,
  organizationApi,
  organizationInvitationApi,
  organizationMemberApi,
  organizationTokenApi,
  organizationUsageApi,
  projectApi,
  tokenApi,
  userApi,
  userSupportApi,
} from '@headgate/contract';
import { type ApiClient, completion, type SendOptions } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { organizationFixture } from '../../testing/accounts/organization-fixture.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
const { people, createOrganization, join, signedInUser } = await organizationFixture(app);
const scene = await relayFixture(app, { upstreams: [completion()], group: 'default' });
afterAll(() => scene.close());
const { owner } = people;

type Endpoint = Parameters<ApiClient['send']>[0];
const codeOf = async (client: ApiClient, endpoint: Endpoint, input: SendOptions) =>
  (await client.send(endpoint, input)).headers.get(errorCodeHeader);

async function statusOf({ key }: { readonly key: string }): Promise<number> {
  const response = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.text();
  return response.status;
}

/** An organization with credit, and a new member. */
async function membership(role: OrganizationRole) {
  const id = await createOrganization(1_000_000);
  const person = await signedInUser();
  await join(id, person.user.id, role);
  return { id, ...person };
}

const create = (client: ApiClient, id: number, body: object = {}) =>
  client.call(organizationTokenApi.create, { params: { id }, body: { name: 'token', unlimited_quota: true, ...body } });

const setRole = (id: number, user_id: number, role: OrganizationRole) =>
  owner.client.call(organizationMemberApi.update, { params: { id }, body: { user_id, role } });

describe('an invitation', () => {
  const accept = async (token: string) =>
    codeOf((await signedInUser()).client, organizationInvitationApi.accept, { body: { token } });
  const invite = (client: ApiClient, id: number, role: OrganizationRole) =>
    client.call(organizationMemberApi.invite, { params: { id }, body: { role } });

  it('[A75.1] is void if its inviter has been removed, demoted or banned', async () => {
    const { id, client, user } = await membership('owner');
    const [asOwner, asAdmin] = [await invite(client, id, 'owner'), await invite(client, id, 'admin')];
    await setRole(id, user.id, 'admin');
    expect(await accept(asOwner.token)).toBe('invitationInvalid');
    const ban = (action: 'disable' | 'enable') =>
      root.call(userApi.manage, { body: { username: user.username, action } });
    await ban('disable');
    expect(await accept(asAdmin.token)).toBe('invitationInvalid');
    await ban('enable');
    await owner.client.call(organizationMemberApi.remove, { params: { id, user_id: user.id }, query: {} });
    expect(await accept(asAdmin.token)).toBe('invitationInvalid');
  });

  it('[A75.1] is valid again when a member who may assign the role renews it', async () => {
    const { id, client, user } = await membership('admin');
    const { id: invitation } = await invite(client, id, 'member');
    await owner.client.call(organizationMemberApi.remove, { params: { id, user_id: user.id }, query: {} });
    const renewed = await owner.client.call(organizationMemberApi.resend, { params: { id, invitation } });
    expect(renewed.inviter).toBe(owner.user.username);
    expect(await accept(renewed.token)).toBe(null);
  });
});

describe('a token of a member', () => {
  it('[A75.2] stops working when the member gets a role without tokens', async () => {
    const { id, client, user } = await membership('member');
    const token = await create(client, id);
    expect(await statusOf(token)).toBe(200);
    for (const role of ['viewer', 'billing'] as const) {
      await setRole(id, user.id, role);
      expect(await statusOf(token), role).toBe(401);
    }
    await setRole(id, user.id, 'member');
    expect(await statusOf(token)).toBe(200);
  });

  it('[A75.3] cannot be moved to or out of a project by the member', async () => {
    const { id, client } = await membership('member');
    const projectOf = (name: string) => owner.client.call(projectApi.create, { params: { id }, body: { name } });
    const [narrow, wide] = [await projectOf('Narrow'), await projectOf('Wide')];
    const { id: token } = await create(client, id, { project_id: narrow.id });
    const move = (project_id: number) =>
      codeOf(client, organizationTokenApi.move, { params: { id: token }, body: { organization_id: id, project_id } });
    for (const project of [0, wide.id]) expect(await move(project)).toBe('organizationRole');
    expect(await move(narrow.id)).toBe(null);
  });

  it('[A75.4] is rejected while an admin has locked all tokens of the member', async () => {
    const { id, client, user } = await membership('member');
    const token = await create(client, id);
    expect(await statusOf(token)).toBe(200);
    await root.call(userSupportApi.disableTokens, { params: { id: user.id }, body: { reason: 'leaked' } });
    expect(await statusOf(token)).toBe(401);
    const body = { name: 'another', unlimited_quota: true };
    expect(await codeOf(client, organizationTokenApi.create, { params: { id }, body })).toBe('userTokensLocked');
    await root.call(userSupportApi.enableTokens, { params: { id: user.id }, body: { unlock: true } });
    expect(await statusOf(token)).toBe(200);
  });

  it('[A75.8] attributes requests to proxy channels to the member', async () => {
    const { id, client, user } = await membership('member');
    const { key } = await create(client, id);
    const url = scene.upstreams[0]?.url ?? '';
    await createChannel(scene.admin, scene.group, url, { name: 'raw', type: 43, models: '' });
    const channels = app.database.selectFrom('channels').select('id').where('name', '=', 'raw');
    const channel = await channels.executeTakeFirstOrThrow();
    const headers = { authorization: `Bearer sk-${key}` };
    expect((await fetch(`${app.url}/v1/proxy/${channel.id}/v1/models`, { headers })).status).toBe(200);
    const own = await client.call(organizationUsageApi.logs, { params: { id }, query: {} });
    expect(own.map(({ detail }) => detail)).toEqual([expect.stringContaining(`"org.member":"${user.id}"`)]);
  });

  it('[A75.5] cannot be moved to an account that is not an organization', async () => {
    const { client, user } = await signedInUser();
    const { id } = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
    for (const organization_id of [user.id, owner.user.id])
      expect(await codeOf(client, organizationTokenApi.move, { params: { id }, body: { organization_id } })).toBe(
        'notFound',
      );
  });
});

describe('an organization', () => {
  it('[A75.7] does not give its creator the channels or prices of other groups', async () => {
    const groupFor = async (group: string) => {
      const { client } = await signedInUser({ group });
      const name = `Of ${group}`;
      return (await client.call(organizationApi.create, { body: { name } })).group;
    };
    expect(await groupFor('limited,slow')).toBe('limited,slow');
    expect(await groupFor('vip,default')).toBe('default');
  });

  it('[A75.6] can be deleted even if a user has the name of the deleted account', async () => {
    const { id } = await owner.client.call(organizationApi.create, { body: { name: 'Squatted' } });
    await app.createUser({ username: `deleted_org:${id}` });
    expect(await codeOf(owner.client, organizationApi.remove, { params: { id } })).toBe(null);
  });
});
