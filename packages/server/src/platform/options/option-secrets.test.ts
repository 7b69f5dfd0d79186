import { type OptionKey, optionApi, optionKeys, optionRow } from '@headgate/contract';
import { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { emptyInput, endpoints } from '../../testing/endpoints.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');

const secrets = optionKeys.filter((key) => optionRow(key).control === 'secret');
const markerOf = (key: OptionKey) => `marker-of-${key}`;
const put = (key: OptionKey, value: string) => root.call(optionApi.update, { body: { key, value } });
const shown = async (key: OptionKey) =>
  (await root.call(optionApi.list, { query: { ratios: 'saved' } })).find((option) => option.key === key);
const storedText = async (key: OptionKey) =>
  (await app.database.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value;

describe('[A30.1] secret option', () => {
  test.each(secrets)(
    '%s is encrypted in the table, cannot be decrypted in another row, and is only reported as stored',
    async (key) => {
      expect(await shown(key)).toEqual({ key, value: '', stored: false });
      const { text } = await root.send(optionApi.update, { body: { key, value: ` ${markerOf(key)} ` } });
      expect(text).not.toContain(markerOf(key));
      expect(await shown(key)).toEqual({ key, value: '', stored: true });
      const sealed = await storedText(key);
      expect(sealed).toMatch(/^v1:/);
      expect(sealed).not.toContain(markerOf(key));
      expect(Buffer.from(sealed?.slice(3) ?? '', 'base64').toString('latin1')).not.toContain(markerOf(key));
    },
  );

  test('a secret option appears in no response of any read endpoint, for the lowest role it serves and for root', async () => {
    for (const key of secrets) await put(key, markerOf(key));
    const lowest = { visitor: app.client(), user: await app.as('user'), admin: await app.as('admin'), root };
    for (const row of endpoints.filter(({ method, changes }) => method === 'GET' && !changes)) {
      for (const reader of new Set([lowest[row.access], root])) {
        // Exports are skipped: they contain whole tables, which the next test checks directly.
        const { text } = await reader.send(row, { params: { id: 1 }, query: emptyInput(row).query ?? {} });
        expect(text, row.path).not.toContain('marker-of-');
      }
    }
  });

  test('secret options are not stored in plain text in any table', async () => {
    for (const { name } of await app.database.introspection.getTables()) {
      const rows = await app.database
        .selectFrom(name as 'users')
        .selectAll()
        .execute();
      expect(JSON.stringify(rows), name).not.toContain('marker-of-');
    }
  });

  test('a secret option is not repeated in an error', async () => {
    const { text } = await root.send(optionApi.update, { body: { key: 'SMTPToken', value: 'marker-of\nnothing' } });
    expect(text).not.toContain('marker-of');
    expect(text).toContain('SMTP password or token must not contain line breaks');
  });

  test('a secret option is cleared only by an empty string', async () => {
    await put('LarkClientSecret', 'x');
    await put('LarkClientId', 'y');
    expect(await shown('LarkClientSecret')).toMatchObject({ stored: true });
    await put('LarkClientSecret', '');
    expect(await shown('LarkClientSecret')).toEqual({ key: 'LarkClientSecret', value: '', stored: false });
    expect(await storedText('LarkClientSecret')).toBe('');
  });

  test('a secret option survives a restart', async () => {
    await using stored = await createMigratedDatabase();
    const first = await startTestApp({ on: stored });
    await (await first.as('root')).call(optionApi.update, { body: { key: 'SMTPToken', value: 'kept' } });
    await first.close();
    await using second = await startTestApp({ on: stored });
    const client = await second.as('admin');
    const listed = await client.call(optionApi.list, { query: { ratios: 'saved' } });
    expect(listed.find(({ key }) => key === 'SMTPToken')).toMatchObject({ stored: true });
  });

  test('a secret option counts as unset if its stored value is damaged or not encrypted', async () => {
    const odd: Partial<Record<OptionKey, string>> = {
      SMTPToken: 'plain text',
      LarkClientSecret: 'v1:',
      GitHubClientSecret: 'v1:AAAA',
      OidcClientSecret: 'v2:x',
    };
    await using stored = await createMigratedDatabase();
    const first = await startTestApp({ on: stored });
    const values = Object.entries(odd).map(([key, value]) => ({ key, value }));
    await first.database.insertInto('options').values(values).execute();
    await first.close();
    await using second = await startTestApp({ on: stored });
    const client = await second.as('admin');
    const listed = await client.call(optionApi.list, { query: { ratios: 'saved' } });
    for (const { key } of values) {
      expect(listed.find((option) => option.key === key)).toEqual({ key, value: '', stored: false });
    }
  });
});

test('[A30.1] logs no secret at any log level', async () => {
  await using database = await createMigratedDatabase();
  const environment = { ...database.environment, LOG_LEVEL: 'trace' };
  await using server = startServer(environment, database.location.dataDir);
  const client = new ApiClient(await addressOf(server));
  await client.request('POST', '/api/user/login', { body: { username: 'root', password: '123456' } });
  for (const value of ['marker-of-good', 'marker-of\nbad', 7]) {
    const { status } = await client.send(optionApi.update, { body: { key: 'SMTPToken', value } });
    expect(status).toBe(value === 7 ? 400 : 200);
  }
  server.process.kill('SIGTERM');
  const { stdout, stderr } = await server.exit;
  expect(stdout).toContain('/api/option/');
  expect(stdout + stderr).not.toContain('marker-of');
});
