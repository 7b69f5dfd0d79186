import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { databaseFile, openDatabase } from '../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/test-database.ts';
import { oneLineError } from '../testing/process/failed-start.ts';
import { takenPort } from '../testing/process/ports.ts';
import { addressOf, startServer } from '../testing/process/program.ts';

/** Names of all tables; none for a database file that does not exist. */
async function tablesOf({ location }: TestDatabase): Promise<readonly string[]> {
  if (location.databaseUrl === undefined && !existsSync(databaseFile(location.dataDir))) return [];
  const database = await openDatabase(location);
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  await database.destroy();
  return tables.map(({ name }) => name);
}

it('leaves an empty database empty when the port is already in use', async () => {
  await using stored = await createTestDatabase();
  await using taken = await takenPort();
  const variants = [{}, ...(inject('database') === 'postgres' ? [{ WORKERS: '2' }] : [])];
  for (const variant of variants) {
    const environment = { ...stored.environment, PORT: String(taken.port), ...variant };
    await using server = startServer(environment, stored.location.dataDir);
    expect(await server.exit).toEqual(
      oneLineError(/Port \d+ on 127\.0\.0\.1 is already in use; set PORT to another\./),
    );
    expect(await tablesOf(stored), JSON.stringify(variant)).toEqual([]);
  }
});

it('leaves an empty database empty when a setting is invalid', async () => {
  await using stored = await createTestDatabase();
  const { dataDir } = stored.location;
  const configFile = join(dataDir, 'headgate.yaml');
  writeFileSync(configFile, 'no_such_section: 1\n');
  const cases = [
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be .*/],
    [{ HOST: '203.0.113.1' }, /Cannot listen on 203\.0\.113\.1:0 \(EADDRNOTAVAIL\); .*/],
    [{ CONFIG_FILE: configFile }, /.*no_such_section.*/],
    [{ CONFIG_FILE: join(dataDir, 'none.yaml') }, /The configuration file .*none\.yaml cannot be read .*/],
  ] as const;
  for (const [variables, sentence] of cases) {
    await using server = startServer({ ...stored.environment, ...variables }, dataDir);
    const exit = await server.exit;
    expect(exit).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(await tablesOf(stored), exit.stderr).toEqual([]);
  }
  writeFileSync(join(dataDir, 'secret.key'), '');
  await using server = startServer(stored.environment, dataDir);
  expect(await server.exit).toEqual(oneLineError(/The secret key .*secret\.key is damaged; .*/));
  expect(await tablesOf(stored)).toEqual([]);
});

it('creates no secret key for a database encrypted with another one', async () => {
  await using stored = await createTestDatabase();
  const { dataDir } = stored.location;
  const start = (variables: Readonly<Record<string, string>>) =>
    startServer({ ...stored.environment, ...variables }, dataDir);
  {
    await using server = start({ SECRET_KEY: 'the key of this database' });
    await addressOf(server);
    server.process.kill('SIGTERM');
    await server.exit;
  }
  await using server = start({});
  expect(await server.exit).toEqual(
    oneLineError(/SECRET_KEY \(or secret\.key in DATA_DIR\) does not match the secrets in this database; .*/),
  );
  expect(readdirSync(dataDir)).not.toContain('secret.key');
});
