import { accessTokenApi, channelApi, role, userApi } from '@headgate/contract';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { accessTokenFixture } from '../../testing/accounts/access-token-fixture.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { readOnlyDatabase } from '../../testing/database/read-only-database.ts';
import { emptyInput, endpoints, nameOf } from '../../testing/endpoints.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const lines: string[] = [];
const app = await useTestApp({ onLine: (line) => lines.push(line) });
const { holder, programWith, make } = accessTokenFixture(app);
const { logsOf, signedInUser } = accountsOf(app);

/** All stored data as strings. */
async function stored(): Promise<string> {
  const tables = await app.database.introspection.getTables();
  const contents = await Promise.all(
    tables.map(({ name }) =>
      app.database
        .selectFrom(name as 'users')
        .selectAll()
        .execute(),
    ),
  );
  return JSON.stringify(contents);
}

describe('[A56.7] access token key', () => {
  /** Responses of every endpoint and of malformed calls, with the key in every place that accepts one. */
  async function responsesTo(given: string): Promise<string[]> {
    const caller = programWith(given);
    const query = { access_token: given, authorization: given, keyword: given };
    const texts: string[] = [];
    for (const row of endpoints) {
      const isRead = row.method === 'GET' && row.changes !== true;
      const input = emptyInput(row);
      texts.push((await caller.send(row, { ...input, ...(isRead && { query: { ...query, ...input.query } }) })).text);
    }
    const headers = { 'content-type': 'application/json' };
    texts.push((await caller.request('POST', '/api/channel/', { rawBody: `{"name": "${given}`, headers })).text);
    texts.push((await caller.request('PATCH', `/api/channel/?key=${given}`)).text);
    const without = await app.client().send(userApi.self, { query: { access_token: given, key: given } });
    expect(without.status).toBe(401);
    return [...texts, without.text];
  }

  test("an access token's key appears in no response, log line or table, even when the call is rejected", async () => {
    const { client, key } = await holder('all');
    const unnamed = await client.call(userApi.makeAccessToken);
    const everything = [...(await responsesTo(key)), ...(await responsesTo(unnamed)), ...lines, await stored()].join(
      '\n',
    );
    for (const given of [key, unnamed]) expect(everything).not.toContain(given.slice(3));
  });

  test('creating either kind of token is logged without the key', async () => {
    const { user, client } = await signedInUser();
    const unnamed = await client.call(userApi.makeAccessToken);
    const { key } = await make(client, 'usage');
    const written = (await logsOf(user.id)).map(({ content }) => content);
    expect(written).toEqual([
      `${user.username} created a new system access token`,
      `${user.username} created the access token for usage`,
    ]);
    expect(written.join()).not.toMatch(new RegExp(`${unnamed}|${key}`));
  });

  test('a token name cannot contain line breaks, direction marks or invisible characters', async () => {
    const { user, client } = await signedInUser();
    const name = 'deploy\r\n2026-01-01 root made \u202eadmin\u2028\u0007\ud800 \u0085';
    const made = await client.call(accessTokenApi.create, { body: { name, scope: 'read' } });
    expect(made.name).toBe('deploy2026-01-01 root made admin');
    expect((await logsOf(user.id)).at(-1)?.content).toBe(`${user.username} created the access token ${made.name}`);
    for (const body of [
      { name: '\u202e\n\u0000', scope: 'read' },
      { name: '\u202e \u2029', scope: 'read' },
    ]) {
      expect((await client.send(accessTokenApi.create, { body })).status).toBe(400);
    }
    const long = { name: 'x'.repeat(10_000), scope: 'read' };
    const { status, text } = await client.send(accessTokenApi.create, { body: long });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(500);
  });
});

describe('[A56.8] endpoint that requires a proof of identity', () => {
  const proved = endpoints.filter(({ proof }) => proof !== undefined).map((row) => ({ name: nameOf(row), row }));

  test.each(proved)('$name rejects every access token, even with a fresh cookie', async ({ row }) => {
    const { user, client, key } = await holder('all', { role: role.root });
    const unnamed = await client.call(userApi.makeAccessToken);
    const browser = await app.signedIn(user.username, user.password);
    for (const given of [key, unnamed]) {
      for (const caller of [app.client(), browser]) {
        const headers = { authorization: `Bearer ${given}` };
        const response = await caller.send(row, { ...emptyInput(row), headers });
        expect(response.status, response.text).toBe(403);
        expect(response.headers.get('x-error-code')).toBe('notByAccessToken');
      }
    }
  });

  test('rejects changing one’s own password with an access token, through either endpoint', async () => {
    const { user, program } = await holder('all', { role: role.root });
    for (const [row, body] of [
      [userApi.updateSelf, { password: 'battery staple' }],
      [userApi.update, { id: user.id, password: 'battery staple' }],
    ] as const) {
      const response = await program.send(row, { body });
      expect([response.status, response.headers.get('x-error-code')]).toEqual([403, 'notByAccessToken']);
    }
    await app.signedIn(user.username, user.password);
  });
});

describe('[A56.10] while the database is read-only', () => {
  test('a token used for the first time, and a session due for extension, can still read', async () => {
    await using other = await startTestApp();
    const { client, program } = await accessTokenFixture(other).holder('read');
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    await using _readOnly = await readOnlyDatabase(other);
    for (const caller of [program, client]) {
      // Connections may have to be reopened first.
      await expect.poll(async () => (await caller.send(channelApi.list, { query: {} })).status).toBe(200);
    }
  });
});
