import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { postgresChangeFeed } from '../db/change-feed.ts';
import { BatchedBroadcast, countSchema } from './batched-broadcast.ts';

const texts = ['{', '', '7', '[7]', '[[1]]', '[[1,"many"]]', '[[1,-5]]', '[[1,null]]', '[[{},1]]', '[[1,[0,"x"]]]'];

test('logs and ignores unreadable messages from other nodes', async () => {
  await using app = await startTestApp();
  const warn = vi.fn();
  const feed = await postgresChangeFeed(app.location.databaseUrl ?? '', { warn, error: vi.fn() });
  const received: unknown[] = [];
  new BatchedBroadcast<number, number>(
    feed.broadcasts,
    { topic: 'cooldowns', value: countSchema },
    (key, value) => void received.push([key, value]),
  );
  const say = (topic: string, text: string) =>
    sql`select pg_notify('headgate_broadcasts', ${`somebody ${topic} ${text}`})`.execute(app.database);
  for (const text of texts) {
    for (const topic of ['cooldowns', 'under-way-users', 'under-way-tokens', 'nothing']) await say(topic, text);
  }
  await say('cooldowns', '[[1,2]]');
  await expect.poll(() => received).toEqual([[1, 2]]);
  expect(warn).toHaveBeenCalledTimes(texts.length);
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  await scene.close();
  await feed.close();
});
