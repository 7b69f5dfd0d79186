import { budgetApi, ledgerApi, limitRuleApi, tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { TagKeys: 'team,feature,end_user' } });
const scene = await relayFixture(app, { upstreams: [completion()] });
afterAll(() => scene.close());

const send = (tags: string, body: object = {}) =>
  scene.chat(
    { max_tokens: 10, ...body },
    {
      headers: {
        authorization: `Bearer sk-${scene.token.key}`,
        'content-type': 'application/json',
        'x-headgate-tags': tags,
      },
    },
  );
const statusOf = async (tags: string, body?: object) => (await send(tags, body)).status;
const errorOf = async (tags: string) =>
  ((await (await send(tags)).json()) as { error: { message: string; code: string } }).error;

const limitTo = (amount: number, rule: object) =>
  scene.admin.call(limitRuleApi.create, { body: { measure: 'requests_per_minute', amount, ...rule } });

describe('limits by tag', () => {
  it('apply to requests with the tag, and name it in the error', async () => {
    await limitTo(1, { tag: ' Team = limited' });
    expect(await statusOf('team=limited')).toBe(200);
    expect(await errorOf('team=limited,feature=x')).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(
        /^The limit of 1 request per minute for requests with the tag team=limited is used up/,
      ),
    });
    expect([await statusOf('team=free'), await statusOf('')]).toEqual([200, 200]);
  });

  it('count each end user separately', async () => {
    await limitTo(1, { tag: 'end_user=*', counts_per: 'tag', user_id: scene.user.id });
    const statuses: number[] = [];
    for (const user of ['ada', 'ada', 'bob', 'bob']) statuses.push(await statusOf('', { user }));
    expect(statuses).toEqual([200, 429, 200, 429]);
    expect(await statusOf('')).toBe(200);
  });

  it('limit the daily cost of each tag value', async () => {
    const rule = await limitTo(600, { tag: 'feature=*', counts_per: 'tag', measure: 'cost_per_day' });
    expect([await statusOf('feature=day1'), await statusOf('feature=day2')]).toEqual([200, 200]);
    const { logs } = await scene.books();
    const [shown] = await scene.admin.call(limitRuleApi.list, { query: { measure: 'cost_per_day' } });
    expect(shown?.used).toBe(logs.at(-1)?.quota);
    expect(await errorOf('feature=day1')).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(
        /^The limit of 600 points per day for requests with the tag feature=\* is used up/,
      ),
    });
    await scene.admin.call(limitRuleApi.remove, { params: { id: rule.id } });
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
  });

  it('[A74.3] count end users separately for each gateway user', async () => {
    const rule = await limitTo(1, { tag: 'end_user=*', counts_per: 'tag' });
    const other = await relayFixture(app, { upstreams: [completion()] });
    const statuses = [
      (await other.chat({ user: 'carol' })).status,
      (await other.chat({ user: 'carol' })).status,
      await statusOf('', { user: 'carol' }),
    ];
    await other.close();
    await scene.admin.call(limitRuleApi.remove, { params: { id: rule.id } });
    expect(statuses).toEqual([200, 429, 200]);
  });

  it("count all sessions of an Anthropic client's end user together", async () => {
    const message = { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
    const statusFor = async (user_id: string) =>
      (await scene.post('/v1/messages', { ...message, metadata: { user_id } })).status;
    await limitTo(1, { tag: 'end_user=*', counts_per: 'tag', user_id: scene.user.id });
    const statuses: number[] = [];
    for (const id of ['user_a1_account__session_1', 'user_a1_account__session_2', 'user_b2_account__session_1'])
      statuses.push(await statusFor(id));
    expect(statuses).toEqual([200, 429, 200]);
  });

  it.each([
    { counts_per: 'tag' },
    { tag: 'team' },
    { tag: '=x' },
    { tag: 'team=a*' },
    { tag: 'org.project=1' },
    { tag: `team=${'x'.repeat(200)}` },
  ])('reject %j', async (wrong) => {
    const body = { measure: 'requests_per_minute', amount: 1, ...wrong } as const;
    expect((await scene.admin.send(limitRuleApi.create, { body: body as object })).body).toMatchObject({
      success: false,
    });
  });
});

describe('budgets by tag', () => {
  /** Reserved by a request with max_tokens 10. */
  const reserved = 125;
  const budgetFor = (tag: string) =>
    scene.admin.call(budgetApi.create, { body: { kind: 'tag', tag, amount: reserved, period: 'month' } });

  it('are shared by all requests with the tag, and can be changed and deleted', async () => {
    const { id, owner } = await budgetFor('Team=paid');
    expect(owner).toBe('team=paid');
    expect(await statusOf('team=paid')).toBe(200);
    expect(await errorOf('team=paid,feature=x')).toMatchObject({
      code: 'budget_exhausted',
      message: expect.stringMatching(/^The monthly budget of tag team=paid /),
    });
    expect([await statusOf('team=other'), await statusOf('')]).toEqual([200, 200]);
    const [shown] = await scene.admin.call(budgetApi.list, { query: { keyword: 'team=paid' } });
    expect(shown).toMatchObject({ id, kind: 'tag', owner_id: 0, user_id: 0, used: expect.any(Number) });
    expect(shown?.used).toBeGreaterThan(0);
    await scene.admin.call(budgetApi.update, { body: { id, amount: reserved * 3 } });
    expect(await statusOf('team=paid')).toBe(200);
    await scene.admin.call(budgetApi.update, { body: { id, amount: 1 } });
    expect(await statusOf('team=paid')).toBe(429);
    await scene.admin.call(budgetApi.remove, { params: { id } });
    expect(await statusOf('team=paid')).toBe(200);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  });

  it('cannot be avoided by the clients of a token with fixed tags', async () => {
    await scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, fixed_tags: 'team=fixed' } });
    await budgetFor('team=fixed');
    expect(await statusOf('team=other')).toBe(200);
    expect(await errorOf('team=other')).toMatchObject({ code: 'budget_exhausted' });
  });

  it.each([
    { kind: 'tag' },
    { kind: 'tag', tag: 'team=*' },
    { kind: 'tag', tag: 'team=x', owner_id: 1 },
    { kind: 'tag', tag: 'team=x', group: 'default' },
    { kind: 'group', tag: 'team=x' },
  ])('reject %j', async (owner) => {
    const body = { ...owner, amount: 1, period: 'day' };
    expect((await scene.admin.send(budgetApi.create, { body: body as never })).body).toMatchObject({ success: false });
  });
});
