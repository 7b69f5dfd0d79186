import { logApi, logType } from '@headgate/contract';
import { expect, inject, test } from 'vitest';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { everybody, someLogOf } from '../../testing/records/shared-token-names.ts';
import { endingAfter, packerOf } from '../../testing/records/usage-packer.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { packHour } from './make-pack.ts';
import { TokenPackRepository } from './token-pack-repository.ts';

const hour = 3600;
const span = 30 * hour;
/** When every hour of the samples is long over. */
const later = sampleHour + 30 * 86_400;

const random = sampleNumbers(47);
const upTo = (most: number) => Math.floor(random() * most);

const someLogs = (length: number) => Array.from({ length }, () => someLogOf(upTo, sampleHour, span));

type Query = Readonly<Partial<Record<'type' | 'model_name' | 'start_timestamp' | 'end_timestamp', string | number>>>;

const queries: readonly Query[] = [
  {},
  { type: logType.consumption },
  { type: logType.management },
  { model_name: 'a' },
  { start_timestamp: sampleHour + hour + 17, end_timestamp: sampleHour + 20 * hour - 40 },
  { start_timestamp: sampleHour + 2 * hour, end_timestamp: sampleHour + 3 * hour - 1, type: logType.failure },
];

/** Pages, their total and the quota consumed, as they are told and as the rows say. */
async function expectLogsOf(app: TestApp, token_name: string): Promise<void> {
  const admin = await app.as('admin');
  const all = await app.database
    .selectFrom('logs')
    .select(['id', 'created_at', 'type', 'model_name', 'quota'])
    .where('token_name', '=', token_name)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const query of queries) {
    const { start_timestamp = 0, end_timestamp = later, ...exact } = query;
    const isFound = (log: (typeof all)[number], wanted: object) =>
      log.created_at >= Number(start_timestamp) &&
      log.created_at <= Number(end_timestamp) &&
      Object.entries(wanted).every(([column, value]) => log[column as 'type'] === value);
    const expected = all.filter((log) => isFound(log, exact));
    const consumed = all.filter((log) => isFound(log, { ...exact, type: logType.consumption }));
    const size = 10;
    for (const p of new Set([0, 3, Math.max(0, Math.ceil(expected.length / size) - 1)])) {
      const { rows, total } = await admin.page(logApi.list, { query: { ...query, token_name, p, size } as never });
      const told = { total, ids: rows.map(({ id }) => id) };
      const ids = expected.slice(p * size, (p + 1) * size).map(({ id }) => id);
      expect(told, `page ${p} of ${token_name} with ${JSON.stringify(query)}`).toEqual({ total: expected.length, ids });
    }
    const { quota } = await admin.call(logApi.stat, { query: { ...query, token_name } as never });
    expect(quota, JSON.stringify(query)).toBe(consumed.reduce((sum, log) => sum + log.quota, 0));
  }
}

const cleanBefore = async (app: TestApp, time: number) =>
  (await app.as('admin')).call(logApi.clean, { query: { target_timestamp: time } });

const sharedNames = ({ database }: TestApp) =>
  database.selectFrom('shared_token_names').selectAll().orderBy('id').execute();

const staleHours = async ({ database }: TestApp) => (await new TokenPackRepository(database).stale(later)).length;

test('logs of a name that everybody has are what the rows say, whatever was written, packed, broken off and cleaned', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, [...everybody('default'), ...someLogs(150)]);
  await expectLogsOf(app, 'default');
  let cleaned = 0;
  for (let step = 0; step < 12; step += 1) {
    const choice = upTo(10);
    if (choice < 4) await writeLogs(app.database, someLogs(1 + upTo(12)));
    else if (choice < 6) await packerOf(app.database).pack(sampleHour + upTo(span) + hour);
    else if (choice < 9)
      await packerOf(endingAfter(app.database, upTo(120)))
        .pack(later)
        .catch(() => undefined);
    else {
      cleaned += 1;
      await cleanBefore(app, sampleHour + upTo(cleaned * 4 * hour));
    }
    if (step % 4 === 3) await expectLogsOf(app, ['default', 'second'][upTo(2)] ?? 'default');
  }
  await packerOf(app.database).pack(later);
  await packerOf(app.database).pack(later);
  expect(await staleHours(app)).toBe(0);
  await expectLogsOf(app, 'default');
  await expectLogsOf(app, 'second');
});

// PostgreSQL matters to the test above, which writes, packs, interrupts and cleans at random.
if (inject('database') === 'sqlite') {
  test('a name is added up from when so many users have it, in the hours before that too', async () => {
    await using app = await startTestApp();
    await writeLogs(app.database, everybody('first'));
    await writeLogs(app.database, everybody('rare', sampleHour + 2 * hour).slice(0, 50));
    for (let pass = 0; pass < 2; pass += 1) await packerOf(app.database).pack(later);
    expect(await sharedNames(app)).toEqual([{ id: 1, name: 'first' }]);
    await writeLogs(app.database, everybody('rare', sampleHour + 5 * hour).slice(50, 51));
    await expectLogsOf(app, 'rare');
    // After the first the name is known, and the hours before lack it.
    await packerOf(app.database).pack(later);
    await expectLogsOf(app, 'rare');
    await packerOf(app.database).pack(later);
    expect(await sharedNames(app)).toEqual([
      { id: 1, name: 'first' },
      { id: 2, name: 'rare' },
    ]);
    await expectLogsOf(app, 'rare');
  });

  test('a token that is given another name, or deleted, leaves its logs where they were', async () => {
    await using app = await startTestApp();
    await writeLogs(app.database, [...everybody('before'), ...everybody('after', sampleHour + hour)]);
    await packerOf(app.database).pack(later);
    await app.database.updateTable('tokens').set({ name: 'after' }).execute();
    await app.database.deleteFrom('tokens').execute();
    await packerOf(app.database).pack(later);
    await expectLogsOf(app, 'before');
    await expectLogsOf(app, 'after');
  });

  test('names that are noted at the same time have numbers without a gap', async () => {
    await using app = await startTestApp();
    const names = Array.from({ length: 6 }, (_, index) => `name${index}`);
    for (const name of names) await writeLogs(app.database, everybody(name));
    const tokens = new TokenPackRepository(app.database);
    await Promise.all(names.map((name) => tokens.noteShared([name, 'unknown', ''])));
    for (const name of names) await tokens.noteShared([name]);
    const noted = await sharedNames(app);
    expect(noted.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(noted.map(({ name }) => name).sort()).toEqual(names);
  });

  test('who added an hour up before others cleaned it writes nothing', async () => {
    await using app = await startTestApp();
    await writeLogs(app.database, everybody('default'));
    await packerOf(app.database).pack(later);
    const tokens = new TokenPackRepository(app.database);
    const before = await app.database.selectFrom('token_packs').selectAll().executeTakeFirstOrThrow();
    await tokens.claim(sampleHour, -17);
    await cleanBefore(app, sampleHour + 20);
    await writeLogs(app.database, everybody('other').slice(20, 40));
    const sums = { hour: sampleHour, logs: before.rows, names: 1, rows: [], pack: packHour('tokens', sampleHour, []) };
    expect(await tokens.finish(-17, sums, before.version)).toBe(false);
    await expectLogsOf(app, 'default');
    await packerOf(app.database).pack(later);
    await expectLogsOf(app, 'default');
  });

  test('what was added up goes when its logs are all gone', async () => {
    await using app = await startTestApp();
    await writeLogs(app.database, [...everybody('default'), ...everybody('default', sampleHour + 9 * hour)]);
    await packerOf(app.database).pack(later);
    await cleanBefore(app, sampleHour + 5 * hour);
    await expectLogsOf(app, 'default');
    await packerOf(app.database).pack(later);
    const left = await app.database.selectFrom('token_hours').select('hour').distinct().execute();
    expect(left).toEqual([{ hour: sampleHour + 9 * hour }]);
    expect(await app.database.selectFrom('token_packs').select('hour').execute()).toEqual(left);
  });
}
