import {
  alertApi,
  budgetApi,
  channelApi,
  channelKeyApi,
  circuitBreakerApi,
  dashboardApi,
  limitRuleApi,
  logApi,
  logType,
  routingApi,
  routingRuleDefaults,
} from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { alertFixture } from '../testing/observability/alert-fixture.ts';
import { writeLogs } from '../testing/records/sample-logs.ts';
import { relayFixture } from '../testing/relay/relay-fixture.ts';

/** A value written by nodes of a later version during a rolling upgrade. */
const later = 'of_a_later_version' as never;

const alerts = await alertFixture();
const { app, admin } = alerts;
const scene = await relayFixture(app, { upstreams: [completion()] });
const { id: channel } = await app.database.selectFrom('channels').select('id').executeTakeFirstOrThrow();
afterAll(async () => {
  await scene.close();
  await alerts[Symbol.asyncDispose]();
});

describe('[A57.4] rows written by a later version', () => {
  test('unknown failure reasons of channels and keys are listed as other', async () => {
    await admin.call(channelKeyApi.add, { params: { id: channel }, body: { keys: 'another-key-654321' } });
    const failure = { failure_reason: later, failure_time: 1, failure_count: 1 };
    await app.database
      .updateTable('channels')
      .set({ ...failure, test_reason: later, is_failing: 1, key_strategy: later })
      .execute();
    await app.database.updateTable('channel_keys').set(failure).execute();
    const pause = { channel_id: channel, model: 'm', message: '', status: 0, since: 1, next_probe: 1e10, pause: 60 };
    await app.database
      .insertInto('channel_pauses')
      .values({ ...pause, reason: later })
      .execute();
    const unknownReasons = { failure_reason: 'other', test_reason: 'other' };
    expect(await admin.call(channelApi.list, { query: {} })).toMatchObject([{ id: channel, ...unknownReasons }]);
    expect(await admin.call(channelApi.get, { params: { id: channel } })).toMatchObject(unknownReasons);
    expect(await admin.call(channelKeyApi.list, { params: { id: channel } })).toMatchObject([
      { failure_reason: 'other' },
      { failure_reason: 'other' },
    ]);
    expect(await admin.call(circuitBreakerApi.list, { params: { id: channel } })).toMatchObject([{ reason: 'other' }]);
    expect((await admin.call(dashboardApi.read, { query: {} })).channels.troubled).toHaveLength(1);
  });

  test('unknown failure reasons are counted as other', async () => {
    const failed = { created_at: 3600, type: logType.failure, channel, status: 500 };
    const log = (reason: never, model_name: string) => ({ ...failed, reason, model_name });
    const logs = [log(later, 'a'), log(later, 'b'), log('other' as never, 'a'), log('timeout' as never, 'a')];
    await writeLogs(app.database, [...logs, ...logs]);
    const counts = await admin.call(logApi.failures, { query: { channel } });
    expect(counts.map(({ reason, rows }) => [reason, rows])).toEqual([
      ['other', 6],
      ['timeout', 2],
    ]);
  });

  test('limits, routing rules and budgets with unknown values do not block requests, and the other rows are applied', async () => {
    const limit = { token_id: 0, user_id: 0, group: '', model: '', channel_id: 0, amount: 1, note: '' };
    const rule = { ...routingRuleDefaults, fits_window: 1, split_own_price: 0, created_time: 1 };
    const budget = { owner_kind: 'group', owner_id: 0, owner_group: scene.group, amount: 1, time_zone: 'UTC' } as const;
    await app.database
      .insertInto('limit_rules')
      .values([
        { ...limit, measure: later, counts_per: 'all', enabled: 1, created_time: 1 },
        { ...limit, measure: 'requests_per_minute', counts_per: later, enabled: 1, created_time: 1 },
      ])
      .execute();
    await app.database
      .insertInto('routing_rules')
      .values([
        { ...rule, strategy: later },
        { ...rule, affinity: later, group: scene.group },
      ])
      .execute();
    await app.database
      .insertInto('budgets')
      .values({ ...budget, period: later, enabled: 1, note: '', created_time: 1 })
      .execute();
    const held = await admin.call(limitRuleApi.create, { body: { measure: 'requests_per_minute', amount: 2 } });
    const named = await admin.call(routingApi.createRule, { body: { ...routingRuleDefaults, model: 'gpt-*' } });
    const paid = await admin.call(budgetApi.create, {
      body: { kind: 'group', group: scene.group, amount: 1_000_000, period: 'day', time_zone: 'UTC' },
    });
    const statuses = [await scene.chat(), await scene.chat(), await scene.chat()].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await admin.call(limitRuleApi.list, { query: {} })).map(({ id }) => id)).toEqual([held.id]);
    expect((await admin.call(routingApi.rules)).map(({ id }) => id)).toEqual([named.id]);
    expect((await admin.call(budgetApi.list, { query: {} })).map(({ id }) => id)).toEqual([paid.id]);
  });

  test('alert destinations with unknown values are ignored, and their alerts stay queued for newer nodes', async () => {
    const known = await alerts.receiver('slack');
    const other = await alerts.receiver('ntfy');
    await app.database.updateTable('alert_receivers').set({ kind: later }).where('id', '=', other.id).execute();
    const message = JSON.stringify({ time: 1, gateway: 'Gate', lines: [], link: '', isUrgent: false, values: {} });
    const waiting = { event_id: 'x', kind: 'test', receiver_name: 'x', title: 'x', message, state: 'waiting' } as const;
    const at = { created_time: alerts.clock.seconds, next_time: 1 };
    await app.database
      .insertInto('alert_queue')
      .values([
        { ...waiting, ...at, receiver_kind: later, receiver_id: other.id },
        { ...waiting, ...at, receiver_kind: 'slack', receiver_id: known.id },
      ])
      .execute();
    expect((await admin.call(alertApi.receivers)).map(({ id }) => id)).toEqual([known.id]);
    const ntfy = await alerts.receiver('ntfy');
    await app.database.updateTable('alert_receivers').set({ language: later }).where('id', '=', ntfy.id).execute();
    expect((await admin.call(alertApi.receivers)).map(({ id }) => id)).toEqual([known.id]);
    const states = () => app.database.selectFrom('alert_queue').select(['state', 'tries']).orderBy('id').execute();
    await expect.poll(states).toEqual([
      { state: 'waiting', tries: 0 },
      { state: 'sent', tries: 1 },
    ]);
    const history = () => admin.call(alertApi.history, { query: {} });
    expect((await history()).map(({ state }) => state)).toEqual(['sent', 'waiting']);
    await app.database.updateTable('alert_queue').set({ state: later }).where('state', '=', 'waiting').execute();
    expect((await history()).map(({ state }) => state)).toEqual(['sent']);
  });

  test('alert rules of an unknown kind do not affect the other rules', async () => {
    const known = await alerts.rule({ kind: 'new_admin' });
    const other = await alerts.rule({ kind: 'new_place' });
    await app.database.updateTable('alert_rules').set({ kind: later }).where('id', '=', other).execute();
    expect((await admin.call(alertApi.rules)).map(({ id }) => id)).toEqual([known]);
  });
});
