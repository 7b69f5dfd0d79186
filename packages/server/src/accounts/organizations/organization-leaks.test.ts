import {
  type Endpoint,
  organizationApi,
  organizationBudgetApi,
  organizationMemberApi,
  organizationSsoApi,
  organizationTag,
  organizationTokenApi,
  projectApi,
  serviceAccountApi,
  ssoSignInApi,
  tagsMember,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { directoryFixture } from '../../testing/accounts/directory-fixture.ts';
import { endpoints, nameOf } from '../../testing/endpoints.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';

/** Part of every name in the organization. */
const mark = 'zyqx';

const app = await useTestApp();
const { root, people, createDirectory, signedInUser } = await directoryFixture(app);
const { id } = await createDirectory();
const owner = people.owner.client;
const params = { id };
await root.call(organizationApi.update, { body: { id, name: `Org ${mark}` } });
const project = await owner.call(projectApi.create, { params, body: { name: `project ${mark}` } });
const account = await owner.call(serviceAccountApi.create, { params, body: { name: `account ${mark}` } });
const token = { name: `token ${mark}`, unlimited_quota: true };
const held = await people.member.client.call(organizationTokenApi.create, { params, body: token });
await owner.call(organizationTokenApi.create, { params, body: { ...token, service_account_id: account.id } });
await owner.call(organizationBudgetApi.create, {
  params,
  body: { kind: 'project', owner_id: project.id, amount: 5, period: 'day', note: `budget ${mark}` },
});
await owner.call(organizationMemberApi.invite, { params, body: { role: 'viewer' } });
await owner.call(organizationSsoApi.addDomain, { params, body: { domain: `${mark}.example` } });
await root.call(organizationSsoApi.createProvider, {
  params,
  body: { name: `provider ${mark}`, issuer: `https://${mark}.example`, client_id: mark },
});
await writeLogs(app.database, [
  {
    user_id: id,
    username: `org:Org ${mark}`,
    created_at: nowInSeconds(),
    type: 2,
    token_name: token.name,
    model_name: `model-${mark}`,
    channel: 1,
    quota: 3,
    prompt_tokens: 1,
    completion_tokens: 1,
    detail: JSON.stringify({ [tagsMember]: { [organizationTag.member]: String(people.member.user.id) } }),
  },
]);

/** IDs of the organization's objects, which an endpoint without an ownership check would return. */
const idsByName: Readonly<Record<string, number>> = {
  project: project.id,
  service_account: account.id,
  token: held.id,
};

/** Responses for the sign-in page are public: `GET /api/oauth/sso/:id/provider` names a provider and its organization. */
const isPublic = (endpoint: Endpoint): boolean => endpoint === ssoSignInApi.provider;

const isReading = ({ method, path, access, ...row }: Endpoint): boolean =>
  method === 'GET' && access !== 'root' && !('changes' in row && row.changes) && !path.endsWith('/export');

/** Values tried for `:id`: the organization and its API token. */
const inputsOf = ({ path }: Endpoint) =>
  [id, held.id].map((own) =>
    Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, idsByName[name] ?? own])),
  );

/** Query filters that match the organization, for endpoints that accept them. */
const queries = [{}, { keyword: mark }, { user_id: id, username: `org:Org ${mark}`, token_name: token.name, q: mark }];

async function leaksTo(client: ApiClient): Promise<readonly string[]> {
  const leaks = new Set<string>();
  for (const endpoint of endpoints.filter((each) => isReading(each) && !isPublic(each)))
    for (const input of inputsOf(endpoint))
      for (const query of queries) {
        const { text } = await client.send(endpoint, { params: input, query });
        if (text.includes(mark)) leaks.add(nameOf(endpoint));
      }
  return [...leaks].sort();
}

test('[A75.27] returns no organization data to non-members', async () => {
  const [outsider, otherOwner] = [(await signedInUser()).client, (await signedInUser()).client];
  await otherOwner.call(organizationApi.create, { body: { name: 'Other' } });
  expect(await leaksTo(app.client())).toEqual([]);
  expect(await leaksTo(outsider)).toEqual([]);
  expect(await leaksTo(otherOwner)).toEqual([]);
});

test('the leak check reports endpoints that return organization data to an owner', async () => {
  expect(await leaksTo(owner)).toEqual(
    expect.arrayContaining([
      'GET /api/organization/:id',
      'GET /api/organization/:id/logs',
      'GET /api/organization/:id/projects',
      'GET /api/organization/:id/sso/providers',
      'GET /api/organization/self',
    ]),
  );
});
