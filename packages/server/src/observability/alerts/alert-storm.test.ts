import { expect, test } from 'vitest';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { alertFixture } from '../../testing/observability/alert-fixture.ts';
import { AlertCache } from './alert-cache.ts';
import { AlertChannelRepository } from './alert-channel-repository.ts';
import { AlertDestinationRepository } from './alert-destination-repository.ts';
import { AlertQueueRepository } from './alert-queue-repository.ts';
import { AlertRuleRepository } from './alert-rule-repository.ts';
import { AlertService } from './alert-service.ts';

type Scene = Awaited<ReturnType<typeof alertFixture>>;

/** An alert service on the test app's database. */
async function serviceOn({ app, clock }: Scene, failures: unknown[]) {
  const { database } = app;
  const book = new AlertCache(new AlertDestinationRepository(database), new AlertRuleRepository(database));
  await book.load();
  const inTransaction: InTransaction = (work) =>
    database.transaction().execute((connection) =>
      work({
        database: connection,
        changed: () => undefined,
        beforeCommit: () => expect.fail('nothing is left for it'),
        afterCommit: () => expect.fail('nothing is left for it'),
      }),
    );
  return new AlertService({
    book,
    queue: new AlertQueueRepository(database),
    facts: new AlertChannelRepository(database),
    inTransaction,
    onQueued: () => undefined,
    onUnruled: () => expect.fail('there is a rule'),
    gateway: () => ({ name: 'Headgate', url: undefined }),
    now: clock.now,
    onFailure: (error) => failures.push(error),
  });
}

const adminEvent = (id: number) =>
  ({ kind: 'new_admin', subject: `user:${id}`, values: { id, user: `user${id}`, admin: 'root' } }) as const;

const queued = ({ app }: Scene) => app.database.selectFrom('alert_queue').select(['receiver_id', 'message']).execute();

test('[A47.6] a thousand concurrent events reach every destination of a rule once each, within the queue limit', async () => {
  await using scene = await alertFixture();
  const receivers = [];
  for (let count = 0; count < 4; count += 1) receivers.push((await scene.receiver('slack', `slack ${count}`)).id);
  await scene.rule({ kind: 'new_admin', receivers });
  // Sending fails, so that the queue can be inspected.
  scene.out.faults.set('slack', () => ({ status: 500, body: 'no' }));
  const failures: unknown[] = [];
  const alerts = await serviceOn(scene, failures);
  for (let id = 1; id <= 1000; id += 1) alerts.raise(adminEvent(id));
  await alerts.flush();
  expect(failures).toEqual([]);
  expect(await queued(scene)).toHaveLength(4000);
  for (let id = 1001; id <= 2000; id += 1) alerts.raise(adminEvent(id));
  await alerts.flush();
  expect((await queued(scene)).length).toBeLessThanOrEqual(5000);
});

test('[A47.6] an event with a repeat interval is queued once, even if it occurs many times concurrently', async () => {
  await using scene = await alertFixture();
  await scene.rule({ kind: 'new_admin', repeat_minutes: 60 });
  const alerts = await serviceOn(scene, []);
  for (let count = 0; count < 1000; count += 1) alerts.raise(adminEvent(7));
  await alerts.flush();
  expect(await queued(scene)).toHaveLength(1);
});

test('[A47.7] a failing destination is skipped for a while and delays no other', async () => {
  await using scene = await alertFixture();
  const failing = await scene.receiver('webhook');
  const { id: other } = await scene.receiver('slack');
  scene.out.faults.set('webhook', () => ({ status: 503, body: 'later' }));
  const row = (receiver_id: number, kind: string, index: number, next_time: number) => ({
    event_id: `e${index}`,
    kind: 'new_admin',
    receiver_id,
    receiver_kind: kind,
    receiver_name: kind,
    title: 'title',
    message: '{"lines":["line"],"link":"","time":0,"gateway":"x","isUrgent":false,"values":{}}',
    state: 'waiting' as const,
    created_time: next_time,
    next_time,
  });
  const { seconds } = scene.clock;
  const rows = Array.from({ length: 200 }, (_, index) => row(failing.id, 'webhook', index, seconds - 100));
  await scene.app.database
    .insertInto('alert_queue')
    .values([...rows, row(other, 'slack', 200, seconds)])
    .execute();
  await expect.poll(() => scene.out.alerts.filter(({ receiver }) => receiver === 'slack').length).toBe(1);
  expect(scene.out.alerts.filter(({ receiver }) => receiver === 'webhook').length).toBeLessThanOrEqual(16);
  // Once the destination works again, it receives all alerts.
  scene.out.faults.clear();
  scene.clock.seconds += 31;
  const left = () => scene.app.database.selectFrom('alert_queue').where('state', '=', 'waiting').selectAll().execute();
  await expect.poll(async () => (await left()).length).toBe(0);
});
