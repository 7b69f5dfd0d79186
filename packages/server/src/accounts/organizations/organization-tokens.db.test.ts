import {
  errorCodeHeader,
  ledgerApi,
  type OrganizationToken,
  organizationApi,
  organizationBudgetApi,
  organizationMemberApi,
  organizationTokenApi,
  projectApi,
  serviceAccountApi,
  tokenApi,
  userApi,
} from '@headgate/contract';
import { type ApiClient, completion, plainPrice, type SendOptions } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { organizationFixture } from '../../testing/accounts/organization-fixture.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { TagKeys: 'team' } });
const root = await app.as('root');
const { people, createOrganization, signedInUser } = await organizationFixture(app);
const scene = await relayFixture(app, { upstreams: [completion()], group: 'default' });
afterAll(() => scene.close());
const { owner, admin, member, viewer } = people;

const create = (client: ApiClient, id: number, body: object = {}) =>
  client.call(organizationTokenApi.create, { params: { id }, body: { name: 'token', unlimited_quota: true, ...body } });

async function chat({ key }: { key: string }, model = 'gpt-4o') {
  const response = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
  });
  const { error } = (await response.json()) as { error?: { message: string; code: string } };
  return { status: response.status, code: error?.code, message: error?.message };
}

const balanceOf = async (id: number) => {
  const users = app.database.selectFrom(currentTable(app.database, 'users'));
  return (await users.select(['quota', 'used_quota']).where('id', '=', id).executeTakeFirstOrThrow()).used_quota;
};

type Endpoint = Parameters<ApiClient['send']>[0];
const codeOf = async (client: ApiClient, endpoint: Endpoint, input: SendOptions) =>
  (await client.send(endpoint, input)).headers.get(errorCodeHeader);

const budgetOf = (id: number, kind: 'member' | 'project', owner_id: number, amount: number) =>
  owner.client.call(organizationBudgetApi.create, { params: { id }, body: { kind, owner_id, amount, period: 'all' } });

describe("an organization's token", () => {
  it('is charged to the organization and tagged with member and project', async () => {
    const id = await createOrganization(100_000);
    const project = await owner.client.call(projectApi.create, {
      params: { id },
      body: { name: 'Search', fixed_tags: 'team=search' },
    });
    const token = await create(member.client, id, { project_id: project.id });
    expect(token).toMatchObject({ user_id: id, creator: member.user.username, project: 'Search' });
    expect(await chat(token)).toMatchObject({ status: 200 });
    expect(await balanceOf(id)).toBe(plainPrice);
    expect(await balanceOf(member.user.id)).toBe(0);
    const [log] = await app.database
      .selectFrom('logs')
      .selectAll()
      .where('user_id', '=', id)
      .where('type', '=', 2)
      .execute();
    expect(log?.detail).toContain(
      `"request_tags":{"org.member":"${member.user.id}","org.project":"${project.id}","team":"search"}`,
    );
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, budget_drift: 0 });
  });

  it("is limited by the organization's balance", async () => {
    const id = await createOrganization(10);
    expect(await chat(await create(member.client, id))).toMatchObject({ status: 402, code: 'insufficient_user_quota' });
  });

  it("is rejected when the member's cap is reached before the balance is used up, and the error names the cap", async () => {
    const id = await createOrganization(1_000_000);
    await budgetOf(id, 'member', member.user.id, 10);
    const capped = await create(member.client, id);
    expect(await chat(capped)).toMatchObject({
      status: 429,
      code: 'budget_exhausted',
      message: expect.stringContaining('your membership in the organization'),
    });
    expect(await chat(await create(admin.client, id))).toMatchObject({ status: 200 });
    const budgets = await owner.client.call(organizationBudgetApi.list, { params: { id } });
    expect(budgets).toMatchObject([{ kind: 'member', owner: member.user.username, amount: 10, used: 0 }]);
  });

  it("is rejected when the project's budget is exhausted", async () => {
    const id = await createOrganization(1_000_000);
    const { id: project } = await owner.client.call(projectApi.create, { params: { id }, body: { name: 'Small' } });
    const budget = await budgetOf(id, 'project', project, 10);
    const token = await create(member.client, id, { project_id: project });
    expect(await chat(token)).toMatchObject({
      code: 'budget_exhausted',
      message: expect.stringContaining('the project of this token'),
    });
    await owner.client.call(organizationBudgetApi.update, { params: { id }, body: { id: budget.id, amount: 100_000 } });
    expect(await chat(token)).toMatchObject({ status: 200 });
    const [used] = await owner.client.call(organizationBudgetApi.list, { params: { id } });
    expect(used?.used).toBe(plainPrice);
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, budget_drift: 0 });
  });

  it('may use only the models that both the token and its project allow', async () => {
    const id = await createOrganization(1_000_000);
    const body = { name: 'Narrow', models: 'gpt-4*' };
    const { id: project } = await owner.client.call(projectApi.create, { params: { id }, body });
    const token = await create(member.client, id, { project_id: project });
    expect(await chat(token, 'gpt-3.5-turbo')).toMatchObject({ status: 403, code: 'model_not_allowed' });
    expect(await chat(token)).toMatchObject({ status: 200 });
    await owner.client.call(projectApi.update, { params: { id }, body: { id: project, status: 2 } });
    expect(await chat(token)).toMatchObject({ status: 403, code: 'project_disabled' });
    expect(await codeOf(owner.client, projectApi.remove, { params: { id, project } })).toBe('hasTokens');
  });

  it('stops working when its member leaves or is banned, or the organization is disabled', async () => {
    const id = await createOrganization(1_000_000);
    const leaver = await create(member.client, id);
    const banned = await create(admin.client, id);
    expect([(await chat(leaver)).status, (await chat(banned)).status]).toEqual([200, 200]);
    await member.client.call(organizationMemberApi.leave, { params: { id } });
    expect(await chat(leaver)).toMatchObject({ status: 401, code: 'token_disabled' });
    await app.database.updateTable('tokens').set({ status: 1 }).where('id', '=', leaver.id).execute();
    const { username } = admin.user;
    await root.call(userApi.manage, { body: { username, action: 'disable' } });
    expect(await chat(banned)).toMatchObject({ status: 403, code: 'account_banned' });
    await root.call(userApi.manage, { body: { username, action: 'enable' } });
    Object.assign(admin, { client: await app.signedIn(username, admin.user.password) });
    expect(await chat(banned)).toMatchObject({ status: 200 });
    await root.call(organizationApi.update, { body: { id, status: 2 } });
    expect(await chat(banned)).toMatchObject({ status: 403, code: 'account_banned' });
  });
});

describe('token permissions', () => {
  it('shows keys only to the member who uses the token', async () => {
    const id = await createOrganization();
    const { id: token, key } = await create(member.client, id);
    const get = (client: ApiClient) => client.call(organizationTokenApi.get, { params: { id, token } });
    expect((await get(member.client)).key).toBe(key);
    for (const client of [owner.client, viewer.client, root]) expect((await get(client)).key).toBe('');
    expect(await codeOf(people.billing.client, organizationTokenApi.get, { params: { id, token } })).toBe('notFound');
    const listed = await owner.client.call(organizationTokenApi.list, { params: { id }, query: {} });
    expect(listed.map((row: OrganizationToken) => row.key)).toEqual(['']);
    expect(await codeOf(owner.client, organizationTokenApi.rotate, { params: { id, token }, body: {} })).toBe(
      'organizationRole',
    );
    // Personal endpoints do not return or change tokens of organizations.
    expect(await codeOf(member.client, tokenApi.get, { params: { id: token } })).toBe('notFound');
  });

  it('lets members change only their own tokens, and managers change all tokens', async () => {
    const id = await createOrganization();
    const other = await createOrganization();
    const own = await create(member.client, id);
    const foreign = await create(admin.client, id);
    const update = (client: ApiClient, body: object, organization = id) =>
      codeOf(client, organizationTokenApi.update, { params: { id: organization }, body });
    expect(await update(member.client, { id: own.id, note: 'mine' })).toBe(null);
    expect(await update(member.client, { id: foreign.id, note: 'not mine' })).toBe('notFound');
    expect(await update(owner.client, { id: own.id, status: 2 })).toBe(null);
    expect(await update(member.client, { id: own.id, status: 1 })).toBe('tokenLocked');
    expect(await update(owner.client, { id: own.id, note: 'x' }, other)).toBe('notFound');
    expect(await update(owner.client, { id: own.id, status: 1 })).toBe(null);
    const { id: project } = await owner.client.call(projectApi.create, { params: { id }, body: { name: 'P' } });
    expect(await update(member.client, { id: own.id, project_id: project })).toBe('organizationRole');
    expect(await update(owner.client, { id: own.id, project_id: project })).toBe(null);
    expect(await codeOf(member.client, organizationTokenApi.remove, { params: { id, token: foreign.id } })).toBe(
      'notFound',
    );
    expect(await codeOf(owner.client, organizationTokenApi.remove, { params: { id, token: own.id } })).toBe(null);
  });

  it('accepts only projects and service accounts of the organization', async () => {
    const [id, other] = [await createOrganization(), await createOrganization()];
    const { id: project_id } = await owner.client.call(projectApi.create, {
      params: { id: other },
      body: { name: 'P' },
    });
    const { id: service_account_id } = await owner.client.call(serviceAccountApi.create, {
      params: { id: other },
      body: { name: 'CI' },
    });
    for (const body of [{ project_id }, { service_account_id }])
      expect(
        await codeOf(owner.client, organizationTokenApi.create, { params: { id }, body: { name: 't', ...body } }),
      ).toBe('projectUnknown');
    const made = await create(owner.client, other, { service_account_id });
    expect(made).toMatchObject({ creator_id: 0, service_account: 'CI' });
    expect(
      await codeOf(owner.client, organizationBudgetApi.create, {
        params: { id },
        body: { kind: 'token', owner_id: made.id, amount: 5, period: 'day' },
      }),
    ).toBe('notFound');
  });
});

describe('moving a token', () => {
  it('charges later requests to the new payer', async () => {
    const id = await createOrganization(100_000);
    const { client, user } = await signedInUser({ quota: 100_000 });
    await app.database
      .insertInto('organization_members')
      .values({ organization_id: id, user_id: user.id, role: 'member', source: 'invitation', created_time: 1 })
      .execute();
    const token = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
    const move = (organization_id: number) =>
      client.call(organizationTokenApi.move, { params: { id: token.id }, body: { organization_id } });
    await chat(token);
    await move(id);
    expect(await client.call(tokenApi.list, { query: {} })).toEqual([]);
    await chat(token);
    await chat(token);
    await move(0);
    await chat(token);
    expect([await balanceOf(user.id), await balanceOf(id)]).toEqual([2 * plainPrice, 2 * plainPrice]);
    const stranger = await createOrganization();
    expect(
      await codeOf(client, organizationTokenApi.move, {
        params: { id: token.id },
        body: { organization_id: stranger },
      }),
    ).toBe('notFound');
    expect(
      await codeOf(member.client, organizationTokenApi.move, {
        params: { id: token.id },
        body: { organization_id: id },
      }),
    ).toBe('notFound');
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
  });
});
