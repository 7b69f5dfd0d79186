import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { folded } from '../../testing/records/folded.ts';
import { relayScene } from '../../testing/relay/relay-scene.ts';
import { startTestApp } from '../../testing/test-app.ts';

type Scene = Awaited<ReturnType<typeof relayScene>>;

/** A charge as nodes wrote it before changes were appended: differences, straight into the tables, in one transaction. */
const chargeAsBefore = (database: Database, { user, token }: Scene, requestId: string) =>
  database.transaction().execute(async (connection) => {
    const now = nowInSeconds();
    const hour = now - (now % 3600);
    await sql`insert into logs (user_id, username, token_name, created_at, type, content, model_name, quota, request_id)
      values (${user.id}, ${user.username}, ${token.name}, ${now}, 2, '', 'gpt-4o', ${plainPrice}, ${requestId})`.execute(
      connection,
    );
    await sql`insert into user_days (day, type, user_id, rows, quota, prompt_tokens, completion_tokens,
      cached_tokens, cache_write_tokens, cost)
      values (${now - (now % 86400)}, 2, ${user.id}, 1, ${plainPrice}, 0, 0, 0, 0, 0)
      on conflict (day, type, user_id) do update set rows = user_days.rows + 1, quota = user_days.quota + excluded.quota`.execute(
      connection,
    );
    await sql`insert into log_hours (hour, type, rows, quota, prompt_tokens, completion_tokens,
      cached_tokens, cache_write_tokens, cost)
      values (${hour}, 2, 1, ${plainPrice}, 0, 0, 0, 0, 0)
      on conflict (hour, type) do update set rows = log_hours.rows + 1, quota = log_hours.quota + excluded.quota`.execute(
      connection,
    );
    await sql`update users set quota = quota - ${plainPrice}, used_quota = used_quota + ${plainPrice},
      request_count = request_count + 1 where id = ${user.id}`.execute(connection);
    await sql`update tokens set used_quota = used_quota + ${plainPrice} where id = ${token.id}`.execute(connection);
  });

test('beside a node of the version before, which writes totals straight into the tables, nothing is lost and nothing counted twice', async () => {
  await using app = await startTestApp();
  const scene = await relayScene(app, { upstreams: [completion()] });
  expect((await scene.chat()).status).toBe(200);
  for (let round = 0; round < 10; round += 1) {
    const older = Array.from({ length: 5 }, (_, index) =>
      chargeAsBefore(app.database, scene, `older ${round} ${index}`),
    );
    const newer = Array.from({ length: 5 }, async () => (await scene.chat({ max_tokens: 10 })).status);
    expect(await Promise.all(newer)).toEqual([200, 200, 200, 200, 200]);
    await Promise.all(older);
  }
  const all = { used_quota: 101 * plainPrice, request_count: 101, quota: 1_000_000 - 101 * plainPrice };
  const { user, token, logs, drift } = await scene.books();
  expect([user, token, logs.length, drift]).toMatchObject([all, { used_quota: 101 * plainPrice }, 101, 0]);
  await folded(app);
  const row = await app.database.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
  expect(row).toMatchObject(all);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, offenders: [] });
  await scene.close();
});
