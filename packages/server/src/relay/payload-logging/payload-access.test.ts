import { logApi, payloadApi, role, sessionApi, userApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { payloadFixture, requestIdOf } from '../../testing/relay/payload-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const lines: string[] = [];
const app = await useTestApp({ options: { KeepBodies: 'owners' }, onLine: (line) => void lines.push(line) });
const { signedInUser, logsOf } = accountsOf(app);

type Scene = Awaited<ReturnType<typeof payloadFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

async function kept(amounts: Parameters<typeof payloadFixture>[2] = {}) {
  const scene = await payloadFixture(app, { upstreams: [completion()] }, amounts);
  scenes.push(scene);
  const ask = async (content: string) => {
    const response = await scene.chat({ messages: [{ role: 'user', content }] });
    await response.text();
    return requestIdOf(response);
  };
  return { ...scene, ask, id: await ask('a secret question') };
}

const absent = apiFailure('The payload of this request is not stored or has been deleted');
const damaged = apiFailure(/cannot be decrypted/);
const needed = apiFailure('You logged in a while ago; please confirm your identity or log in again');

describe('[A42.5] access to stored payloads', () => {
  test('stored payloads are shown only after a recent proof of identity', async () => {
    const { id, client, user, read } = await kept();
    pass(601);
    expect((await read(id)).body).toEqual(needed);
    await client.call(sessionApi.prove, { body: { proof: user.password } });
    expect((await read(id)).text).toContain('a secret question');
  });

  test('payload access is denied to an admin without a recent proof of identity, and to access tokens', async () => {
    const { id, admin, client } = await kept();
    const program = app.client();
    program.headers['authorization'] = await client.call(userApi.makeAccessToken);
    expect((await program.send(payloadApi.readOwn, { body: { request_id: id } })).status).toBe(403);
    pass(601);
    expect((await admin.send(payloadApi.read, { body: { request_id: id } })).body).toEqual(needed);
  });

  test('payload access is denied to other users, who get the same error as for an unknown request and cannot delete the payload', async () => {
    const { id, read } = await kept();
    const { client: other } = await signedInUser();
    const responses = [
      await other.send(payloadApi.readOwn, { body: { request_id: id } }),
      await other.send(payloadApi.readOwn, { body: { request_id: 'no-such-request' } }),
      await other.send(payloadApi.forgetOneOwn, { params: { request_id: id } }),
    ];
    for (const { body } of responses) expect(body).toEqual(absent);
    expect((await other.send(payloadApi.read, { body: { request_id: id } })).status).toBe(403);
    expect((await read(id)).body.success).toBe(true);
  });

  test("payload access is granted to an admin with a higher role and shown in the user's log", async () => {
    const { id, user, client } = await kept();
    const { user: name, client: admin } = await signedInUser({ role: role.admin });
    expect((await admin.send(payloadApi.read, { body: { request_id: id } })).text).toContain('a secret question');
    const expected = `${name.username} viewed the payload of request ${id}`;
    expect((await logsOf(user.id)).map(({ content }) => content)).toContain(expected);
    expect((await client.call(logApi.listOwn, { query: {} })).map(({ content }) => content)).toContain(expected);
  });

  test('payload access is denied to an admin of the same role, and the rejected read is not logged', async () => {
    const { user: peer } = await signedInUser({ role: role.admin });
    const { id, user } = await kept();
    await app.database.updateTable('users').set({ role: role.admin }).where('id', '=', user.id).execute();
    const admin = await app.signedIn(peer.username, peer.password);
    for (const response of [
      await admin.send(payloadApi.read, { body: { request_id: id } }),
      await admin.send(payloadApi.forgetOne, { params: { request_id: id } }),
      await admin.send(payloadApi.of, { params: { id: user.id } }),
      await admin.send(payloadApi.keep, { params: { id: user.id }, body: { hours: 1, kilobytes: 1 } }),
      await admin.send(payloadApi.forgetOf, { params: { id: user.id } }),
    ])
      expect(response.body).toMatchObject({ success: false });
    expect((await logsOf(user.id)).filter(({ content }) => content.includes('looked at'))).toEqual([]);
  });

  test('payload access is granted to the owner without a log entry, even if the owner is an admin', async () => {
    const { id, user, client } = await kept();
    await app.database.updateTable('users').set({ role: role.admin }).where('id', '=', user.id).execute();
    const before = await logsOf(user.id);
    expect((await client.send(payloadApi.read, { body: { request_id: id } })).body).toMatchObject({ success: true });
    expect(await logsOf(user.id)).toEqual(before);
  });

  test('no list or export of logs contains stored payloads', async () => {
    const { id, client } = await kept();
    const list = await client.send(logApi.listOwn, { query: { request_id: id } });
    const file = await client.request('GET', `/api/log/self/export?request_id=${id}`);
    for (const { text } of [list, file]) {
      expect(text).toContain(id);
      expect(text).not.toContain('secret question');
    }
  });
});

describe('[A42.6] an attacker with write access to the database', () => {
  const change = (id: string, columns: object) =>
    app.database.updateTable('kept_bodies').set(columns).where('request_id', '=', id).execute();
  const rowOf = (id: string) =>
    app.database.selectFrom('kept_bodies').selectAll().where('request_id', '=', id).executeTakeFirstOrThrow();

  test('an attacker cannot move a payload to another row or swap request and response', async () => {
    const { id, ask, read } = await kept();
    const other = await ask('another question');
    await read(other);
    const [one, two] = [await rowOf(id), await rowOf(other)];
    await change(id, { request_sealed: two.request_sealed, request_bytes: two.request_bytes });
    expect((await read(id)).body).toEqual(damaged);
    await change(id, { request_sealed: one.answer_sealed, request_bytes: one.request_bytes });
    expect((await read(id)).body).toEqual(damaged);
    await change(id, one);
    expect((await read(id)).body.success).toBe(true);
    // Copies a whole row to another id.
    await app.database.deleteFrom('kept_bodies').where('request_id', '=', id).execute();
    await change(other, { request_id: id });
    expect((await read(id)).body).toEqual(damaged);
  });

  test('an attacker cannot change the owner or extend the retention', async () => {
    const { id, user, read } = await kept();
    await read(id);
    const thief = await kept();
    await change(id, { user_id: thief.user.id });
    expect((await thief.read(id)).body).toEqual(damaged);
    await change(id, { user_id: user.id, expires_time: 9_999_999_999 });
    expect((await read(id)).body).toEqual(damaged);
  });

  test('an attacker cannot change a byte undetected, and the detection is logged', async () => {
    const { id, read } = await kept();
    await read(id);
    const { answer_sealed } = await rowOf(id);
    const changes = {
      first: Buffer.concat([Buffer.of(7), answer_sealed.subarray(1)]),
      last: Buffer.concat([answer_sealed.subarray(0, -1), Buffer.of((answer_sealed.at(-1) ?? 0) ^ 1)]),
      short: Buffer.from(answer_sealed.subarray(0, 20)),
      empty: Buffer.alloc(0),
    };
    for (const [name, bytes] of Object.entries(changes)) {
      await change(id, { answer_sealed: bytes });
      expect((await read(id)).body, name).toEqual(damaged);
    }
    expect(lines.filter((line) => line.includes(id)).length).toBe(4);
  });
});

test('[A42.7] keeps payloads and settings across a restart', async () => {
  await using database = await createTestDatabase();
  const secretKey = 'the first key of this gateway';
  const options = { on: database, config: { secretKey } };
  const first = await startTestApp({ ...options, options: { KeepBodies: 'admins' } });
  const scene = await payloadFixture(first, { upstreams: [completion()] });
  const id = requestIdOf(await scene.chat());
  await scene.close();
  await first.close();
  await using second = await startTestApp(options);
  const client = await second.signedIn(scene.user.username, scene.user.password);
  const read = () => client.send(payloadApi.readOwn, { body: { request_id: id } });
  expect((await read()).text).toContain('gpt-4o');
  const state = await client.call(payloadApi.own);
  expect(state).toMatchObject({ is_on: true, kept: 1, keepings: [{ kind: 'token', hours: 1, is_own: false }] });
});
