import { logApi, optionApi, payloadApi, tokenApi, userApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { payloadFixture, requestIdOf } from '../../testing/relay/payload-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { KeepBodies: 'owners' }, keptBodies: { sweepEveryMs: 20 } });
const { logsOf } = accountsOf(app);

type Scene = Awaited<ReturnType<typeof payloadFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

async function open(amounts: Parameters<typeof payloadFixture>[2] = {}) {
  const scene = await payloadFixture(app, { upstreams: [completion()] }, amounts);
  scenes.push(scene);
  const ask = async () => {
    const response = await scene.chat();
    await response.text();
    return requestIdOf(response);
  };
  /** Reads the rows without waiting for pending writes. */
  const rows = () =>
    app.database.selectFrom('kept_bodies').select('request_id').where('user_id', '=', scene.user.id).execute();
  return { ...scene, ask, rows };
}

const absent = apiFailure('The payload of this request is not stored or has been deleted');

describe('[A42.8] expired payloads', () => {
  test('expired payloads are deleted, and other payloads are kept', async () => {
    const scene = await open({ hours: 1 });
    const old = await scene.ask();
    await scene.stored();
    pass(3000);
    const young = await scene.ask();
    await scene.stored();
    pass(601);
    await expect.poll(scene.rows).toEqual([{ request_id: young }]);
    await scene.client.call(payloadApi.forgetOneOwn, { params: { request_id: young } });
    expect(old).not.toBe(young);
  });

  test('expired payloads are not shown even while they are still in the table', async () => {
    await using late = await startTestApp({ options: { KeepBodies: 'admins' } });
    const scene = await payloadFixture(late, { upstreams: [completion()] });
    const id = requestIdOf(await scene.chat());
    expect((await scene.read(id)).body.success).toBe(true);
    pass(3600);
    const client = await late.signedIn(scene.user.username, scene.user.password);
    expect((await client.send(payloadApi.readOwn, { body: { request_id: id } })).body).toEqual(absent);
    expect(await client.call(payloadApi.own)).toMatchObject({ kept: 0 });
    expect(await late.database.selectFrom('kept_bodies').select('request_id').execute()).toHaveLength(1);
    await scene.close();
  });
});

test('keeps stored payloads until they expire after payload logging is turned off', async () => {
  const scene = await open();
  const id = await scene.ask();
  await scene.admin.call(payloadApi.end, { params: { id: scene.user.id }, query: { token_id: scene.token.id } });
  await scene.ask();
  expect(await scene.stored()).toHaveLength(1);
  const root = await app.as('root');
  await root.call(optionApi.update, { body: { key: 'KeepBodies', value: 'off' } });
  expect((await scene.read(id)).body.success).toBe(true);
  await root.call(optionApi.update, { body: { key: 'KeepBodies', value: 'owners' } });
});

describe('deletion of payloads', () => {
  test("deletes one request's payloads for its owner", async () => {
    const scene = await open();
    const [one, other] = [await scene.ask(), await scene.ask()];
    await scene.client.call(payloadApi.forgetOneOwn, { params: { request_id: one } });
    expect((await scene.read(one)).body).toEqual(absent);
    expect((await scene.read(other)).body.success).toBe(true);
    const again = await scene.client.send(payloadApi.forgetOneOwn, { params: { request_id: one } });
    expect(again.body).toEqual(absent);
  });

  test("deletes one request's payloads for an admin and logs it", async () => {
    const scene = await open();
    const id = await scene.ask();
    await scene.admin.call(payloadApi.forgetOne, { params: { request_id: id } });
    expect(await scene.stored()).toEqual([]);
    const contents = (await logsOf(scene.user.id)).map(({ content }) => content);
    expect(contents).toContainEqual(expect.stringContaining(`deleted the stored payload of request ${id}`));
  });

  test('deletes all payloads of a user for the user and for an admin', async () => {
    const scene = await open();
    await scene.ask();
    await scene.ask();
    expect(await scene.client.call(payloadApi.forgetOwn)).toBe(2);
    await scene.ask();
    expect(await scene.admin.call(payloadApi.forgetOf, { params: { id: scene.user.id } })).toBe(1);
    expect(await scene.stored()).toEqual([]);
  });
});

test('deletes payloads together with the logs of the same time', async () => {
  const scene = await open({ hours: 10 });
  const old = await scene.ask();
  await scene.stored();
  pass(3600);
  const young = await scene.ask();
  await scene.stored();
  await scene.admin.call(logApi.clean, { query: { target_timestamp: Math.floor(Date.now() / 1000) - 60 } });
  expect(await scene.rows()).toEqual([{ request_id: young }]);
  expect(old).not.toBe(young);
});

describe('[A42.9] deleted accounts and tokens', () => {
  test('an account deletion leaves neither payloads nor settings', async () => {
    const scene = await open();
    await scene.ask();
    await scene.stored();
    await scene.client.call(userApi.removeSelf);
    expect(await scene.rows()).toEqual([]);
    const set = app.database.selectFrom('body_keepings').selectAll().where('user_id', '=', scene.user.id);
    expect(await set.execute()).toEqual([]);
  });

  test('an account deletion also covers payloads of a request that ends afterwards', async () => {
    const scene = await open();
    await scene.ask();
    const [row] = await scene.stored();
    await scene.client.call(userApi.removeSelf);
    if (row) await app.database.insertInto('kept_bodies').values(row).execute();
    await expect.poll(scene.rows).toEqual([]);
  });

  test('a token deletion leaves no payload logging setting', async () => {
    const scene = await open();
    const id = await scene.ask();
    await scene.client.call(tokenApi.remove, { params: { id: scene.token.id } });
    const state = () => scene.client.call(payloadApi.own);
    await expect.poll(async () => (await state()).keepings).toEqual([]);
    // Earlier requests of the token still belong to its owner.
    expect((await scene.read(id)).body.success).toBe(true);
  });
});
