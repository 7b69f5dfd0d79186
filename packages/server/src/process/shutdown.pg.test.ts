import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StubUpstream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { pausingProxy } from '../testing/database/pausing-proxy.ts';
import { createMigratedDatabase, type TestDatabase } from '../testing/database/test-database.ts';
import { addressOf, runFile, startServer } from '../testing/process/program.ts';
import { createLoadToken, sendLoadRequest, slowResponse } from '../testing/process/steady-load.ts';

async function restOf(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  while (reader && !(await reader.read()).done);
}

/** Stops a server that has delivered part of a stream after its PostgreSQL became unreachable. */
async function endWithoutDatabase(database: TestDatabase, beforeEnd: () => void) {
  await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
  const upstream = await StubUpstream.start(slowResponse);
  const environment = { ...database.environment, DATABASE_URL: proxy.url, SHUTDOWN_GRACE_SECONDS: '0' };
  await using server = startServer(environment, database.location.dataDir);
  const url = await addressOf(server);
  const key = await createLoadToken(url, upstream);
  expect(await sendLoadRequest(url, key, false)).toBe(undefined);
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o',
      max_tokens: 50,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  });
  const reader = response.body?.getReader();
  await reader?.read();
  proxy.cut();
  beforeEnd();
  server.process.kill('SIGTERM');
  const exit = await server.exit;
  await upstream.close();
  const isBroken = await restOf(reader).then(
    () => false,
    () => true,
  );
  return { exit, lines: server.lines, isBroken };
}

describe('shutdown while PostgreSQL is unreachable', () => {
  test('[A62.8] logs an error and exits with code 1 when charges can be neither stored nor saved', async () => {
    await using database = await createMigratedDatabase();
    const { dataDir } = database.location;
    const { exit, lines, isBroken } = await endWithoutDatabase(database, () => {
      rmSync(dataDir, { recursive: true });
      writeFileSync(dataDir, '');
    });
    expect(exit).toMatchObject({ code: 1, signal: null });
    const lost = lines.find((line) => line.includes('could not be saved')) ?? '{}';
    expect(JSON.parse(lost)).toMatchObject({
      msg: 'charges could not be saved in DATA_DIR; they are lost if the process ends now',
      charges: 1,
      quota: expect.any(Number) as unknown,
    });
    expect(lines.at(-1)).toMatch(/not everything could be stored in time; exiting anyway/);
    // The client must be able to detect that the response is incomplete.
    expect(isBroken).toBe(true);
  });

  test('[A70.5] saves unsettled charges in DATA_DIR at SIGTERM, and the next start stores them once', async () => {
    await using database = await createMigratedDatabase();
    const { dataDir } = database.location;
    const saved = () => readdirSync(dataDir).filter((name) => name.startsWith('unsettled-charges-'));
    const { exit, isBroken } = await endWithoutDatabase(database, () => undefined);
    expect([exit.code, isBroken]).toEqual([0, false]);
    const [name = '', ...others] = saved();
    expect(others).toEqual([]);
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(join(dataDir, name));
    // The second start finds the file again, as if the first had been killed before removing it.
    for (const text of [undefined, bytes]) {
      if (text) writeFileSync(join(dataDir, name), text);
      await using server = startServer(database.environment, dataDir);
      await addressOf(server);
      expect(saved()).toEqual([]);
      server.process.kill('SIGTERM');
      await server.exit;
    }
    const read = await openDatabase(database.location);
    const logs = await read.selectFrom('logs').select(['quota', 'is_stream']).where('type', '=', 2).execute();
    await read.destroy();
    expect(logs.map(({ is_stream }) => is_stream)).toEqual([0, 1]);
    expect(logs[1]?.quota).toBeGreaterThan(0);
    const audit = await runFile('audit.ts', [], { environment: database.environment }).exit;
    expect(audit).toMatchObject({ code: 0, stdout: 'ledger balanced: 1 users\n' });
  });
});
