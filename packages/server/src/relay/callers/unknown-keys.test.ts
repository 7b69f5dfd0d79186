import { tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokenKey } from '../../accounts/api-tokens/token-key.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import { blockCharges } from '../../testing/database/block-charges.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { slowRequest } from '../../testing/relay/slow-request.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });
const scene = await relayFixture(app, { upstreams: [completion()] });
afterAll(() => scene.close());

const chatBody = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });

/** Loopback addresses used only once, so that each has its own counter. */
let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `127.1.0.${addresses}`;
};

async function sendRequest(key: string, address: string, { url }: Pick<TestApp, 'url'> = app) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-length': String(chatBody.length),
    connection: 'close',
  };
  const { response, send } = slowRequest(url, '/v1/chat/completions', headers, address);
  send(chatBody);
  const text = await response;
  const status = Number(text.slice(9, 12));
  return { status, text, retryAfter: /^retry-after: (\d+)/im.exec(text)?.[1] };
}

const sendMany = async (count: number, address: string) => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < count; attempt += 1)
    statuses.push((await sendRequest(createTokenKey(), address)).status);
  return statuses;
};

const own = () => `sk-${scene.token.key}`;

describe('[A28.4] returns 401 for a malformed key without a lookup', () => {
  // Reads once that no hashed keys were imported.
  beforeAll(async () => void (await sendRequest('sk-any', '127.0.0.1')));

  test.each([
    'sk-not-a-key',
    'sk-x',
    'x',
    'sk-',
    'Bearer',
    'sk-nobody',
    `sk-${'x'.repeat(31)}`,
    `sk-${'x'.repeat(65)}`,
    `sk-${'x'.repeat(10_000)}`,
    `sk-${'é'.repeat(24)}`,
    `sk-${'_'.repeat(48)}`,
    () => `${own()}-`,
    () => `${own()}-0`,
    () => `${own()}-one`,
    () => `${own()}-1-2`,
    () => `${own()}-99999999999999999`,
    () => `sk-${own()}`,
    () => `${own()} x`,
  ])('returns 401 without a lookup for %s', async (key) => {
    statements.length = 0;
    const response = await sendRequest(typeof key === 'string' ? key : key(), '127.0.0.1');
    expect(response.status).toBe(401);
    expect(response.text).toContain('"type":"invalid_request_error"');
    expect(response.text).toContain('"code":"invalid_api_key"');
    expect(statements).toEqual([]);
  });
});

test('accepts imported keys of 32 to 64 letters and digits', async () => {
  for (const key of ['0123456789abcdef'.repeat(2), 'Z'.repeat(48), 'Z'.repeat(64)]) {
    const token = await scene.client.call(tokenApi.create, { body: { name: key.slice(0, 5), unlimited_quota: true } });
    await app.database
      .updateTable('tokens')
      .set({ key_hash: hashSecret(key) })
      .where('id', '=', token.id)
      .execute();
    expect((await sendRequest(key, newAddress())).status).toBe(200);
  }
});

describe('[A28.3] an unknown key', () => {
  test('reads the database once and is then rejected from memory', async () => {
    const [address, key] = [newAddress(), createTokenKey()];
    statements.length = 0;
    expect((await sendRequest(key, address)).status).toBe(401);
    expect(statements).toEqual([expect.stringMatching(/^select "key_hash" as "hash" from "tokens"/)]);
    for (let again = 0; again < 5; again += 1) expect((await sendRequest(key, address)).status).toBe(401);
    expect(statements).toHaveLength(1);
  });

  test('works immediately after its token is created', async () => {
    const [address, key] = [newAddress(), createTokenKey()];
    expect((await sendRequest(key, address)).status).toBe(401);
    const other = await scene.client.call(tokenApi.create, { body: { name: 'becomes', unlimited_quota: true } });
    await app.database
      .updateTable('tokens')
      .set({ key_hash: hashSecret(key) })
      .where('id', '=', other.id)
      .execute();
    await scene.client.call(tokenApi.update, { query: {}, body: { id: other.id, name: 'became' } });
    expect((await sendRequest(key, address)).status).toBe(200);
  });

  test('does not wait for pending charges', async () => {
    const before = await scene.books();
    const held = await blockCharges(app);
    const charged = scene.chat();
    await expect.poll(() => scene.upstreams[0]?.received.length).toBeGreaterThan(0);
    expect((await sendRequest(createTokenKey(), newAddress())).status).toBe(401);
    const models = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer sk-${createTokenKey()}` } });
    expect(models.status).toBe(401);
    expect((await scene.books()).user.used_quota).toBe(before.user.used_quota);
    await held[Symbol.asyncDispose]();
    expect((await charged).status).toBe(200);
  });
});

describe('[A28.3] address that keeps guessing keys', () => {
  test('gets 429 with Retry-After, and its lookups are batched', async () => {
    const address = newAddress();
    expect(new Set(await sendMany(60, address))).toEqual(new Set([401]));
    statements.length = 0;
    const responses = await Promise.all(Array.from({ length: 40 }, () => sendRequest(createTokenKey(), address)));
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(429));
    for (const { retryAfter } of responses) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(statements.length).toBeLessThan(20);
  });

  test('does not block valid keys from the same address, cached or not', async () => {
    const address = newAddress();
    await sendMany(60, address);
    expect((await sendRequest(createTokenKey(), address)).status).toBe(429);
    expect((await sendRequest(own(), address)).status).toBe(200);
    const fresh = await scene.client.call(tokenApi.create, { body: { name: 'fresh', unlimited_quota: true } });
    expect((await sendRequest(fresh.key, address)).status).toBe(200);
    expect((await sendRequest(createTokenKey(), newAddress())).status).toBe(401);
  });

  test('gets 429 even if every guessed key is new', async () => {
    const address = newAddress();
    const statuses = await sendMany(65, address);
    expect(statuses).toEqual([...Array(60).fill(401), ...Array(5).fill(429)]);
  });

  test('returns 429 when the same wrong key is repeated', async () => {
    const [address, key] = [newAddress(), createTokenKey()];
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 62; attempt += 1) statuses.push((await sendRequest(key, address)).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });
});

test('[A28.3] does not treat a key as unknown when the database fails', async () => {
  const broken = await startTestApp();
  const there = await relayFixture(broken, { upstreams: [completion()] });
  await sql`alter table tokens rename to hidden`.execute(broken.database);
  expect((await sendRequest(there.token.key, newAddress(), broken)).status).toBe(500);
  await sql`alter table hidden rename to tokens`.execute(broken.database);
  expect((await sendRequest(there.token.key, newAddress(), broken)).status).toBe(200);
  await there.close();
  await broken.close();
});

test('[A28.3] does not treat a key from a rate-limited address as unknown when the database fails', async () => {
  const broken = await startTestApp();
  const there = await relayFixture(broken, { upstreams: [completion()] });
  const address = newAddress();
  for (let attempt = 0; attempt < 60; attempt += 1) await sendRequest(createTokenKey(), address, broken);
  expect((await sendRequest(createTokenKey(), address, broken)).status).toBe(429);
  await sql`alter table tokens rename to hidden`.execute(broken.database);
  expect((await sendRequest(there.token.key, address, broken)).status).toBe(500);
  await sql`alter table hidden rename to tokens`.execute(broken.database);
  expect((await sendRequest(there.token.key, address, broken)).status).toBe(200);
  await there.close();
  await broken.close();
});
