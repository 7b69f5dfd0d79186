import { ledgerApi, logApi, optionApi, userStatus } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { rollUpAll } from '../logs/rollup-repository.ts';

test('reports a balanced ledger', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  await app.createUser({ quota: 5, used_quota: 7 });
  await app.createUser({ quota: -3, used_quota: 3 });
  const { body } = await admin.send(ledgerApi.check);
  expect(body).toEqual({
    success: true,
    message: '',
    data: { users: 4, drift: 0, log_drift: 0, budget_drift: 0, offenders: [], set_aside: 0 },
  });
});

test('does not offset missing quota against excess quota', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  const missing = await app.createUser({ quota: 5, used_quota: 7, credited: 20 });
  const tooMuch = await app.createUser({ quota: 8, credited: 0 });
  const deleted = await app.createUser({ quota: 1, credited: 101, status: userStatus.deleted });
  await app.createUser({ quota: 1, status: userStatus.disabled });
  expect(await admin.call(ledgerApi.check)).toEqual({
    users: 6,
    drift: 116,
    log_drift: 0,
    budget_drift: 0,
    offenders: [
      { id: deleted.id, username: deleted.username, drift: 100, log_drift: 0 },
      { id: missing.id, username: missing.username, drift: 8, log_drift: 0 },
      { id: tooMuch.id, username: tooMuch.username, drift: -8, log_drift: 0 },
    ],
    set_aside: 0,
  });
});

test('lists the 100 users with the largest drift', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  for (let drift = 1; drift <= 101; drift += 1) await app.createUser({ credited: drift });
  const { drift, offenders } = await admin.call(ledgerApi.check);
  expect(drift).toBe((101 * 102) / 2);
  expect(offenders.map((offender) => offender.drift)).toEqual(Array.from({ length: 100 }, (_, index) => 101 - index));
});

test('returns a drift that exceeds safe integers', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  for (let count = 0; count < 3; count += 1) await app.createUser({ credited: Number.MAX_SAFE_INTEGER });
  expect(await admin.call(ledgerApi.check)).toMatchObject({ drift: Number.MAX_SAFE_INTEGER, offenders: [{}, {}, {}] });
  expect(await admin.call(logApi.stat, { query: {} })).toEqual({ quota: 0 });
});

describe('[A9.8] logged consumption', () => {
  const balanced = { drift: 0, log_drift: 0, offenders: [] };

  test('matches the used quota while requests are served, with and without logging, and after logs are deleted', async () => {
    await using app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const root = await app.as('root');
    for (const value of ['false', 'true']) {
      await root.call(optionApi.update, { body: { key: 'LogConsumeEnabled', value } });
      for (let count = 0; count < 2; count += 1) expect((await scene.chat()).status).toBe(200);
      expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    }
    await scene.admin.call(logApi.clean, { query: { target_timestamp: nowInSeconds() + 1 } });
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    expect(await scene.books()).toMatchObject({ logs: [], user: { unlogged_quota: 4 * plainPrice } });
    expect((await scene.chat()).status).toBe(200);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    expect((await scene.books()).user).toMatchObject({ used_quota: 5 * plainPrice, unlogged_quota: 4 * plainPrice });
    await scene.close();
  });

  test('reports a user whose charge or log is missing', async () => {
    await using app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [completion()] });
    for (let count = 0; count < 2; count += 1) expect((await scene.chat()).status).toBe(200);
    const { id, username } = scene.user;
    await rollUpAll(app.database);
    await app.database.updateTable('usage_days').set({ quota: plainPrice }).where('user_id', '=', id).execute();
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject({
      drift: 0,
      log_drift: plainPrice,
      offenders: [{ id, username, drift: 0, log_drift: plainPrice }],
    });
    await scene.close();
  });
});
