import { expect, test } from 'vitest';
import { pausingProxy } from '../testing/database/pausing-proxy.ts';
import { createMigratedDatabase } from '../testing/database/test-database.ts';
import { oneLineError } from '../testing/process/failed-start.ts';
import { addressOf, startServer } from '../testing/process/program.ts';

test('[A62.6] the loss of any database connection during startup fails the start with one sentence', async () => {
  await using database = await createMigratedDatabase();
  const failures: string[] = [];
  for (let allowed = 0; ; allowed += 1) {
    await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
    proxy.allow(allowed);
    const environment = { ...database.environment, DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '0' };
    await using server = startServer(environment, database.location.dataDir);
    const exit = await Promise.race([addressOf(server).then(() => undefined), server.exit]);
    if (!exit) break;
    expect(exit).toEqual(oneLineError(/.*\bcannot be reached\b.*\./));
    failures.push(exit.stderr);
  }
  expect(failures.length).toBeGreaterThan(5);
});
