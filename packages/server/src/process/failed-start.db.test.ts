import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { createTestDatabase } from '../testing/database/test-database.ts';
import { oneLineError, tablesOf } from '../testing/process/failed-start.ts';
import { listeningPort } from '../testing/process/ports.ts';
import { startServer } from '../testing/process/program.ts';

it('leaves an empty database empty when the port is already in use', async () => {
  await using stored = await createTestDatabase();
  await using taken = await listeningPort();
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
