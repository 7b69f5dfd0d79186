import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../testing/database/test-database.ts';
import { oneLineError, tablesOf } from '../testing/process/failed-start.ts';
import { addressOf, runFile, startServer } from '../testing/process/program.ts';

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

it('no command creates a new secret key to replace a lost one', async () => {
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
