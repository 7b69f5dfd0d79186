import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ledgerApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, inject, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { currentTable } from '../../platform/db/current-tables.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { archiveFolder } from '../../testing/commands/archive-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { fixtureLoad } from '../../testing/process/fixture-load.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { runBackup } from '../backup-command.ts';

test('a backup made during charges is consistent and balanced', async () => {
  using files = archiveFolder();
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const load = fixtureLoad(scene, 8);
  await expect.poll(async () => (await scene.books()).user.request_count).toBeGreaterThan(10);
  const lines: string[] = [];
  const source = { ...readConfig({}), ...app.location };
  await runBackup(
    { to: files.path('backups'), now: new Date(1_800_000_000_000), print: (line) => lines.push(line) },
    source,
  );
  expect(await load.end()).toEqual([]);
  await scene.close();
  const folder = join(files.path('backups'), 'headgate-2027-01-15T08-00-00Z');
  expect(readdirSync(files.path('backups'))).toEqual(['headgate-2027-01-15T08-00-00Z']);
  expect(lines.at(-1)).toContain('It does not contain the secret key');
  expect(existsSync(join(folder, 'secret.key'))).toBe(false);
  // Restores the copy and the separately stored key as described in docs/backup.md.
  await using target = await createTestDatabase();
  copyFileSync(join(app.location.dataDir, 'secret.key'), join(target.location.dataDir, 'secret.key'));
  await putBack[inject('database')](folder, target);
  await using after = await startTestApp({ on: target });
  const admin = await after.as('admin');
  expect(await admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0, set_aside: 0 });
  expect(await checkStoredLedger(target.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  const { request_count } = await after.database
    .selectFrom(currentTable(after.database, 'users'))
    .select('request_count')
    .where('id', '=', scene.user.id)
    .executeTakeFirstOrThrow();
  expect(request_count).toBeGreaterThan(10);
  const token = await after.database.selectFrom('tokens').selectAll().executeTakeFirstOrThrow();
  const box = new SecretBox(loadSecretKey(target.location.dataDir, undefined));
  expect(box.open(token.key_sealed)).toBe(scene.token.key);
});

const putBack = {
  sqlite: async (folder: string, { location }: TestDatabase) => {
    expect(readdirSync(folder)).toEqual(['headgate.db']);
    copyFileSync(join(folder, 'headgate.db'), join(location.dataDir, 'headgate.db'));
  },
  postgres: async (folder: string, { location: { databaseUrl = '' } }: TestDatabase) => {
    expect(readdirSync(folder)).toEqual(['headgate.dump']);
    await promisify(execFile)('pg_restore', ['--no-owner', `--dbname=${databaseUrl}`, join(folder, 'headgate.dump')]);
  },
};
