import { setImmediate as turn } from 'node:timers/promises';
import { type Log, logApi, logType } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { currentRollups, latencies, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const hour = 3600;

const random = sampleNumbers(3);
const upTo = (max: number) => Math.floor(random() * max);

const reasons = ['rate_limited', 'overloaded'] as const;

/** Varied logs over four hours. */
const manyLogs = (length: number) =>
  Array.from({ length }, () => ({
    created_at: sampleHour + upTo(4 * hour),
    type: 1 + upTo(5),
    user_id: 1 + upTo(9),
    token_name: `t${upTo(5)}`,
    model_name: ['', 'a', 'b'][upTo(3)] ?? '',
    channel: upTo(4),
    group: ['', 'default', 'vip'][upTo(3)] ?? '',
    quota: upTo(99),
    prompt_tokens: upTo(9),
    cached_tokens: upTo(5),
    cost: upTo(50),
    elapsed_time: upTo(3) * 1000,
    first_byte_time: upTo(3) * 100,
    status: [429, 500][upTo(2)] ?? 0,
    reason: reasons[upTo(2)] ?? ('' as const),
  }));

const countLogs = async ({ database }: TestApp) => {
  const { count } = await database
    .selectFrom('logs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

async function expectSumsToAgree({ database }: TestApp) {
  expect(await currentRollups(database)).toEqual(await rollupsOfLogs(database));
  const { stored, ofLogs } = await latencies(database);
  expect(stored).toEqual(ofLogs);
}

const cleanedBefore = { type: logType.management, size: 100 };

test('[S7.65] deletes the logs before a time, returns their number, and writes an audit event with the admin', async () => {
  await using app = await startTestApp();
  const { id, username, password } = await app.createUser({ role: 10 });
  const admin = await app.signedIn(username, password);
  const logs = manyLogs(1700);
  await writeLogs(app.database, logs);
  await expectSumsToAgree(app);
  const target = sampleHour + 2 * hour + 123;
  const old = logs.filter(({ created_at }) => created_at < target).length;
  expect(old).toBeGreaterThan(500);

  const { body } = await admin.send(logApi.clean, { query: { target_timestamp: target } });
  expect(body).toEqual({ success: true, message: '', data: old });

  await expectSumsToAgree(app);
  const left = await app.database.selectFrom('logs').selectAll().where('created_at', '<', target).execute();
  expect(left).toEqual([]);
  expect(await countLogs(app)).toBe(1700 - old + 1);
  const { rows } = await admin.page(logApi.list, { query: cleanedBefore });
  expect(rows[0]).toMatchObject({
    user_id: id,
    username,
    type: logType.management,
    quota: 0,
    content: `${username} deleted ${old} logs before 2023-11-15 00:02:03`,
  });
  expect(JSON.parse((rows[0] as Log).detail)).toEqual({
    event: 'log.cleaned',
    values: { admin: username, count: old, time: '2023-11-15 00:02:03', seconds: target },
    from: '127.0.0.1',
  });
});

test('keeps logs at the given second and deletes empty rollup rows', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  await writeLogs(app.database, [
    { created_at: sampleHour + 5, quota: 1, model_name: 'm', channel: 1 },
    { created_at: sampleHour + hour, quota: 2, model_name: 'm', channel: 1 },
  ]);
  expect(await admin.call(logApi.clean, { query: { target_timestamp: sampleHour + 5 } })).toBe(0);
  expect(await admin.call(logApi.clean, { query: { target_timestamp: sampleHour + 6 } })).toBe(1);
  const { site_hours, usage_hours } = await currentRollups(app.database);
  for (const table of [site_hours, usage_hours]) {
    expect(table).not.toContainEqual(expect.objectContaining({ hour: sampleHour }));
    expect(table).toContainEqual(expect.objectContaining({ hour: sampleHour + hour, rows: 1, quota: 2 }));
  }
});

test('deletes all logs when the time is in the future', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  await writeLogs(app.database, manyLogs(10));
  expect(await admin.call(logApi.clean, { query: { target_timestamp: Number.MAX_SAFE_INTEGER } })).toBe(10);
  const { rows, total } = await admin.page(logApi.list, { query: {} });
  expect(total).toBe(1);
  expect(rows[0]?.content).toContain(`deleted 10 logs before ${Number.MAX_SAFE_INTEGER}`);
});

test('[A73.4] an admin does not delete logs that are not exported yet, but the super admin does', async () => {
  await using app = await startTestApp();
  const [admin, root] = [await app.as('admin'), await app.as('root')];
  await writeLogs(
    app.database,
    [1, 2, 3, 4].map((index) => ({ created_at: sampleHour + index })),
  );
  const { id } = await app.database
    .selectFrom('logs')
    .select('id')
    .where('created_at', '=', sampleHour + 2)
    .executeTakeFirstOrThrow();
  const common = { kind: 'http', settings_sealed: '', created_time: 0, next_time: Number.MAX_SAFE_INTEGER } as const;
  await app.database
    .insertInto('log_exports')
    .values([
      { ...common, name: 'SIEM', enabled: 1, cursor_id: id },
      { ...common, name: 'paused', enabled: 0, cursor_id: 0 },
    ])
    .execute();
  const query = { target_timestamp: sampleHour + hour };
  expect(await admin.call(logApi.clean, { query })).toBe(2);
  expect(await admin.call(logApi.clean, { query })).toBe(0);
  await expectSumsToAgree(app);
  expect(await root.call(logApi.clean, { query })).toBe(2);
});

test('rejects a cleanup without a valid time or by an ordinary user', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  await writeLogs(app.database, manyLogs(3));
  for (const query of [{}, { target_timestamp: 0 }, { target_timestamp: '' }]) {
    const response = await admin.send(logApi.clean, { query });
    expect(response.status, JSON.stringify(query)).toBe(200);
    expect(response.body).toEqual({ success: false, message: 'A target timestamp is required' });
  }
  for (const target_timestamp of [-1, 1.5, 'now', '1; drop table logs', 2 ** 53]) {
    expect((await admin.send(logApi.clean, { query: { target_timestamp } })).status, `${target_timestamp}`).toBe(400);
  }
  const response = await (await app.as('user')).send(logApi.clean, { query: { target_timestamp: sampleHour * 2 } });
  expect(response.status).toBe(403);
  expect(await countLogs(app)).toBe(3);
});

test('rejects a cleanup while another one is running', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  await writeLogs(app.database, manyLogs(3000));
  const query = { target_timestamp: sampleHour + 4 * hour };
  const responses = await Promise.all([1, 2].map(() => admin.send(logApi.clean, { query })));
  const bodies = responses.map(({ body }) => body);
  expect(bodies).toContainEqual({ success: true, message: '', data: 3000 });
  expect(bodies).toContainEqual({ success: false, message: 'Logs are already being deleted' });
  expect(await admin.call(logApi.clean, { query })).toBe(0);
});

describe('cleanup during other work', () => {
  test('[A26.2] keeps all logs of twenty concurrent writers during a cleanup, even logs with old timestamps', async () => {
    await using app = await startTestApp();
    const admin = await app.as('admin');
    const logs = manyLogs(4000);
    await writeLogs(app.database, logs);
    const target = sampleHour + 3 * hour;
    const old = logs.filter(({ created_at }) => created_at < target).length;
    let isCleaning = true;
    const cleaning = admin.call(logApi.clean, { query: { target_timestamp: target } }).finally(() => {
      isCleaning = false;
    });
    while ((await countLogs(app)) === 4000) await turn();
    let written = 0;
    const writer = async () => {
      do {
        const few = manyLogs(1 + upTo(5)).map((log) => ({ ...log, username: 'writer' }));
        await writeLogs(app.database, few);
        written += few.length;
        await turn();
      } while (isCleaning);
    };
    await Promise.all(Array.from({ length: 20 }, writer));
    expect(await cleaning).toBe(old);
    expect(await countLogs(app)).toBe(4000 - old + written + 1);
    expect((await admin.page(logApi.list, { query: { username: 'writer' } })).total).toBe(written);
    await expectSumsToAgree(app);
    const consumed = await app.database
      .selectFrom('logs')
      .select(({ fn }) => fn.sum<number>('quota').as('quota'))
      .where('type', '=', logType.consumption)
      .executeTakeFirstOrThrow();
    expect(await admin.call(logApi.stat, { query: {} })).toEqual(consumed);
  });

  test('[A26.2] stops a cleanup early on shutdown, with correct rollups and an audit event', async () => {
    await using app = await startTestApp();
    const admin = await app.as('admin');
    await writeLogs(app.database, manyLogs(10_000));
    const cleaning = admin.call(logApi.clean, { query: { target_timestamp: sampleHour + 4 * hour } });
    while ((await countLogs(app)) === 10_000) await turn();
    await app.app.close();
    const deleted = await cleaning;
    expect(deleted).toBeLessThan(10_000);
    expect(await countLogs(app)).toBe(10_000 - deleted + 1);
    await expectSumsToAgree(app);
  });
});
