import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  archiveContents,
  archiveFolder,
  exportArchive,
  passphrase,
  restoreArchive,
} from '../../testing/commands/archive-fixture.ts';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { runFile } from '../../testing/process/program.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function filledPlace(): Promise<TestDatabase> {
  const database = await createMigratedDatabase();
  const app = await startTestApp({ on: database });
  await app.createUser({ username: 'somebody', quota: 5 });
  await app.close();
  return database;
}

describe('[A48.4] interrupted export and restore', () => {
  test('a killed export leaves no file, and a killed restore has stored everything or nothing', async () => {
    using files = archiveFolder();
    await using source = await filledPlace();
    const app = await startTestApp({ on: source });
    for (let part = 0; part < 10; part += 1) {
      await writeLogs(
        app.database,
        Array.from({ length: 1000 }, (_, index) => ({ content: `${part} ${index}` })),
      );
    }
    await app.close();
    const file = files.path('all');
    const environment = { ...source.environment, EXPORT_PASSPHRASE: passphrase };
    await using exporting = runFile('export.ts', ['--to', file], { environment });
    await exporting.line(/^users: /);
    exporting.process.kill('SIGKILL');
    await exporting.exit;
    expect(existsSync(file)).toBe(false);

    await exportArchive(file, source);
    await using target = await createTestDatabase();
    await using restoring = runFile('restore.ts', ['--from', file], {
      environment: { ...target.environment, EXPORT_PASSPHRASE: passphrase },
    });
    // The restore starts to write soon after it has printed the last table of the file.
    await restoring.line(/^logs: /);
    restoring.process.kill('SIGKILL');
    await restoring.exit;
    await restoreArchive(file, target);
    expect(await archiveContents(target)).toEqual(await archiveContents(source));
    expect(readdirSync(target.location.dataDir).filter((name) => name.startsWith('restoring'))).toEqual([]);
  });

  test('an aborted export fails and leaves no file', async () => {
    using files = archiveFolder();
    await using source = await filledPlace();
    const ending = new AbortController();
    const print = (line: string) => (line.startsWith('users') ? ending.abort() : undefined);
    await expect(exportArchive(files.path('all'), source, { signal: ending.signal, print })).rejects.toThrow();
    expect(readdirSync(dirname(files.path('all')))).toEqual([]);
  });
});
