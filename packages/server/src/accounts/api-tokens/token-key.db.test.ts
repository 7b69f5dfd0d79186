import { optionApi, tokenApi } from '@headgate/contract';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { hashSecret, SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createTokenKey } from './token-key.ts';

const app = await useTestApp();

const rowsOf = (userId: number) =>
  app.database.selectFrom('tokens').selectAll().where('user_id', '=', userId).orderBy('id').execute();

async function owner() {
  const user = await app.createUser();
  return { user, client: await app.signedIn(user.username, user.password) };
}

describe('token key', () => {
  test('a token key is 48 uniformly random letters and digits and never repeats', () => {
    const keys = Array.from({ length: 2000 }, createTokenKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => /^[0-9A-Za-z]{48}$/.test(key))).toBe(true);
    const seen = new Map<string, number>();
    for (const character of keys.join('')) seen.set(character, (seen.get(character) ?? 0) + 1);
    expect(seen.size).toBe(62);
    // Each character is expected 1548 times with a standard deviation of 39; 320 is about eight standard deviations.
    for (const count of seen.values()) expect(Math.abs(count - (2000 * 48) / 62)).toBeLessThan(320);
  });

  test('[A29.2] a token key is stored hashed and encrypted, never in plain text', async () => {
    const { user, client } = await owner();
    const { key } = await client.call(tokenApi.create, { body: { name: 'sealed' } });
    const [row] = await rowsOf(user.id);
    expect(JSON.stringify(row)).not.toContain(key);
    expect(row?.key_hash).toBe(hashSecret(key));
    const sealed = Buffer.from(row?.key_sealed.slice(3) ?? '', 'base64').toString('latin1');
    expect(sealed).not.toContain(key);
    const box = new SecretBox(loadSecretKey(app.location.dataDir, undefined));
    expect(box.open(row?.key_sealed ?? '')).toBe(key);
  });

  test('a token key stays the same in every response and after every update', async () => {
    const { client } = await owner();
    const { id, key } = await client.call(tokenApi.create, { body: { name: 'same', unlimited_quota: true } });
    const replies = [
      await client.call(tokenApi.get, { params: { id } }),
      await client.call(tokenApi.update, { query: {}, body: { id, name: 'other' } }),
      await client.call(tokenApi.update, { query: { status_only: 'true' }, body: { id, status: 2 } }),
      ...(await client.call(tokenApi.list, { query: {} })),
      ...(await client.call(tokenApi.search, { query: { keyword: 'other' } })),
    ];
    expect(replies.map((reply) => reply.key)).toEqual(Array(5).fill(key));
    for (const reply of replies) expect(reply).not.toHaveProperty('key_sealed');
  });

  test('a token key is unique among 100 keys created concurrently', async () => {
    const { user, client } = await owner();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, index) => client.call(tokenApi.create, { body: { name: `${index}` } })),
    );
    expect(new Set(made.map(({ key }) => key)).size).toBe(100);
    expect(new Set((await rowsOf(user.id)).map((row) => row.key_hash)).size).toBe(100);
  });
});

test('rejects a token above the per-user limit, even when tokens are created concurrently', async () => {
  const limit = 9;
  const root = await app.as('root');
  await root.call(optionApi.update, { body: { key: 'TokensPerUserLimit', value: String(limit) } });
  try {
    const { user, client } = await owner();
    const before = (await rowsOf(user.id)).length;
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.send(tokenApi.create, { body: { name: 'one more' } })),
    );
    const rejections = responses.filter(({ body }) => !(body as { success: boolean }).success);
    expect(rejections).toHaveLength(20 - (limit - before));
    for (const { body } of rejections)
      expect(body).toEqual(apiFailure(`You have reached the limit of ${limit} tokens`));
    expect(await rowsOf(user.id)).toHaveLength(limit);
    await root.call(optionApi.update, { body: { key: 'TokensPerUserLimit', value: String(limit + 1) } });
    await client.call(tokenApi.create, { body: { name: 'above the old limit' } });
    const other = await owner();
    await other.client.call(tokenApi.create, { body: { name: 'unaffected' } });
  } finally {
    await root.call(optionApi.update, { body: { key: 'TokensPerUserLimit', value: '1000' } });
  }
});

if (inject('database') === 'postgres')
  test('every token change notifies the other nodes', async () => {
    const listener = new pg.Client({ connectionString: app.location.databaseUrl });
    await listener.connect();
    const received: string[] = [];
    listener.on('notification', ({ payload = '' }) => received.push(payload.split(' ')[1] ?? ''));
    await listener.query('listen headgate_changes');
    const { client } = await owner();
    const { id } = await client.call(tokenApi.create, { body: { name: 'told' } });
    await client.call(tokenApi.update, { query: {}, body: { id, name: 'again' } });
    await client.send(tokenApi.update, { query: {}, body: { id, status: 1 } });
    await client.call(tokenApi.remove, { params: { id } });
    await client.send(tokenApi.remove, { params: { id } });
    // PostgreSQL delivers notifications before the result of a later statement on the same connection.
    await listener.query('select 1');
    expect(received.filter((subject) => subject === `token:${id}`)).toHaveLength(3);
    await listener.end();
  });
