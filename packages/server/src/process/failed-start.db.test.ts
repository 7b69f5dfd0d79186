import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { databaseFile, openDatabase } from '../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/test-database.ts';
import { oneLineError } from '../testing/process/failed-start.ts';
import { takenPort } from '../testing/process/ports.ts';
import { addressOf, runFile, startServer } from '../testing/process/program.ts';

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

it('leaves an empty database empty when the configuration file cannot be applied', async () => {
  await using stored = await createTestDatabase();
  const { dataDir } = stored.location;
  const configFile = join(dataDir, 'headgate.yaml');
  const files = [
    [{ options: { SMTPToken: { env: 'NOT_SET' } } }, /.*NOT_SET, which is not set\./],
    [
      { limits: { one: { user: 'missing', measure: 'requests_per_minute', amount: 1 } } },
      /.*limits\.one was rejected.*/,
    ],
  ] as const;
  for (const [content, sentence] of files) {
    writeFileSync(configFile, JSON.stringify(content));
    await using server = startServer({ ...stored.environment, CONFIG_FILE: configFile }, dataDir);
    expect(await server.exit).toEqual(oneLineError(sentence));
    expect(await tablesOf(stored), sentence.source).toEqual([]);
    expect(readdirSync(dataDir)).not.toContain('secret.key');
  }
});

/** All rows and the names and contents of all files except the database's own. */
async function stateOf({ location }: TestDatabase) {
  const database = await openDatabase(location);
  const rows: Record<string, unknown> = {};
  for (const { name } of await database.introspection.getTables()) {
    const { rows: found } = await sql`select * from ${sql.table(name)}`.execute(database);
    rows[name] = found;
  }
  await database.destroy();
  const files = readdirSync(location.dataDir).filter((name) => !name.startsWith('headgate.db'));
  return { rows, files: files.map((name) => [name, readFileSync(join(location.dataDir, name), 'utf8')]) };
}

it('changes nothing in an existing gateway when a start fails', async () => {
  await using stored = await createTestDatabase();
  await using taken = await takenPort();
  const { dataDir } = stored.location;
  const start = (variables: Readonly<Record<string, string>> = {}) =>
    startServer({ ...stored.environment, ...variables }, dataDir);
  {
    await using server = start();
    await addressOf(server);
    server.process.kill('SIGTERM');
    await server.exit;
  }
  const missing = join(dataDir, 'missing.yaml');
  const lostKey = /The secret key is missing, but this database has secrets encrypted with it; .*/;
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp, (() => void)?])[] = [
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be .*/],
    [{ PORT: String(taken.port) }, /Port .* is already in use.*/],
    [{ CONFIG_FILE: missing }, /The configuration file .*missing\.yaml cannot be read .*/],
    [{ SECRET_KEY: 'another key than before' }, /SECRET_KEY \(or secret\.key in DATA_DIR\) does not match .*/],
    [{}, lostKey, () => rmSync(join(dataDir, 'secret.key'))],
  ];
  for (const [variables, sentence, prepare] of cases) {
    prepare?.();
    const before = await stateOf(stored);
    await using server = start(variables);
    expect(await server.exit).toEqual(oneLineError(sentence));
    expect(await stateOf(stored), sentence.source).toEqual(before);
  }
});

it('creates no secret key to replace a lost one in any command', async () => {
  await using stored = await createTestDatabase();
  const { dataDir } = stored.location;
  writeFileSync(join(dataDir, 'headgate.yaml'), '');
  const environment = { ...stored.environment, EXPORT_PASSPHRASE: 'correct horse battery staple' };
  {
    await using server = startServer(environment, dataDir);
    await addressOf(server);
    server.process.kill('SIGTERM');
    await server.exit;
  }
  rmSync(join(dataDir, 'secret.key'));
  const to = ['--to', join(dataDir, 'out')];
  for (const [file, args] of Object.entries({ plan: [], apply: [], 'dump-config': to, export: to })) {
    await using program = runFile(`${file}.ts`, args, { environment, workingDirectory: dataDir });
    expect(await program.exit, file).toEqual(oneLineError(/The secret key is missing, .*/));
    expect(readdirSync(dataDir), file).not.toContain('secret.key');
  }
});
