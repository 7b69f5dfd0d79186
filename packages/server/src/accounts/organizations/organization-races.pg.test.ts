import {
  ledgerApi,
  logType,
  organizationBudgetApi,
  organizationTokenApi,
  projectApi,
  type Token,
  tokenApi,
} from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { organizationFixture } from '../../testing/accounts/organization-fixture.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const nodes = [app, await useTestApp({ beside: app }), await useTestApp({ beside: app })];
const root = await app.as('root');
const { people, createOrganization, join } = await organizationFixture(app);
const scene = await relayFixture(app, { upstreams: [completion()], group: 'default' });
afterAll(() => scene.close());

/** Points reserved for a request with at most 10 tokens on a low balance: (10 prompt tokens + 10 × 4) × 2.5. */
const held = 125;

async function chat(node: number, { key }: Pick<Token, 'key'>) {
  const response = await fetch(`${nodes[node % nodes.length]?.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.text();
  return response.status;
}

const accountOf = (id: number) =>
  app.database
    .selectFrom(currentTable(app.database, 'users'))
    .select(['quota', 'used_quota', 'credited'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const createToken = async (id: number, userId: number, body: object = {}) => {
  const token = await people.owner.client.call(organizationTokenApi.create, {
    params: { id },
    body: { name: `token ${userId}`, unlimited_quota: true, ...body },
  });
  await app.database.updateTable('tokens').set({ creator_id: userId }).where('id', '=', token.id).execute();
  return token;
};

describe('an organization on three nodes', () => {
  it('never exceeds its balance with 200 requests from 20 members', async () => {
    const balance = held * 12;
    const id = await createOrganization(balance);
    const tokens: Token[] = [];
    for (let n = 0; n < 20; n += 1) {
      const { id: userId } = await app.createUser();
      await join(id, userId, 'member');
      tokens.push(await createToken(id, userId));
    }
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, n) => chat(n, tokens[n % tokens.length] ?? { key: '' })),
    );
    const served = statuses.filter((status) => status === 200).length;
    // 503 if the request waited too long for the database.
    expect(statuses.filter((status) => ![200, 402, 429, 503].includes(status))).toEqual([]);
    expect(served).toBeGreaterThan(0);
    const { used_quota, quota, credited } = await accountOf(id);
    expect(used_quota).toBe(served * plainPrice);
    expect(used_quota).toBeLessThanOrEqual(balance);
    expect(credited - quota - used_quota).toBe(0);
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  });

  it("exceeds neither a member's cap nor a project's budget when both are reached at the same time", async () => {
    const id = await createOrganization(1_000_000);
    const { owner, member } = people;
    const { id: project } = await owner.client.call(projectApi.create, { params: { id }, body: { name: 'P' } });
    const amount = held * 6;
    const budgets = [
      { kind: 'member', owner_id: member.user.id },
      { kind: 'project', owner_id: project },
    ] as const;
    for (const budget of budgets)
      await owner.client.call(organizationBudgetApi.create, {
        params: { id },
        body: { ...budget, amount, period: 'all' },
      });
    const token = await createToken(id, member.user.id, { project_id: project });
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, n) => chat(n, token)));
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThan(0);
    const stored = await owner.client.call(organizationBudgetApi.list, { params: { id } });
    expect(stored.map(({ used }) => used)).toEqual([served * plainPrice, served * plainPrice]);
    expect(served * plainPrice).toBeLessThanOrEqual(amount);
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, budget_drift: 0 });
  });

  it('charges every request once while its token is moved between payers', async () => {
    const id = await createOrganization(1_000_000);
    const user = await app.createUser({ quota: 1_000_000 });
    const client = await app.signedIn(user.username, user.password);
    await join(id, user.id, 'member');
    const token = await client.call(tokenApi.create, { body: { name: 'moved', unlimited_quota: true } });
    const requests = Array.from({ length: 60 }, (_, n) => chat(n, token));
    for (let n = 0; n < 6; n += 1)
      await client.call(organizationTokenApi.move, {
        params: { id: token.id },
        body: { organization_id: n % 2 === 0 ? id : 0 },
      });
    const statuses = await Promise.all(requests);
    const served = statuses.filter((status) => status === 200).length;
    const [own, shared] = [await accountOf(user.id), await accountOf(id)];
    expect(served).toBeGreaterThan(0);
    expect(own.used_quota + shared.used_quota).toBe(served * plainPrice);
    const charged = await app.database
      .selectFrom('logs')
      .select('user_id')
      .where('user_id', 'in', [user.id, id])
      .where('type', '=', logType.consumption)
      .execute();
    expect(charged).toHaveLength(served);
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
  });
});
