import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { getDatabaseId } from '../../platform/db/database-id.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { sampleLog } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { ChargeBatchRepository } from './charge-batch-repository.ts';
import { ChargeBatchStore } from './charge-batch-store.ts';
import type { Charge } from './charge-writer.ts';
import { LocalChargeJournal } from './local-charge-journal.ts';
import { storeLocalCharges } from './store-local-charges.ts';

const app = await useTestApp();
const databaseId = await getDatabaseId(app.database);

/** Id of the last writer; each test uses two. */
let lastWriter = 0;

async function scene() {
  lastWriter += 2;
  const writer = lastWriter;
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { id: user } = await app.createUser({ quota: 1000 });
  const chargeOf = (quota: number): Charge => ({
    quota,
    user,
    token: 0,
    isTokenLimited: false,
    channel: 0,
    record: undefined,
  });
  const spent = async () => {
    const users = app.database
      .selectFrom(currentTable(app.database, 'users'))
      .select('used_quota')
      .where('id', '=', user);
    return (await users.executeTakeFirstOrThrow()).used_quota;
  };
  const journal = new LocalChargeJournal({ folder, databaseId, writer });
  const saved: number[] = [];
  const storeOn = (database: Database) =>
    new ChargeBatchStore({
      groups: new ChargeBatchRepository(database, writer),
      keptResponses: { forgetExpired: async () => undefined },
      local: journal,
      onFailure: () => undefined,
      onSaved: (charges) => saved.push(charges.length),
      lastAttemptMs: 10,
    });
  const errors: object[] = [];
  const log = { info: () => undefined, error: (fields: object, msg: string) => void errors.push({ ...fields, msg }) };
  const startOn = (database: Database) =>
    storeLocalCharges({ folder, databaseId, groupsOf: (of) => new ChargeBatchRepository(database, of), log });
  return { writer, folder, journal, chargeOf, spent, saved, storeOn, errors, log, startOn };
}

async function unreachableDatabase(): Promise<Database> {
  const database = await openDatabase(app.location);
  await database.destroy();
  return database;
}

const groupsOf = async (writer: number) => {
  const groups = app.database.selectFrom('charge_groups').select('number').where('writer', '=', writer);
  return (await groups.orderBy('number').execute()).map(({ number }) => number);
};

test('[A70.5] saves batches while the database is unreachable and stores each under its id once at the next start', async () => {
  const { writer, folder, chargeOf, spent, saved, storeOn, startOn } = await scene();
  const away = await unreachableDatabase();
  const store = storeOn(away);
  const storing = store.store([chargeOf(10), chargeOf(20)]);
  store.saveLocally();
  await storing;
  expect(saved).toEqual([2]);
  await startOn(away);
  expect([await spent(), readdirSync(folder).length]).toEqual([0, 1]);
  const [name = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, name));
  // The second start finds the file again, as if the first had been killed before removing it.
  for (let start = 0; start < 2; start += 1) {
    writeFileSync(join(folder, name), bytes);
    await startOn(app.database);
    expect([await spent(), readdirSync(folder)]).toEqual([30, []]);
  }
  expect(await groupsOf(writer)).toEqual([1]);
});

test('[A70.5] keeps the id of a saved batch that turns out to be committed, so that the next start does not charge it again', async () => {
  const { writer, chargeOf, spent, saved, storeOn, startOn } = await scene();
  const store = storeOn(app.database);
  const locked = Promise.withResolvers<void>();
  const isSaved = Promise.withResolvers<void>();
  onTestFinished(() => isSaved.resolve());
  const locking = app.database.transaction().execute(async (connection) => {
    await sql`lock table charge_groups in exclusive mode`.execute(connection);
    locked.resolve();
    await isSaved.promise;
  });
  await locked.promise;
  const storing = store.store([chargeOf(10)]);
  store.saveLocally();
  await storing;
  expect(saved).toEqual([1]);
  isSaved.resolve();
  await locking;
  await expect.poll(() => groupsOf(writer)).toEqual([1]);
  await store.close();
  expect(await groupsOf(writer)).toEqual([1]);
  await startOn(app.database);
  expect(await spent()).toBe(10);
});

test('[A70.5] keeps and reports local charges that are too old or cannot be read', async () => {
  const { writer, folder, journal, chargeOf, spent, errors, startOn } = await scene();
  journal.append(1, [chargeOf(5)], nowInSeconds() - 30 * 86_400);
  journal.append(2, [chargeOf(6)], nowInSeconds());
  writeFileSync(join(folder, 'unsettled-charges-unreadable.jsonl'), '[8,3\n{}\n');
  await startOn(app.database);
  expect([await spent(), await groupsOf(writer)]).toEqual([6, [2]]);
  expect(errors).toEqual([
    expect.objectContaining({ charges: 1, quota: 5, unreadable: 0 }),
    expect.objectContaining({ charges: 0, quota: 0, unreadable: 2 }),
  ]);
  expect(readdirSync(folder).length).toBe(2);
});

test('[A70.5] stores charges that another process appends to its file during the start', async () => {
  const { writer, folder, journal, chargeOf, spent, log } = await scene();
  journal.append(1, [chargeOf(5)], nowInSeconds());
  const groups = new ChargeBatchRepository(app.database, writer);
  let isAppended = false;
  const store = async (number: number, charges: readonly Charge[]) => {
    if (!isAppended) journal.append(2, [chargeOf(6)], nowInSeconds());
    isAppended = true;
    await groups.store(number, charges);
  };
  await storeLocalCharges({ folder, databaseId, groupsOf: () => ({ store, accepts: async () => true }), log });
  expect([await spent(), await groupsOf(writer), readdirSync(folder)]).toEqual([11, [1, 2], []]);
});

test('[A70.5] stores the other batches when a line is incomplete or a file cannot be read', async () => {
  const { writer, folder, journal, chargeOf, spent, errors, startOn } = await scene();
  mkdirSync(join(folder, 'unsettled-charges-0.jsonl'));
  writeFileSync(join(folder, `unsettled-charges-${writer}.jsonl`), '[8,1,170');
  journal.append(2, [chargeOf(6)], nowInSeconds());
  await startOn(app.database);
  expect([await spent(), await groupsOf(writer)]).toEqual([6, [2]]);
  expect(errors).toEqual([
    expect.objectContaining({ path: join(folder, 'unsettled-charges-0.jsonl') }),
    expect.objectContaining({ charges: 0, unreadable: 1 }),
  ]);
});

test('[A70.9] keeps a file with charges of another database and reports it once', async () => {
  const { writer, folder, journal, chargeOf, spent, errors, startOn } = await scene();
  const { id: otherUser } = await app.createUser();
  const other = new LocalChargeJournal({ folder, databaseId: 'of another database', writer: writer + 1 });
  for (const number of [1, 2]) other.append(number, [{ ...chargeOf(5), user: otherUser }], nowInSeconds());
  journal.append(1, [chargeOf(6)], nowInSeconds());
  await startOn(app.database);
  expect([await spent(), await groupsOf(writer), await groupsOf(writer + 1)]).toEqual([6, [1], []]);
  const path = join(folder, `unsettled-charges-${writer + 1}.jsonl`);
  const msg =
    'charges saved by an earlier process belong to another database and were not stored; start once with the DATABASE_URL of that database';
  expect(errors).toEqual([{ path, charges: 2, quota: 10, msg }]);
  expect(readdirSync(folder)).toEqual([`unsettled-charges-${writer + 1}.jsonl`]);
});

test('[A70.9] gives each database a permanent id', async () => {
  await using other = await createMigratedDatabase();
  const database = await openDatabase(other.location);
  const ids = [await getDatabaseId(database), await getDatabaseId(database)];
  await database.destroy();
  expect(ids[0]).toBe(ids[1]);
  expect(ids).not.toContain(databaseId);
});

/** PostgreSQL cannot store text that contains it. */
const nullCharacter = '\0';

test('[A70.10] stores the valid charges of a batch that the database rejects, and keeps only the rejected charge aside', async () => {
  const { writer, folder, journal, chargeOf, spent, errors, startOn } = await scene();
  const charge = chargeOf(0);
  const recordOf = (quota: number, given: object) => sampleLog({ user_id: charge.user, quota, ...given });
  const rejected = { ...charge, quota: 5, record: recordOf(5, { username: nullCharacter }) };
  const unreadableModel = { ...charge, quota: 20, record: recordOf(20, { model_name: nullCharacter }) };
  const whole = { ...charge, quota: 100, record: recordOf(100, { model_name: 'whole' }) };
  journal.append(1, [rejected, unreadableModel, whole], nowInSeconds());
  journal.append(2, [chargeOf(300)], nowInSeconds());
  const name = `unsettled-charges-${writer}-1.jsonl`;
  const path = join(folder, name);
  await startOn(app.database);
  expect([await spent(), await groupsOf(writer), readdirSync(folder)]).toEqual([420, [1, 2], [name]]);
  const logs = app.database.selectFrom('logs').select(['quota', 'model_name']).where('user_id', '=', charge.user);
  expect(await logs.orderBy('quota').execute()).toEqual([
    { quota: 20, model_name: '' },
    { quota: 100, model_name: 'whole' },
  ]);
  const amount = { charges: 1, quota: 5 };
  expect(errors).toEqual([
    {
      path,
      ...amount,
      msg: 'charges saved by an earlier process were rejected by the database and moved to a separate file',
    },
  ]);
  // The next start retries the charge and leaves it in the file.
  await startOn(app.database);
  expect([await spent(), readdirSync(folder)]).toEqual([420, [name]]);
  expect(errors.slice(1)).toEqual([
    expect.objectContaining({ msg: 'a group of charges saved by an earlier process was not stored' }),
    { path, ...amount, unreadable: 0, msg: 'charges saved by an earlier process were not stored; the file is kept' },
  ]);
});
