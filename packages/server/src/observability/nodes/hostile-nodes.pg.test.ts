import { nodeApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ config: { nodeName: 'sound' } });

test('[A36.1] a node that reports an extreme number of failures does not block another node', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const say = (text: string) =>
    sql`select pg_notify('headgate_broadcasts', ${`somebody rests ${text}`})`.execute(app.database);
  for (const waitMs of ['0', '1e308']) await say(`[[1,[0,${Number.MAX_SAFE_INTEGER},${waitMs}]]]`);
  await expect.poll(async () => (await scene.admin.call(nodeApi.list)).length).toBe(1);
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  await scene.close();
});

test('[A36.2] a node with malformed settings, an endless name and impossible metrics is listed', async () => {
  const admin = await app.as('admin');
  const most = '9223372036854775807';
  const list = async (settings: string) => {
    await sql`insert into nodes (id, name, version, started_time, settings, seen_ms, running, lag_ms, lease_number, unconfirmed_time)
      values ('odd', ${'<b>'.repeat(10_000)}, ${'9'.repeat(10_000)}, ${most}::bigint, ${settings}, -${most}::bigint, -5, ${most}::bigint, 0, ${most}::bigint)
      on conflict (id) do update set settings = excluded.settings`.execute(app.database);
    return admin.call(nodeApi.list);
  };
  const long = `{"B":"${'x'.repeat(100_000)}"}`;
  for (const settings of ['{"A":1,"B":"two"}', '{"A":{"b":[1]},"B":"two"}', '[1]', 'null', '{', long]) {
    // Nodes last seen this long ago are dropped at the next heartbeat.
    const names = async () => (await list(settings)).map(({ name }) => name.slice(0, 5)).sort();
    await expect.poll(names, { message: settings.slice(0, 30) }).toEqual(['<b><b', 'sound']);
    expect(JSON.stringify(await list(settings)).length).toBeLessThan(10_000);
  }
});
