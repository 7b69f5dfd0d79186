import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LogListRepository } from '../../records/logs/log-list-repository.ts';
import { LogRepository } from '../../records/logs/log-repository.ts';
import { SumFoldRepository } from '../../records/logs/sum-fold-repository.ts';
import { MonthRepository } from '../../records/months/month-repository.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { sampleHour, sampleLog, sampleNumbers } from '../../testing/records/sample-logs.ts';
import { storedSums, sumsOfLogs } from '../../testing/records/stored-sums.ts';
import { type Database, openDatabase, openForCharges } from './database.ts';
import { migrate } from './migrate.ts';
import { prepareMonths } from './migrations/0030-month-preparation.ts';
import { monthOf, storedMonths } from './months.ts';

const before = '0029-channel-keys';
const farAhead = Date.UTC(2400, 1, 3) / 1000;
const everything = { exact: {}, within: { from: -10, to: Number.MAX_SAFE_INTEGER } };

/** A database as the version before leaves it, with logs of all times. */
async function formerDatabase() {
  const stored = await createTestDatabase();
  const database = await openDatabase(stored.location);
  const close = async () => {
    await database.destroy();
    await stored.drop();
  };
  await migrate(database, before);
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
  await new SumFoldRepository(database).fold();
  return { stored, database, logs, [Symbol.asyncDispose]: close };
}

async function facts(database: Database) {
  const lists = new LogListRepository(database);
  const pages = [];
  for (const p of [0, 3, 39]) pages.push(await lists.page(everything, { p, size: 10 }));
  return {
    pages,
    ofUser: await lists.page({ ...everything, exact: { user_id: 3 } }, { p: 1, size: 20 }),
    sums: await storedSums(database),
    consumed: await consumedOf(database),
  };
}

/** The ledger of this version asks for columns that came later. */
const consumedOf = async (database: Database) => {
  const { rows } = await sql`select user_id, sum(quota) as quota from logs group by 1 order by 1`.execute(database);
  return rows;
};

const kindsOf = async (database: Database) => {
  const { rows } = await sql<{ name: string; rows: number }>`select tableoid::regclass::text as name, count(*) as rows
    from logs group by 1 order by 1`.execute(database);
  return rows;
};

const writeNow = (database: Database, given: Parameters<typeof sampleLog>[0]) =>
  database.transaction().execute((connection) => new LogRepository(connection).insert([sampleLog(given)]));

const onOneConnection = (database: Database) =>
  database.connection().execute((connection) => prepareMonths(connection, 0));

interface Named {
  readonly indexname?: string;
}

const namesOf = async (database: Database, kind: 'columns' | 'indexes') => {
  const { rows } = await (kind === 'columns'
    ? sql<Named>`select column_name, data_type, is_nullable from information_schema.columns where table_name = 'logs'
        order by ordinal_position`
    : sql<Named>`select tablename, indexname, replace(indexdef, ' ONLY', '') as made from pg_indexes
        where tablename in ('logs', 'usage_hours', 'user_hours', 'user_days') order by indexname`
  ).execute(database);
  return rows;
};

describe('[A35.2] the tables of logs and their sums', () => {
  test.each(['small', 'large'] as const)(
    'are divided into months with every row where it was: %s ones',
    async (size) => {
      await using former = await formerDatabase();
      const { database, stored } = former;
      await using closing = new AsyncDisposableStack();
      // A node of the version before, whose statements are prepared already.
      const formerNode = (await openForCharges(stored.location)) ?? database;
      closing.defer(() => formerNode.destroy());
      await writeNow(formerNode, { created_at: sampleHour });
      await new SumFoldRepository(database).fold();
      const asItWas = await facts(database);
      const [columns, indexes] = [await namesOf(database, 'columns'), await namesOf(database, 'indexes')];
      const { last } = await database
        .selectFrom('logs')
        .select(({ fn }) => fn.max('id').as('last'))
        .executeTakeFirstOrThrow();
      if (size === 'large') {
        await onOneConnection(database);
        expect(await facts(database)).toEqual(asItWas);
      }

      await migrate(database);

      expect(await facts(database)).toEqual(asItWas);
      expect(await storedSums(database)).toEqual(await sumsOfLogs(database));
      expect(await namesOf(database, 'columns')).toEqual(columns);
      // Save for that of ids alone, which every part has of its own.
      const kept = indexes.filter(({ indexname }) => indexname !== 'logs_pkey');
      expect(kept).toHaveLength(indexes.length - 1);
      expect(await namesOf(database, 'indexes')).toEqual(kept);
      const now = Math.floor(Date.now() / 1000);
      for (const created_at of [-5, 0, sampleHour, now, now + 35 * 86_400, farAhead, 2 ** 52]) {
        await writeNow(formerNode, { created_at, quota: 3 });
      }
      await new SumFoldRepository(database).fold();
      const ids = await database.selectFrom('logs').select('id').orderBy('id', 'desc').limit(7).execute();
      expect(ids.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1].map((more) => (last ?? 0) + more));
    },
  );

  test('are written meanwhile, also while somebody reads for long', async () => {
    await using former = await formerDatabase();
    const { database, stored } = former;
    await using closing = new AsyncDisposableStack();
    const other = await openDatabase(stored.location);
    closing.defer(() => other.destroy());
    let isPrepared = false;
    const preparing = onOneConnection(database).finally(() => {
      isPrepared = true;
    });
    let written = 0;
    do {
      await writeNow(other, { created_at: Math.floor(Date.now() / 1000), username: 'meanwhile' });
      written += 1;
    } while (!isPrepared);
    await preparing;

    let migrating: Promise<void> = Promise.resolve();
    await other.transaction().execute(async (reader) => {
      await reader.selectFrom('logs').select('id').limit(1).execute();
      migrating = migrate(database);
      await expect.poll(() => waitsForLogs(other)).toBe(true);
      await writeNow(other, { created_at: Math.floor(Date.now() / 1000), username: 'meanwhile' });
    });
    await migrating;

    const found = await database.selectFrom('logs').select('id').where('username', '=', 'meanwhile').execute();
    expect(found).toHaveLength(written + 1);
    expect(await storedSums(database)).toEqual(await sumsOfLogs(database));
  });

  test('are as they were when they could not be divided, and are divided by the next start', async () => {
    await using former = await formerDatabase();
    const { database } = former;
    const asItWas = await facts(database);
    await onOneConnection(database);
    await sql`create table logs_past (id bigint)`.execute(database);
    await expect(migrate(database)).rejects.toThrow('could not be brought up to date');
    expect(await facts(database)).toEqual(asItWas);
    // Nothing is left that a later time would be refused by.
    await writeNow(database, { created_at: farAhead });
    await sql`drop table logs_past`.execute(database);
    await migrate(database);
    expect((await facts(database)).pages[0]?.total).toBe(401);
  });
});

describe('months', () => {
  const years = (time: number) => new Date(time * 1000).toISOString().slice(0, 7);

  test('are counted in UTC, from the first second to the last', () => {
    const newYear = Date.UTC(2027, 0) / 1000;
    expect(monthOf(newYear - 1)).toEqual({ suffix: 'y2026m12', start: Date.UTC(2026, 11) / 1000, end: newYear });
    expect(monthOf(newYear)).toMatchObject({ suffix: 'y2027m01', start: newYear });
    expect(monthOf(Date.UTC(2028, 1, 29, 23, 59, 59) / 1000)).toMatchObject({ end: Date.UTC(2028, 2) / 1000 });
    expect(monthOf(Date.UTC(2026, 10, 30) / 1000, 2)).toMatchObject({ suffix: 'y2027m01' });
  });

  test('are made once by two nodes at once, and take what was written before they were there', async () => {
    await using former = await formerDatabase();
    const { database, stored } = former;
    await migrate(database);
    await using closing = new AsyncDisposableStack();
    const other = await openDatabase(stored.location);
    closing.defer(() => other.destroy());
    const asItWas = await facts(database);
    const nodes = [new MonthRepository(database), new MonthRepository(other)];
    for (const made of await Promise.all(nodes.map((node) => node.make(farAhead, 2)))) {
      // The one that found the other at it tries again later.
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

  test('are not made while somebody reads what they would take, who is not kept waiting', async () => {
    await using former = await formerDatabase();
    const { database, stored } = former;
    await migrate(database);
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

/** Whether somebody waits for a lock that lets nobody else read. */
async function waitsForLogs(database: Database): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where not granted and mode = 'AccessExclusiveLock'`.execute(database);
  return rows.length > 0;
}
