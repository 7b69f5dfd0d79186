import { ledgerApi, tokenApi, tokenBulkApi, userApi } from '@headgate/contract';
import { completion, plainPrice, reply } from '@headgate/testkit';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { withUnappliedTotals } from '../../testing/database/hold-totals.ts';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { type TestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

const balanced = { drift: 0, log_drift: 0, offenders: [] };

type Scene = Awaited<ReturnType<typeof relayFixture>>;

/** All endpoints that return a total, for an admin, the user, and API clients with the token. */
const readersOf = ({ user, token, group }: Scene, begin: number) => {
  return {
    admin: [
      `/api/user/?order=used_quota`,
      `/api/user/search?keyword=${user.username}`,
      `/api/user/${user.id}`,
      `/api/user/?quota_below=1000000`,
      `/api/user/export?format=csv`,
      `/api/channel/?sort=used_quota`,
      `/api/channel/search?keyword=${group}`,
      `/api/channel/export?format=csv`,
      `/api/log/?username=${user.username}`,
      `/api/log/stat?username=${user.username}`,
      `/api/log/stat?model_name=gpt-4o&start_timestamp=${begin}`,
      `/api/log/suggest?field=username&keyword=${user.username}`,
      `/api/log/suggest?field=model_name&keyword=gpt`,
      `/api/log/failures`,
      `/api/usage?rows=model&start_timestamp=${begin}`,
      `/api/usage?rows=user&start_timestamp=${begin}`,
      `/api/usage?rows=channel&columns=hour&start_timestamp=${begin}`,
      `/api/home?start_timestamp=${begin - (begin % 3600)}`,
    ],
    own: [
      '/api/user/self',
      '/api/user/dashboard',
      '/api/token/?sort=used_quota',
      '/api/token/counts',
      `/api/token/${token.id}`,
      '/api/token/export?format=csv',
      '/api/home/self',
      '/api/log/self/stat',
      '/api/log/self/suggest?field=token_name&keyword=rel',
      `/api/usage/self?rows=token&start_timestamp=${begin}`,
    ],
    relay: ['/v1/dashboard/billing/subscription', '/v1/dashboard/billing/usage'],
  };
};

/** Responses of all these endpoints. */
async function responsesOf({ url }: TestApp, scene: Scene, begin: number): Promise<Record<string, unknown>> {
  const { admin, own, relay } = readersOf(scene, begin);
  const responses: Record<string, unknown> = {};
  for (const [client, paths] of [[scene.admin, admin] as const, [scene.client, own] as const]) {
    for (const path of paths) {
      const { status, text } = await client.request('GET', path);
      expect([path, status]).toEqual([path, 200]);
      responses[path] = text;
    }
  }
  for (const path of relay) {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer sk-${scene.token.key}` } });
    expect([path, response.status]).toEqual([path, 200]);
    responses[path] = await response.text();
  }
  return responses;
}

describe('[A9.10] totals with pending changes', () => {
  test('every endpoint returns the same totals before and after the changes are applied', async () => {
    const scene = await relayFixture(app, {
      upstreams: [completion()],
      token: { unlimited_quota: false, remain_quota: 10_000 },
    });
    const [upstream] = scene.upstreams;
    if (!upstream) throw new Error('no upstream');
    await waitUntilTotalsApplied(app);
    const begin = nowInSeconds() - 7200;
    const before = await withUnappliedTotals(app, async () => {
      for (let count = 0; count < 3; count += 1) expect((await scene.chat()).status).toBe(200);
      upstream.handler = reply({ error: { message: 'broken' } }, 500);
      expect((await scene.chat()).ok).toBe(false);
      const { user, token } = await scene.books();
      expect(user).toMatchObject({ quota: 1_000_000 - 3 * plainPrice, used_quota: 3 * plainPrice, request_count: 4 });
      expect(token).toMatchObject({ remain_quota: 10_000 - 3 * plainPrice, used_quota: 3 * plainPrice });
      expect(token?.accessed_time).toBeGreaterThan(0);
      // The table itself does not contain the changes yet.
      const tables = await app.database.selectFrom('users').select('used_quota').where('id', '=', user.id).execute();
      expect(tables).toEqual([{ used_quota: 0 }]);
      expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
      return responsesOf(app, scene, begin);
    });
    await waitUntilTotalsApplied(app);
    const stored = await app.database
      .selectFrom('users')
      .select('used_quota')
      .where('id', '=', scene.user.id)
      .execute();
    expect(stored).toEqual([{ used_quota: 3 * plainPrice }]);
    expect(await responsesOf(app, scene, begin)).toEqual(before);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  });

  test('keeps pending changes when the remaining quota is set, for one row or in bulk', async () => {
    const scene = await relayFixture(app, {
      upstreams: [completion()],
      token: { unlimited_quota: false, remain_quota: 10_000 },
    });
    const { id } = scene.token;
    const spend = async () => expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
    const left = async () => (await scene.client.call(tokenApi.get, { params: { id } })).remain_quota;
    await withUnappliedTotals(app, async () => {
      await spend();
      expect(await left()).toBe(10_000 - plainPrice);
      await scene.client.call(tokenApi.update, {
        query: {},
        body: { id, remain_quota: 5000, remain_quota_was: 10_000 - plainPrice },
      });
      expect(await left()).toBe(5000);
      await spend();
      expect(await left()).toBe(5000 - plainPrice);
      const change = { kind: 'quota', remain_quota: 7000 } as const;
      await scene.client.call(tokenBulkApi.run, { body: { chosen: { ids: [id] }, change, preview: false } });
      expect(await left()).toBe(7000);
      await spend();
      expect(await left()).toBe(7000 - plainPrice);
      const quota = 1_000_000 - 3 * plainPrice;
      await scene.admin.call(userApi.update, { body: { id: scene.user.id, quota: 500, quota_was: quota } });
      expect((await scene.books()).user).toMatchObject({ quota: 500, used_quota: 3 * plainPrice });
      expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    });
    await waitUntilTotalsApplied(app);
    expect(await left()).toBe(7000 - plainPrice);
    expect((await scene.books()).user).toMatchObject({ quota: 500, used_quota: 3 * plainPrice });
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  });

  test('deletes pending changes together with their token or channel', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await withUnappliedTotals(app, async () => {
      expect((await scene.chat()).status).toBe(200);
      await scene.client.call(tokenApi.remove, { params: { id: scene.token.id } });
    });
    await waitUntilTotalsApplied(app);
    expect((await scene.books()).user).toMatchObject({ used_quota: plainPrice });
    await scene.close();
  });
});

test('views of totals have every column of their tables, including columns added by later migrations', async () => {
  const { rows } = await sql<{ table_name: string; names: string }>`
    select table_name, string_agg(column_name, ' ' order by column_name) as names from information_schema.columns
    where table_schema = current_schema() group by table_name`.execute(app.database);
  const columns = new Map(rows.map(({ table_name, names }) => [table_name, names]));
  const views = [...columns.keys()].filter((name) => name.endsWith('_now'));
  expect(views).toContain('users_now');
  for (const view of views) expect(columns.get(view), view).toBe(columns.get(view.slice(0, -'_now'.length)));
});

/** PostgreSQL's plan for a query, as on a large table. */
function planOf(app: TestApp, query: RawBuilder<unknown>): Promise<string> {
  return app.database.connection().execute(async (connection) => {
    // Sequential scans are disabled because these tables are too small for PostgreSQL to choose an index.
    await sql`set enable_seqscan = off`.execute(connection);
    const { rows } = await sql<Record<'QUERY PLAN', string>>`explain ${query}`.execute(connection);
    await sql`reset enable_seqscan`.execute(connection);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

test.each(['users', 'tokens', 'channels'])(
  'reads only the pending changes of the matching rows when %s are found by name',
  async (table) => {
    const named = { users: 'username', tokens: 'key_hash', channels: 'name' }[table] ?? '';
    const plan = await planOf(app, sql`select * from ${sql.table(`${table}_now`)} where ${sql.ref(named)} = 'a'`);
    expect(plan).toMatch(/Index Cond: .*owner_id = stored\.id/u);
  },
);

test("uses an index to find a user's names in the logs", async () => {
  const plan = await planOf(app, sql`select user_id from log_names_now where user_id in (1) and username <> 'a'`);
  expect(plan).toMatch(/log_names_user.*\n\s+Index Cond: \(user_id = 1\)/u);
});

test('finds logs that are not rolled up by id', async () => {
  const plan = await planOf(app, sql`select sum(quota) from usage_days_now where type = 2`);
  expect(plan).toMatch(/Index Scan using logs_\w+_pkey.*\n\s+Index Cond: \(\(id > /u);
});
