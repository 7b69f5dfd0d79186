import { createHash } from 'node:crypto';
import { accessTokenApi, accessTokensPerUser, neverExpires, role, userApi } from '@headgate/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { accessTokenFixture } from '../../testing/accounts/access-token-fixture.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser, logsOf } = accountsOf(app);
const { programWith, make, holder } = accessTokenFixture(app);
const root = await app.signedIn('root', '123456');

afterEach(() => void vi.useRealTimers());

const storedOf = (userId: number) =>
  app.database.selectFrom('access_tokens').selectAll().where('user_id', '=', userId).orderBy('id').execute();

describe('named access token', () => {
  test('a named access token is shown once, stored as a hash, listed without its key, and logged', async () => {
    const { user, client } = await signedInUser();
    const made = await make(client, 'read');
    expect(made.key).toMatch(/^hg_[\w-]{43}$/);
    const [row] = await storedOf(user.id);
    expect(row?.key_hash).toBe(createHash('sha256').update(made.key).digest('hex'));
    const { key, ...listed } = made;
    expect(await client.call(accessTokenApi.list)).toEqual([listed]);
    expect(JSON.stringify(await storedOf(user.id))).not.toContain(key);
    await client.call(accessTokenApi.revoke, { params: { id: made.id } });
    expect((await logsOf(user.id)).map(({ content }) => content)).toEqual([
      `${user.username} created the access token for read`,
      `${user.username} revoked the access token for read`,
    ]);
  });

  test('a named access token authenticates its user, with and without "Bearer", alongside the unnamed one', async () => {
    const { user, client, key } = await holder('all', {});
    const unnamed = await client.call(userApi.makeAccessToken);
    for (const header of [key, `Bearer ${key}`, `bearer  ${key}`, unnamed]) {
      const program = app.client();
      program.headers['authorization'] = header;
      expect(await program.call(userApi.self)).toMatchObject({ id: user.id });
    }
    await client.call(userApi.makeAccessToken);
    expect((await programWith(unnamed).send(userApi.self)).status).toBe(401);
    expect((await programWith(key).send(userApi.self)).status).toBe(200);
  });

  test('records its last use to the minute', async () => {
    const { client, program } = await holder('read', {});
    const usedTime = async () => (await client.call(accessTokenApi.list))[0]?.used_time;
    expect(await usedTime()).toBe(0);
    vi.useFakeTimers({ toFake: ['Date'] });
    const first = Math.floor(Date.now() / 1000);
    vi.setSystemTime(first * 1000);
    await program.call(userApi.self);
    expect(await usedTime()).toBe(first);
    vi.setSystemTime((first + 60) * 1000);
    await program.call(userApi.self);
    expect(await usedTime()).toBe(first);
    vi.setSystemTime((first + 61) * 1000);
    await program.call(userApi.self);
    expect(await usedTime()).toBe(first + 61);
  });
});

describe('[A52.4] expired token', () => {
  test('a token is accepted until its expiry and rejected from that exact second on', async () => {
    const { client } = await signedInUser();
    vi.useFakeTimers({ toFake: ['Date'] });
    const end = Math.floor(Date.now() / 1000) + 3600;
    const { key } = await make(client, 'all', end);
    const statusAt = async (second: number) => {
      vi.setSystemTime(second * 1000);
      return (await programWith(key).send(userApi.self)).status;
    };
    expect(await statusAt(end - 1)).toBe(200);
    expect(await statusAt(end)).toBe(401);
    expect(await statusAt(end + 86_400 * 365)).toBe(401);
  });

  test.each([0, 1, -2, Date.now(), 1.5, Number.MAX_VALUE, '2030', null, {}])(
    'an expired token cannot be created: %j',
    async (expired_time) => {
      const { user, client } = await signedInUser();
      const body = { name: 'x', scope: 'all', expired_time };
      const response = await client.send(accessTokenApi.create, { body });
      expect(response.body).toMatchObject({ success: false });
      expect(await storedOf(user.id)).toEqual([]);
    },
  );
});

describe('[A52.5] revoked token', () => {
  test('a revoked token is rejected from the next call on and cannot be revoked again', async () => {
    const { client, id, program } = await holder('all', {});
    expect((await program.send(userApi.self)).status).toBe(200);
    await client.call(accessTokenApi.revoke, { params: { id } });
    expect((await program.send(userApi.self)).status).toBe(401);
    expect((await client.send(accessTokenApi.revoke, { params: { id } })).body).toEqual(apiFailure('Not found'));
  });

  test('only the owner can see and revoke a token; root cannot', async () => {
    const { id, program } = await holder('all', {});
    expect((await root.send(accessTokenApi.revoke, { params: { id } })).body).toEqual(apiFailure('Not found'));
    expect((await root.call(accessTokenApi.list)).map((token) => token.id)).not.toContain(id);
    expect((await program.send(userApi.self)).status).toBe(200);
  });

  test('a token cannot revoke or create another token, regardless of its scope', async () => {
    const { client, id, program } = await holder('all');
    const body = { name: 'more', scope: 'all', expired_time: neverExpires };
    expect((await program.send(accessTokenApi.create, { body })).status).toBe(403);
    expect((await program.send(accessTokenApi.revoke, { params: { id } })).status).toBe(403);
    expect(await client.call(accessTokenApi.list)).toHaveLength(1);
  });
});

describe('[A52.6] token of a changed user', () => {
  const manage = (username: string, action: 'demote' | 'disable' | 'delete' | 'enable') =>
    root.call(userApi.manage, { body: { username, action } });

  test("a banned or deleted user's token is rejected on the next call", async () => {
    for (const action of ['disable', 'delete'] as const) {
      const { user, program } = await holder('read', {});
      await manage(user.username, action);
      expect((await program.send(userApi.self)).status).toBe(401);
    }
  });

  test("a demoted user's token is limited to the remaining permissions, regardless of its scope", async () => {
    const { user, program } = await holder('read', { role: role.admin });
    expect((await program.send(userApi.list)).status).toBe(200);
    await manage(user.username, 'demote');
    expect((await program.send(userApi.list)).status).toBe(403);
    expect((await program.send(userApi.self)).status).toBe(200);
  });

  test('a new password, set by the user or an admin, revokes the token', async () => {
    const byAdmin = await holder('all', {});
    await root.call(userApi.update, { body: { id: byAdmin.user.id, password: 'battery staple' } });
    const byOwner = await holder('read', {});
    await byOwner.client.call(userApi.updateSelf, { body: { password: 'battery staple' } });
    for (const { user, program } of [byAdmin, byOwner]) {
      expect((await program.send(userApi.self)).status).toBe(401);
      expect(await storedOf(user.id)).toEqual([]);
    }
  });

  test('other changes to the user keep the token valid', async () => {
    const { client, program } = await holder('read', {});
    await client.call(userApi.updateSelf, { body: { display_name: 'Another' } });
    expect(await program.call(userApi.self)).toMatchObject({ display_name: 'Another' });
  });
});

describe('[A52.7] invalid token', () => {
  test.each([
    { name: '', scope: 'all' },
    { name: ' ', scope: 'all' },
    { name: 'x'.repeat(51), scope: 'all' },
    { name: 'nul\0', scope: 'all' },
    { name: 'x', scope: 'ALL' },
    { name: 'x', scope: '__proto__' },
    { name: 'x', scope: 'constructor' },
    { name: 'x', scope: ['all'] },
    { name: 'x', scope: '' },
    { name: 'x' },
    { scope: 'all' },
    { name: { length: 1 }, scope: 'all' },
  ])('rejects creating the token %j', async (body) => {
    const { user, client } = await signedInUser();
    expect((await client.send(accessTokenApi.create, { body })).status).toBe(400);
    expect(await storedOf(user.id)).toEqual([]);
  });

  test('rejects a key that is truncated, too long, hashed, in another case or with another prefix', async () => {
    const { user, key } = await holder('all', {});
    const [row] = await storedOf(user.id);
    const swapped = key.replace(/[a-zA-Z](?=[^a-zA-Z]*$)/, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    const wrong = [key.slice(0, -1), `${key}0`, row?.key_hash ?? '', swapped, key.slice(3), `sk-${key}`, 'hg_', 'hg_%'];
    for (const given of wrong) {
      expect({ given, status: (await programWith(given).send(userApi.self)).status }).toEqual({ given, status: 401 });
    }
  });

  test('rejects a token with a scope unknown to this version', async () => {
    const { id, program } = await holder('read');
    for (const scope of ['everything', '', 'READ', '__proto__']) {
      await app.database.updateTable('access_tokens').set({ scope }).where('id', '=', id).execute();
      expect((await program.send(userApi.self)).status).toBe(401);
    }
  });

  test('the number of tokens per user is limited, even with concurrent creation', async () => {
    const { user, client } = await signedInUser();
    const row = { user_id: user.id, name: 'x', scope: 'read', created_time: 1, expired_time: neverExpires };
    const rows = Array.from({ length: accessTokensPerUser - 2 }, (_, at) => ({ ...row, key_hash: `${user.id} ${at}` }));
    await app.database.insertInto('access_tokens').values(rows).execute();
    const body = { name: 'one more', scope: 'read', expired_time: neverExpires };
    const responses = await Promise.all(Array.from({ length: 6 }, () => client.send(accessTokenApi.create, { body })));
    const made = responses.filter((response) => (response.body as { success: boolean }).success);
    expect(made).toHaveLength(2);
    expect(responses.map((response) => response.body)).toContainEqual(
      apiFailure('You have reached the limit of 50 access tokens'),
    );
    expect(await storedOf(user.id)).toHaveLength(accessTokensPerUser);
  });
});
