import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts';
import { runFile } from '../process/program.ts';
import { currentRollups, rollupsOfLogs } from '../records/rollups.ts';
import {
  comparableDatabase,
  databaseContents,
  importFrom,
  queryDatabase,
  sourceKey,
  sourcePassword,
} from './import-fixture.ts';
import { SourceDatabase } from './source-databases.ts';

const since = 1_760_000_000;
const manyLogs = 12_000;

function gateway(): SourceDatabase {
  const source = new SourceDatabase('new-api');
  source.add(
    'users',
    { id: 1, username: 'owner', role: 100, password: sourcePassword.fastPasswordHash, quota: 400, wechat_id: 'w' },
    { id: 5, username: 'alice', quota: 1_000_000, used_quota: manyLogs, inviter_id: 1, aff_quota: 7 },
  );
  source.add('tokens', { id: 3, user_id: 5, key: sourceKey(3) }, { id: 4, user_id: 1, key: sourceKey(4) });
  source.add('channels', { id: 6, key: 'sk-1' }, { id: 7, key: 'a\nb', channel_info: '{"is_multi_key":true}' });
  source.add('redemptions', { id: 1, user_id: 1, key: 'c'.repeat(32), quota: 500 });
  source.add('options', { key: 'SystemName', value: 'Ours' }, { key: 'SMTPServer', value: 'smtp.example.com' });
  source.add('subscription_plans', { id: 1, title: 'Pro', total_amount: 900, enabled: 1, created_at: since });
  source.add('user_subscriptions', {
    ...{ id: 1, user_id: 5, plan_id: 1, amount_total: 900, amount_used: 20 },
    ...{ start_time: since, end_time: 4_000_000_000, status: 'active' },
  });
  source.add('top_ups', {
    id: 1,
    user_id: 5,
    amount: 2,
    money: 2,
    trade_no: 'ref_1',
    status: 'success',
    create_time: since,
  });
  source.run(`insert into logs (id, user_id, created_at, type, username, model_name, channel_id, quota)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${manyLogs})
    select i, 5, ${since} + i, 2, 'alice', 'gpt-4o', 6, 1 from n`);
  return source;
}

const preload = new URL('../process/kill-at-statement.ts', import.meta.url).href;

/**
 * Kills the command just before the statement that contains the last of these texts, after statements that contained
 * the others in order.
 */
async function killImportAt(words: readonly string[], source: SourceDatabase, into: TestDatabase): Promise<void> {
  await using program = runFile('import.ts', ['--from', source.path, '--logs-since', '2025-01-01'], {
    environment: { ...into.environment, NODE_OPTIONS: `--import=${preload}`, KILL_AT: words.join('\n') },
  });
  expect(await program.exit, words.join(', ')).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  if (inject('database') === 'sqlite') return;
  // It takes a short time until the server notices the kill and releases the locks.
  const others = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await expect
    .poll(() => queryDatabase(into, async (database) => (await others.execute(database)).rows[0]?.n), {
      timeout: 60_000,
    })
    .toBe(0);
}

async function expectMatchingLedger(into: TestDatabase): Promise<void> {
  expect(await checkStoredLedger(into.location)).toMatchObject({ drift: 0, log_drift: 0 });
  await queryDatabase(into, async (database) =>
    expect(await currentRollups(database)).toEqual(await rollupsOfLogs(database)),
  );
}

/** PostgreSQL never reuses an id, even if its row was rolled back. */
async function withoutIds(into: TestDatabase): Promise<object> {
  const contents = Object.entries(await comparableDatabase(into)).map(([table, rows]) => {
    const plain = rows.map((row) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(row).filter(([column]) => !/^(id|channel|created_by)$|(?<!source)_id$/.test(column)),
        ),
      ),
    );
    return [table, plain.toSorted()];
  });
  return Object.fromEntries(contents);
}

type KillPoints = readonly (readonly string[])[];

interface KilledImports {
  /** Statements that belong to the first start. */
  readonly first: KillPoints;
  /** Statements in the transaction that imports everything except the logs. */
  readonly within: KillPoints;
  /**
   * Later statements, in and between the transactions of log pages. Each import resumes where the previous one was
   * killed.
   */
  readonly behind: KillPoints;
}

const named = (moments: KillPoints) =>
  moments.map((words) => [words.map((word) => word || 'the next').join(', '), words] as const);

/** Kills imports into one database at these statements, in this order, and then imports the rest. */
export function describeKilledImports({ first, within, behind }: KilledImports): void {
  const source = gateway();
  let stored: TestDatabase;
  beforeAll(async () => {
    stored = await createTestDatabase();
  });
  afterAll(async () => {
    source[Symbol.dispose]();
    await stored.drop();
  });

  test.each(named(first))('an import can be killed during its first start: %s', (_, words) =>
    killImportAt(words, source, stored),
  );

  describe('killed in the transaction that imports everything except the logs', () => {
    let before: object;
    beforeAll(async () => {
      await importFrom(source, stored, { isDryRun: true });
      before = await databaseContents(stored);
    });

    test.each(named(within))('an import stores nothing when killed at %s', async (_, words) => {
      await killImportAt(words, source, stored);
      expect(await databaseContents(stored)).toEqual(before);
    });
  });

  test.each(named(behind))(
    'keeps all accounts and a balanced ledger when killed after that transaction, at %s',
    async (_, words) => {
      await killImportAt(words, source, stored);
      expect((await databaseContents(stored))['users']).toHaveLength(2);
      await expectMatchingLedger(stored);
    },
  );

  test('the next run imports the rest and nothing twice', async () => {
    const lines = await importFrom(source, stored, { logsSince: since });
    expect(lines).toContain('users: 2 read, 0 to import, 2 already imported, 0 skipped');
    await expectMatchingLedger(stored);
    await using whole = await createTestDatabase();
    await importFrom(source, whole, { logsSince: since });
    expect(await withoutIds(stored)).toEqual(await withoutIds(whole));
  });
}
