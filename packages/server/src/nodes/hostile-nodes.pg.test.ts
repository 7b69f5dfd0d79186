import { nodeApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { relayScene } from '../testing/relay-scene.ts';
import { startTestApp } from '../testing/test-app.ts';

const oddSettings = [
  '{"A":1,"B":"two"}',
  '{"A":{"b":[1]},"B":"two"}',
  '[1]',
  'null',
  '{',
  `{"B":"${'x'.repeat(100_000)}"}`,
];

test('[A36.1] a node that tells of more failures than can be counted keeps no other node busy', async () => {
  await using app = await startTestApp();
  const scene = await relayScene(app, { upstreams: [completion()] });
  const say = (text: string) =>
    sql`select pg_notify('headgate_broadcasts', ${`somebody rests ${text}`})`.execute(app.database);
  for (const waitMs of ['0', '1e308']) await say(`[[1,[0,${Number.MAX_SAFE_INTEGER},${waitMs}]]]`);
  await expect.poll(async () => (await scene.admin.call(nodeApi.list)).length).toBe(1);
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  await scene.close();
});

test.each(oddSettings.map((text) => [text.slice(0, 30), text]))(
  '[A36.2] the row of a node with the settings %s, a name without end and figures beyond all is listed',
  async (_, settings) => {
    await using app = await startTestApp({ config: { nodeName: 'sound' } });
    const most = '9223372036854775807';
    await sql`insert into nodes (id, name, version, started_time, settings, seen_ms, running, lag_ms, lease_number, unconfirmed_time)
    values ('odd', ${'<b>'.repeat(10_000)}, ${'9'.repeat(10_000)}, ${most}::bigint, ${settings}, -${most}::bigint, -5, ${most}::bigint, 0, ${most}::bigint)`.execute(
      app.database,
    );
    const nodes = await (await app.as('admin')).call(nodeApi.list);
    expect(nodes.map(({ name }) => name.slice(0, 5)).sort()).toEqual(['<b><b', 'sound']);
    expect(JSON.stringify(nodes).length).toBeLessThan(10_000);
  },
);
