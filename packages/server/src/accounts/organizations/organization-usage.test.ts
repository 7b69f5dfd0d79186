import {
  errorCodeHeader,
  organizationTag,
  organizationUsageApi,
  projectApi,
  tagsMember,
  totalHeader,
  usageApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { expect, it } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { organizationFixture } from '../../testing/accounts/organization-fixture.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { people, createOrganization } = await organizationFixture(app);
const { owner, admin, member, viewer } = people;
const now = nowInSeconds();
const period = { start_timestamp: now - 86_400, end_timestamp: now + 3600 };

/** An organization with requests of two members, one of them in a project. */
const id = await createOrganization(1000);
const other = await createOrganization(1000);
const project = await owner.client.call(projectApi.create, { params: { id }, body: { name: 'Search' } });

const requestOf = (organization: number, userId: number, quota: number, more: Record<string, string> = {}) => ({
  user_id: organization,
  username: 'org:x',
  created_at: now,
  type: 2,
  token_name: `token of ${userId}`,
  model_name: 'gpt-4o',
  channel: 1,
  quota,
  prompt_tokens: 1,
  completion_tokens: 1,
  detail: JSON.stringify({ [tagsMember]: { [organizationTag.member]: String(userId), ...more } }),
});

await writeLogs(app.database, [
  requestOf(id, member.user.id, 30, { [organizationTag.project]: String(project.id) }),
  requestOf(id, member.user.id, 5),
  requestOf(id, admin.user.id, 7),
  requestOf(other, member.user.id, 100),
]);

const logsOf = async (client: ApiClient, query: object = {}) =>
  (await client.call(organizationUsageApi.logs, { params: { id }, query: { view: 'requests', ...query } }))
    .map(({ quota }) => quota)
    .sort();

const usageOf = async (client: ApiClient, query: object) => {
  const { rows, total } = await client.call(organizationUsageApi.usage, { params: { id }, query });
  return [...rows.map((row) => [row.label, row.total.quota]), total.quota];
};

it("lists all requests for roles that may see usage, and only the member's own requests otherwise", async () => {
  expect(await logsOf(viewer.client)).toEqual([30, 5, 7]);
  expect(await logsOf(viewer.client, { member_id: member.user.id })).toEqual([30, 5]);
  expect(await logsOf(viewer.client, { member_id: member.user.id, project_id: project.id })).toEqual([30]);
  expect(await logsOf(member.client)).toEqual([30, 5]);
  // A filter by tag cannot widen the scope.
  expect(await logsOf(member.client, { project_id: project.id })).toEqual([30]);
  const foreign = await member.client.send(organizationUsageApi.logs, {
    params: { id },
    query: { member_id: admin.user.id },
  });
  expect(foreign.headers.get(errorCodeHeader)).toBe('organizationRole');
});

it('exports the same requests', async () => {
  const exported = async (client: ApiClient) =>
    (await client.request('GET', `/api/organization/${id}/logs/export?format=jsonl&view=requests`)).headers.get(
      totalHeader,
    );
  expect(await exported(owner.client)).toBe('3');
  expect(await exported(member.client)).toBe('2');
});

it('sums usage by member, project and model', async () => {
  expect(await usageOf(owner.client, { rows: 'member' })).toEqual([
    [member.user.username, 35],
    [admin.user.username, 7],
    42,
  ]);
  expect((await usageOf(owner.client, { rows: 'project' }))[0]).toEqual(['Search', 30]);
  expect(await usageOf(owner.client, { rows: 'model', project_id: project.id })).toEqual([['gpt-4o', 30], 30]);
  expect(await usageOf(member.client, { rows: 'model' })).toEqual([['gpt-4o', 35], 35]);
  const twice = await owner.client.send(organizationUsageApi.usage, {
    params: { id },
    query: { rows: 'member', project_id: project.id },
  });
  expect(twice.headers.get(errorCodeHeader)).toBe('oneUsageTag');
  // Requests paid by an organization do not count as the member's own usage.
  expect((await member.client.call(usageApi.readOwn, { query: {} })).total.quota).toBe(0);
});

it('returns statements of the organization, a member and a project', async () => {
  const statement = async (client: ApiClient, query: object = {}) =>
    (await client.call(organizationUsageApi.statement, { params: { id }, query: { ...period, ...query } })).total.quota;
  expect(await statement(people.billing.client)).toBe(42);
  expect(await statement(people.billing.client, { project_id: project.id })).toBe(30);
  expect(await statement(member.client, { member_id: member.user.id })).toBe(35);
  const others = { params: { id }, query: { ...period, member_id: admin.user.id } };
  expect((await member.client.send(organizationUsageApi.statement, others)).status).toBe(403);
});
