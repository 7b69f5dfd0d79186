import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logApi, sessionApi, tokenApi, userApi } from '@headgate/contract';
import { ApiClient, completion, plainPrice, StubUpstream } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { migrations } from '../platform/db/migrate.ts';
import { readDatabaseSchema } from '../testing/database/database-schema.ts';
import { createReleaseDatabase } from '../testing/database/release-database.ts';
import type { TestDatabase } from '../testing/database/test-database.ts';
import { oneLineError } from '../testing/process/failed-start.ts';
import { listeningPort } from '../testing/process/ports.ts';
import { addressOf, runFile, startServer } from '../testing/process/program.ts';

/** Schema, all rows, and the names and contents of all files except the database's own. */
async function stateOf({ location }: TestDatabase) {
  const database = await openDatabase(location);
  const rows: Record<string, unknown> = {};
  for (const { name } of await database.introspection.getTables()) {
    const { rows: found } = await sql`select * from ${sql.table(name)}`.execute(database);
    rows[name] = found;
  }
  const schema = await readDatabaseSchema(database);
  await database.destroy();
  const files = readdirSync(location.dataDir).filter((name) => !name.startsWith('headgate.db'));
  return { schema, rows, files: files.map((name) => [name, readFileSync(join(location.dataDir, name), 'utf8')]) };
}

async function signIn(url: string, username: string, password: string): Promise<ApiClient> {
  const client = new ApiClient(url);
  await client.call(sessionApi.login, { body: { username, password } });
  return client;
}

async function relay(url: string, key: string, model: string): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.text();
  return response.status;
}

async function scene() {
  await using stack = new AsyncDisposableStack();
  const upstream = await StubUpstream.start(completion());
  stack.defer(() => upstream.close());
  const { stored, recording } = await createReleaseDatabase(upstream.url);
  stack.use(stored);
  const kept = stack.move();
  return { stored, recording, upstream, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

it('failed starts change nothing in a gateway of 1.0.0; the next start upgrades it and keeps its ledger, tokens and logs', async () => {
  await using gateway = await scene();
  const { stored, recording, upstream } = gateway;
  const { dataDir } = stored.location;
  const start = (variables: Readonly<Record<string, string>> = {}) =>
    startServer({ ...stored.environment, ...variables }, dataDir);
  await using taken = await listeningPort();
  const wrongFile = join(dataDir, 'wrong.yaml');
  writeFileSync(wrongFile, 'no_such_section: 1\n');
  const before = await stateOf(stored);
  const failToStart = async (variables: Readonly<Record<string, string>>, sentence: RegExp) => {
    await using server = start(variables);
    expect(await server.exit).toEqual(oneLineError(sentence));
  };
  await failToStart({ PORT: String(taken.port) }, /Port .* is already in use.*/);
  await failToStart({ CONFIG_FILE: wrongFile }, /.*no_such_section.*/);
  await failToStart({ SECRET_KEY: 'another key than before' }, /SECRET_KEY \(or secret\.key .* does not match .*/);
  expect(await stateOf(stored)).toEqual(before);
  const key = join(dataDir, 'secret.key');
  renameSync(key, `${key}.lost`);
  await failToStart({}, /The secret key is missing, but this database has secrets encrypted with it; .*/);
  renameSync(`${key}.lost`, key);
  expect(await stateOf(stored)).toEqual(before);

  await using server = start();
  const url = await addressOf(server);
  const { keys, tables } = recording;
  const endTime = Math.max(...(tables['logs'] ?? []).map((row) => Number(row['created_at'])));
  const root = await signIn(url, 'root', 'root password 1');
  const logs = await root.call(logApi.list, { query: { size: 100, end_timestamp: endTime } });
  const fields = [
    'id',
    'user_id',
    'created_at',
    'type',
    'quota',
    'token_name',
    'model_name',
    'completion_tokens',
  ] as const;
  const essence = (rows: readonly object[]) =>
    rows.map((row) => fields.map((field) => String((row as Record<string, unknown>)[field])).join(' ')).sort();
  expect(essence(logs)).toEqual(essence(tables['logs'] ?? []));
  const alice = await signIn(url, 'alice', 'password-1');
  const [recorded] = tables['users']?.filter(({ username }) => username === 'alice') ?? [];
  const balance = { quota: Number(recorded?.['quota']), used_quota: Number(recorded?.['used_quota']) };
  expect(await alice.call(userApi.self)).toMatchObject(balance);
  const tokens = await alice.call(tokenApi.list, { query: {} });
  expect(Object.fromEntries(tokens.map(({ name, key }) => [name, key]))).toMatchObject(keys);
  expect(await relay(url, keys.limited, 'smart')).toBe(200);
  expect(await relay(url, keys.unlimited, 'gpt-4o')).toBe(200);
  expect(await relay(url, keys.disabled, 'gpt-4o')).toBe(401);
  const sentKeys = upstream.received.map(({ headers }) => headers['authorization']);
  expect(sentKeys).toEqual(['Bearer upstream-key-123456', 'Bearer upstream-key-123456']);
  expect(await alice.call(userApi.self)).toMatchObject({ quota: balance.quota - 2 * plainPrice });
  server.process.kill('SIGTERM');
  await server.exit;
  const { schema } = await stateOf(stored);
  expect(schema).toMatchObject({ migrations: Object.keys(migrations) });
  await using audit = runFile('audit.ts', [], { environment: stored.environment });
  expect(await audit.exit).toMatchObject({ code: 0, stdout: 'ledger balanced: 2 users\n' });
});
