import { logApi, logType } from '@headgate/contract';
import { expect, inject, test } from 'vitest';
import type { LogRow } from '../../platform/db/rows.ts';
import { withUnappliedTotals } from '../../testing/database/hold-totals.ts';
import { exportLogFile } from '../../testing/records/log-file.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { sample } from '../../testing/sample.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { secondsPerDay, secondsPerHour } from './hours.ts';
import type { NewLog } from './log-repository.ts';
import { rollUpAll } from './rollup-repository.ts';

const firstDay = sampleHour - (sampleHour % secondsPerDay);
const days = 4;

type Query = Record<string, string | number>;

/** Seeded random logs and queries. */
function chance(seed: number) {
  const random = sampleNumbers(seed);
  const upTo = (max: number) => Math.floor(random() * max);
  const pick = <T>(...choices: readonly T[]): T => choices[upTo(choices.length)] as T;
  const maybe = (query: Query): Query => (upTo(3) === 0 ? query : {});
  const names = ['ann', 'Ann', 'änn', "a%_'n", '__proto__', 'bob', ''];

  /**
   * Three users who share some names, and two groups of users: one small enough to narrow a search by user, and one
   * that is too large.
   */
  const anyUser = () => {
    const kind = upTo(8);
    if (kind === 0) return { user_id: 2000 + upTo(50), username: 'fifty' };
    if (kind === 1) return { user_id: 3000 + upTo(51), username: 'fifty-one' };
    const number = upTo(3);
    return { user_id: 1000 + number, username: names[(2 * number + upTo(3)) % names.length] ?? '' };
  };
  /** Most times are within a few days, many of them at the start or end of an hour or day. */
  const time = () => {
    if (upTo(150) === 0) return pick(0, 7, firstDay - 400 * secondsPerDay, firstDay + 3000 * secondsPerDay);
    const hour = pick(0, 0, 1, 5, 23, 23, upTo(24));
    const second = pick(0, 0, 1, 3599, 3599, upTo(3600));
    return firstDay + upTo(days) * secondsPerDay + hour * secondsPerHour + second;
  };
  const log = (): Partial<NewLog> => {
    const type = pick(1, 2, 2, 2, 3, 3, 3, 5, 77);
    return {
      ...anyUser(),
      created_at: time(),
      type,
      token_name: pick('', 'default', 'default', 'default', 'own'),
      model_name: pick('', 'a', 'b'),
      channel: pick(0, 7, 8),
      group: pick('', 'vip'),
      reason: type === logType.failure ? pick('other', 'rate_limited') : '',
      // Few distinct values, so that different days often have equal sums.
      quota: type === logType.consumption ? pick(1, 1, 5, 1_000_000_000_000) : 0,
    };
  };
  const span = (): Query =>
    pick<() => Query>(
      () => ({}),
      () => ({ start_timestamp: time(), end_timestamp: time() }),
      () => {
        const from = upTo(days);
        const [start, end] = [from, from + 1 + upTo(days - from)].map((day) => firstDay + day * secondsPerDay);
        return { start_timestamp: start ?? 0, end_timestamp: (end ?? 0) - 1 };
      },
      () => ({ start_timestamp: time() }),
    )();
  const query = (): Query => ({
    ...maybe({ type: pick(2, 2, 3, 77, 99) }),
    ...pick({}, { username: pick(...names, 'fifty', 'fifty-one', 'nobody') }, { username: pick('ann', 'Ann', 'bob') }),
    ...maybe({ user_id: pick(1000, 1001, 2007, 4000) }),
    ...maybe({ token_name: pick('default', 'own', 'none') }),
    ...(upTo(6) === 0 ? { model_name: pick('a', 'c') } : {}),
    ...(upTo(6) === 0 ? { channel: 7 } : {}),
    ...(upTo(6) === 0 ? { group: 'vip' } : {}),
    ...(upTo(10) === 0 ? { reason: 'other' } : {}),
    ...(upTo(6) === 0 ? { contains: pick('username', 'username,token_name', 'model_name') } : {}),
    ...span(),
  });
  return { upTo, pick, log, time, query };
}

/** Reference implementation of the filters. */
function finds({ contains = '', start_timestamp = 0, end_timestamp = 0, ...columns }: Query) {
  const parts = String(contains).split(',');
  const requested = { ...columns, ...(columns['reason'] && !columns['type'] ? { type: logType.failure } : {}) };
  return (row: LogRow): boolean =>
    row.created_at >= Number(start_timestamp) &&
    (end_timestamp === 0 || row.created_at <= Number(end_timestamp)) &&
    Object.entries(requested).every(([name, value]) => {
      // An empty value matches anything.
      if (String(value) === '') return true;
      const stored = row[name as keyof LogRow];
      if (!parts.includes(name)) return stored === value;
      return String(stored).toLowerCase().includes(String(value).toLowerCase());
    });
}

const newestFirst = (one: LogRow, other: LogRow) => other.created_at - one.created_at || other.id - one.id;

/** Expects a random page of a query, its total and its quota to match the rows; sometimes checks an export too. */
async function expectResults(app: TestApp, { upTo, pick, query }: ReturnType<typeof chance>) {
  const admin = await app.as('admin');
  const stored = await app.database.selectFrom('logs').selectAll().execute();
  for (let question = 0; question < 8; question += 1) {
    const requested = query();
    const found = stored.filter(finds(requested)).sort(newestFirst);
    const size = pick(1, 3, 10, 100);
    const p = upTo(Math.ceil(found.length / size) + 1);
    const { rows, total } = await admin.page(logApi.list, { query: { ...requested, p, size } });
    const ids = (some: readonly { readonly id: number }[]) => some.map(({ id }) => id);
    expect({ total, ids: ids(rows) }, JSON.stringify({ requested, p, size })).toEqual({
      total: found.length,
      ids: ids(found.slice(p * size, (p + 1) * size)),
    });
    const consumed = requested['reason'] ? [] : stored.filter(finds({ ...requested, type: logType.consumption }));
    expect(await admin.call(logApi.stat, { query: requested }), JSON.stringify(requested)).toEqual({
      quota: consumed.reduce((sum, { quota }) => sum + quota, 0),
    });
    if (question > 0 || upTo(3) > 0) continue;
    const { text } = await exportLogFile(app.location, requested, { format: 'jsonl' });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; rows: number });
    expect(lines.at(-1), JSON.stringify(requested)).toMatchObject({ complete: true, rows: found.length });
    expect(ids(lines.slice(0, -1)), JSON.stringify(requested)).toEqual(ids(found));
  }
}

test.each(sample([107, 111], 1))(
  '[A61.3] results match the rows after any order of writes, cleanups and rollups (seed %i)',
  async (seed) => {
    await using app = await startTestApp();
    await using other = inject('database') === 'postgres' ? await startTestApp({ beside: app }) : undefined;
    const admin = await app.as('admin');
    const luck = chance(seed);
    const write = () => writeLogs(app.database, Array.from({ length: 1 + luck.upTo(30) }, luck.log));
    for (let round = 0; round < 8; round += 1) {
      if (inject('database') === 'postgres' && luck.upTo(2) === 0) {
        await withUnappliedTotals(app, async () => {
          await write();
          await expectResults(luck.pick(app, other ?? app), luck);
        });
      }
      await write();
      const event = luck.upTo(4);
      if (event < 2) {
        await admin.call(logApi.clean, { query: { target_timestamp: luck.time() + 1 } });
        await write();
      }
      if (event === 2) await rollUpAll(app.database);
      await expectResults(luck.pick(app, other ?? app), luck);
    }
  },
);
