import { channelApi, tokenApi, userSupportApi } from '@headgate/contract';
import { claudeMessage, completion, reply, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));

async function scene(channel: object = {}, upstreams = [completion()]) {
  const made = await relayFixture(app, { upstreams, channel: { ...channel } });
  closing.push(made);
  const { id } = made.token;
  const change = (fields: object) => made.client.call(tokenApi.update, { query: {}, body: { id, ...fields } });
  return { ...made, id, params: { id }, change };
}

const sendWith = (key: string, body: object = {}) =>
  fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...body }),
  });

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

describe('token scope', () => {
  test('a token restricted to model patterns serves and lists only matching models', async () => {
    const { chat, change, token } = await scene();
    await change({ models: 'gpt-4*,o3' });
    expect((await chat()).status).toBe(200);
    const other = await chat({ model: 'gpt-3.5-turbo' });
    expect([other.status, await codeOf(other)]).toEqual([403, 'model_not_allowed']);
    const listed = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer sk-${token.key}` } });
    expect(((await listed.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(['gpt-4o']);
  });

  test("a token can be restricted only to its user's groups", async () => {
    const upstreams = await Promise.all([1, 2].map(() => StubUpstream.start(completion())));
    closing.push(...upstreams);
    const admin = await app.as('admin');
    for (const [index, { url }] of upstreams.entries()) await createChannel(admin, `scope-${index}`, url);
    const user = await app.createUser({ group: 'scope-0,scope-1', quota: 1_000_000 });
    const client = await app.signedIn(user.username, user.password);
    const body = { name: 'narrow', unlimited_quota: true, groups: 'scope-1' };
    const { key, id } = await client.call(tokenApi.create, { body });
    expect((await sendWith(key)).status).toBe(200);
    expect(upstreams.map(({ received }) => received.length)).toEqual([0, 1]);
    for (const groups of ['scope-2', 'scope-1,default'])
      for (const response of [
        await client.send(tokenApi.create, { body: { ...body, groups } }),
        await client.send(tokenApi.update, { query: {}, body: { id, groups } }),
      ])
        expect(response.body).toEqual(apiFailure(/^You are not in group /));
    await app.database.updateTable('users').set({ group: 'scope-0' }).where('id', '=', user.id).execute();
    // A group that the user has left is still accepted if a form sends the token's unchanged groups.
    const again = await client.call(tokenApi.update, { query: {}, body: { id, groups: 'scope-1', note: 'kept' } });
    expect(again).toMatchObject({ groups: 'scope-1', note: 'kept' });
    const fresh = await client.call(tokenApi.create, { body: { ...body, groups: 'scope-0' } });
    expect((await sendWith(fresh.key)).status).toBe(200);
  });

  test('a token can be restricted to dialects and endpoints', async () => {
    const { post, chat, change } = await scene({ type: 14, models: 'claude-sonnet-4-5' }, [
      reply(claudeMessage(false)),
    ]);
    const model = 'claude-sonnet-4-5';
    const messages = () => post('/v1/messages', { model, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] });
    await change({ dialects: 'anthropic' });
    expect((await messages()).status).toBe(200);
    expect((await chat({ model })).status).toBe(403);
    await change({ dialects: '', endpoints: 'embeddings,images' });
    expect((await messages()).status).toBe(403);
    const rejection = await chat({ model });
    expect([rejection.status, await codeOf(rejection)]).toEqual([403, 'endpoint_not_allowed']);
    await change({ endpoints: 'conversations' });
    expect((await chat({ model })).status).toBe(200);
    const embeddings = await post('/v1/embeddings', { model, input: 'hi' });
    expect(embeddings.status).toBe(403);
    await expect(change({ dialects: 'klingon' })).rejects.toThrow('klingon');
    await expect(change({ endpoints: '__proto__' })).rejects.toThrow('__proto__');
  });

  test('[A45.3] only admins can bind a token to channels and tags and see the binding', async () => {
    const { chat, change, client, params, user, upstreams, group, token } = await scene({}, [
      completion(),
      completion(),
    ]);
    const rows = await app.database.selectFrom('channels').select('id').where('group', '=', group).execute();
    const [first = 0, second = 0] = rows.map(({ id }) => id).sort((one, other) => one - other);
    const admin = await app.as('admin');
    await admin.call(channelApi.update, { body: { id: second, tag: 'spare' } });
    expect(await change({ channels: '1', tags: 'spare' } as object)).toMatchObject({ is_bound: false });
    await expect(
      client.call(userSupportApi.bindToken, {
        params: { id: user.id },
        body: { token: token.id, channels: '', tags: 'x' },
      }),
    ).rejects.toThrow();
    const bind = (channels: string, tags: string) =>
      admin.call(userSupportApi.bindToken, { params: { id: user.id }, body: { token: token.id, channels, tags } });
    await chat();
    expect(upstreams.map(({ received }) => received.length)).toEqual([1, 0]);
    await bind(String(second), '');
    await chat();
    expect(upstreams.map(({ received }) => received.length)).toEqual([1, 1]);
    expect(await client.call(tokenApi.get, { params })).toMatchObject({ is_bound: true });
    expect(JSON.stringify(await client.call(tokenApi.get, { params }))).not.toContain('spare');
    await bind('', 'spare');
    await chat();
    expect(upstreams.map(({ received }) => received.length)).toEqual([1, 2]);
    const [seen] = await admin.call(userSupportApi.tokens, { params: { id: user.id } });
    expect(seen).toMatchObject({ channels: '', tags: 'spare', is_bound: true });
    await bind('', 'nobody-has-this');
    expect((await chat()).status).toBe(403);
    await bind('', '');
    await chat();
    expect(upstreams.map(({ received: calls }) => calls.length)).toEqual([2, 2]);
    expect(first).toBeGreaterThan(0);
    await expect(bind('1 or 1=1', '')).rejects.toThrow();
  });

  test('keeps the scope when an older client updates other fields', async () => {
    const { change } = await scene();
    const scope = { note: 'for Ada', dialects: 'openai', endpoints: 'conversations' };
    await change(scope);
    expect(await change({ name: 'renamed', models: 'gpt-4o', subnet: '' })).toMatchObject(scope);
  });
});

describe('key rotation', () => {
  test('keeps the old key valid for a grace period, charged to the same quota', async () => {
    const { client, params, token, books, chat } = await scene();
    await client.call(tokenApi.update, {
      query: {},
      body: { id: token.id, remain_quota: 10_000, unlimited_quota: false },
    });
    await chat({ max_tokens: 10 });
    const rotated = await client.call(tokenApi.rotate, { params, body: {} });
    expect(rotated.key).toMatch(/^[0-9A-Za-z]{48}$/);
    expect(rotated.key).not.toBe(token.key);
    expect(rotated.old_key_until - Date.now() / 1000).toBeGreaterThan(86_000);
    for (const key of [token.key, rotated.key, token.key]) expect((await sendWith(key)).status).toBe(200);
    const { token: row, user, drift } = await books();
    expect(row?.used_quota).toBe(4 * 75);
    expect(row?.remain_quota).toBe(10_000 - 4 * 75);
    expect([user.used_quota, drift]).toEqual([4 * 75, 0]);
    expect(JSON.stringify(row)).not.toContain(token.key);
    expect(row?.old_key_hash).toBe(hashSecret(token.key));
  });

  test('[A45.2] revokes the old key immediately without a grace period, otherwise at its end, on request, or on the next rotation', async () => {
    const { client, params, token } = await scene();
    expect((await sendWith(token.key)).status).toBe(200);
    const second = await client.call(tokenApi.rotate, { params, body: { grace: 0 } });
    expect(second.old_key_until).toBe(0);
    expect((await sendWith(token.key)).status).toBe(401);
    const third = await client.call(tokenApi.rotate, { params, body: { grace: 600 } });
    expect((await sendWith(second.key)).status).toBe(200);
    expect(await client.call(tokenApi.endOldKey, { params })).toMatchObject({ old_key_until: 0, key: third.key });
    expect((await sendWith(second.key)).status).toBe(401);
    const fourth = await client.call(tokenApi.rotate, { params, body: { grace: 600 } });
    expect((await sendWith(third.key)).status).toBe(200);
    const fifth = await client.call(tokenApi.rotate, { params, body: { grace: 600 } });
    expect((await sendWith(third.key)).status).toBe(401);
    expect((await sendWith(fourth.key)).status).toBe(200);
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] });
    try {
      expect((await sendWith(fourth.key)).status).toBe(401);
      expect((await sendWith(fifth.key)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test('only the owner can rotate a key, and only with a valid grace period', async () => {
    const { params } = await scene();
    const { client: stranger } = await scene();
    for (const api of [tokenApi.rotate, tokenApi.endOldKey])
      expect((await stranger.send(api, { params, body: {} })).body).toMatchObject({ success: false });
    for (const grace of [-1, 2_592_001, 1.5])
      expect((await stranger.send(tokenApi.rotate, { params, body: { grace } })).body).toMatchObject({
        success: false,
      });
  });
});
