import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LogListRepository } from '../../records/logs/log-list-repository.ts';
import { LogRepository } from '../../records/logs/log-repository.ts';
import { rollUpAll } from '../../records/logs/rollup-repository.ts';
import { MonthRepository } from '../../records/months/month-repository.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { currentRollups } from '../../testing/records/rollups.ts';
import { sampleHour, sampleLog, sampleNumbers } from '../../testing/records/sample-logs.ts';
import { type Database, openDatabase } from './database.ts';
import { monthAt, storedMonths } from './months.ts';

const farAhead = Date.UTC(2400, 1, 3) / 1000;
const everything = { exact: {}, within: { from: -10, to: Number.MAX_SAFE_INTEGER } };

/** A database with logs from the past, the present and the future. */
async function databaseWithLogs() {
  const stored = await createMigratedDatabase();
  const database = await openDatabase(stored.location);
  const close = async () => {
    await database.destroy();
    await stored.drop();
  };
  const now = Math.floor(Date.now() / 1000);
  const random = sampleNumbers(7);
  const times = [0, 1, 3600, sampleHour, now - 86_400, now, now, now + 40 * 86_400, farAhead, farAhead + 7200];
  const logs = Array.from({ length: 400 }, (_, index) =>
    sampleLog({
      created_at: times[index] ?? sampleHour + Math.floor(random() * (now - sampleHour)),
      user_id: 1 + (index % 7),
      model_name: `m${index % 3}`,
      channel: index % 4,
      quota: index,
    }),
  );
  await database.transaction().execute((connection) => new LogRepository(connection).insert(logs));
  await rollUpAll(database);
  return { stored, database, [Symbol.asyncDispose]: close };
}

async function facts(database: Database) {
  const lists = new LogListRepository(database);
  const pages = [];
  for (const p of [0, 3, 39]) pages.push(await lists.page(everything, { p, size: 10 }));
  return {
    pages,
    ofUser: await lists.page({ ...everything, exact: { user_id: 3 } }, { p: 1, size: 20 }),
    sums: await currentRollups(database),
  };
}

const kindsOf = async (database: Database) => {
  const { rows } = await sql<{ name: string; rows: number }>`select tableoid::regclass::text as name, count(*) as rows
    from logs group by 1 order by 1`.execute(database);
  return rows;
};

describe('month partitions', () => {
  const years = (time: number) => new Date(time * 1000).toISOString().slice(0, 7);

  test('month partitions cover UTC months from the first second to the last', () => {
    const newYear = Date.UTC(2027, 0) / 1000;
    expect(monthAt(newYear - 1)).toEqual({ suffix: 'y2026m12', start: Date.UTC(2026, 11) / 1000, end: newYear });
    expect(monthAt(newYear)).toMatchObject({ suffix: 'y2027m01', start: newYear });
    expect(monthAt(Date.UTC(2028, 1, 29, 23, 59, 59) / 1000)).toMatchObject({ end: Date.UTC(2028, 2) / 1000 });
    expect(monthAt(Date.UTC(2026, 10, 30) / 1000, 2)).toMatchObject({ suffix: 'y2027m01' });
  });

  test('two concurrent nodes create a partition once, including the rows written before it existed', async () => {
    await using opened = await databaseWithLogs();
    const { database, stored } = opened;
    await using closing = new AsyncDisposableStack();
    const other = await openDatabase(stored.location);
    closing.defer(() => other.destroy());
    const asItWas = await facts(database);
    const nodes = [new MonthRepository(database), new MonthRepository(other)];
    for (const made of await Promise.all(nodes.map((node) => node.make(farAhead, 2)))) {
      // The second node finds the lock taken and retries later.
      expect([true, false]).toContain(made);
    }
    for (const node of nodes) expect(await node.make(farAhead, 2)).toBe(true);
    const made = (await storedMonths(database))
      .map(({ start }) => start)
      .filter((start) => start > farAhead - 40 * 86_400);
    expect(made.map(years)).toEqual(['2400-02', '2400-03', '2400-04']);
    expect(await kindsOf(database)).toContainEqual({ name: 'logs_y2400m02', rows: 2 });
    expect(await facts(database)).toEqual(asItWas);
  });

  test('a partition is not created while another transaction reads its rows, and does not block that transaction', async () => {
    await using opened = await databaseWithLogs();
    const { database, stored } = opened;
    await using closing = new AsyncDisposableStack();
    const other = await openDatabase(stored.location);
    closing.defer(() => other.destroy());
    await other.transaction().execute(async (reader) => {
      await reader.selectFrom('logs').select('id').execute();
      expect(await new MonthRepository(database).make(farAhead, 0)).toBe(false);
      expect(await reader.selectFrom('logs').select('id').execute()).toHaveLength(400);
    });
    expect(await new MonthRepository(database).make(farAhead, 0)).toBe(true);
  });
});
