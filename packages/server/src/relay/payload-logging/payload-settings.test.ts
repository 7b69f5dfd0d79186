import { optionApi, payloadApi, tokenApi } from '@headgate/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { KeepBodies: 'owners' } });
const root = await app.as('root');
const admin = await app.as('admin');
const { signedInUser, logsOf } = accountsOf(app);

const setOption = (value: string) => root.call(optionApi.update, { body: { key: 'KeepBodies', value } });
afterEach(() => setOption('owners'));

async function person() {
  const { user, client } = await signedInUser();
  const token = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  const keepOwn = (body: object = {}) =>
    client.send(payloadApi.keepOwn, { body: { token_id: token.id, hours: 24, kilobytes: 64, ...body } });
  const state = () => client.call(payloadApi.own);
  return { user, client, token, keepOwn, state };
}

test('[A57.4] settings of an unknown kind are left out of the list', async () => {
  const { user, keepOwn, state } = await person();
  await keepOwn();
  const row = { owner_id: user.id, user_id: user.id, hours: 1, kilobytes: 1, is_own: 0, created_time: 1 };
  await app.database
    .insertInto('body_keepings')
    .values({ ...row, kind: 'of_a_later_version' as never })
    .execute();
  expect((await state()).keepings.map(({ kind }) => kind)).toEqual(['token']);
  const seen = await admin.call(payloadApi.of, { params: { id: user.id } });
  expect(seen.keepings.map(({ kind }) => kind)).toEqual(['token']);
});

describe('users with payload logging', () => {
  test('users can turn payload logging on for their own token, change, view and end it, with all changes logged', async () => {
    const { user, client, token, keepOwn, state } = await person();
    expect((await keepOwn()).body).toMatchObject({ success: true });
    expect((await keepOwn({ hours: 2 })).body).toMatchObject({ success: true });
    const keeping = { kind: 'token', owner_id: token.id, hours: 2, kilobytes: 64, is_own: true };
    expect(await state()).toMatchObject({ is_on: true, is_for_owners: true, keepings: [keeping], kept: 0 });
    await client.call(payloadApi.endOwn, { params: { id: token.id } });
    expect((await state()).keepings).toEqual([]);
    const contents = (await logsOf(user.id)).map(({ content }) => content);
    const subject = `${user.username} / mine`;
    expect(contents).toContain(`${user.username} turned on payload logging for ${subject}: 24 h, up to 64 KiB each`);
    expect(contents).toContain(`${user.username} turned off payload logging for ${subject}`);
  });

  test("[A42.10] users can turn payload logging on only if the option allows it, and never for another user's token", async () => {
    const { keepOwn, state } = await person();
    const other = await person();
    expect((await keepOwn({ token_id: other.token.id })).body).toEqual(apiFailure('Not found'));
    expect((await other.state()).keepings).toEqual([]);
    await setOption('admins');
    expect((await keepOwn()).body).toEqual(apiFailure('Only an admin can turn on payload logging'));
    await setOption('off');
    expect((await keepOwn()).body).toEqual(apiFailure('Payload logging is turned off on this gateway'));
    expect((await state()).keepings).toEqual([]);
  });

  test('[A42.10] users see a setting made by an admin, but cannot change or end it', async () => {
    const { user, client, token, keepOwn, state } = await person();
    const amounts = { hours: 100, kilobytes: 10 };
    await admin.call(payloadApi.keep, { params: { id: user.id }, body: { token_id: token.id, ...amounts } });
    await admin.call(payloadApi.keep, { params: { id: user.id }, body: amounts });
    const before = await state();
    expect(before.keepings).toMatchObject([
      { kind: 'user', owner_id: user.id, ...amounts, is_own: false },
      { kind: 'token', owner_id: token.id, ...amounts, is_own: false },
    ]);
    const rejection = apiFailure('An admin has set this; only an admin can change it');
    expect((await keepOwn()).body).toEqual(rejection);
    expect((await client.send(payloadApi.endOwn, { params: { id: token.id } })).body).toEqual(rejection);
    expect(await state()).toEqual(before);
    expect(await admin.call(payloadApi.of, { params: { id: user.id } })).toEqual(before);
  });

  test('[A42.10] users cannot end settings of other users', async () => {
    const { client } = await person();
    const other = await person();
    await other.keepOwn();
    expect((await client.send(payloadApi.endOwn, { params: { id: other.token.id } })).body).toEqual(
      apiFailure('Not found'),
    );
    expect((await other.state()).keepings).toHaveLength(1);
  });

  test('[A42.10] users can have only a limited number of settings', async () => {
    const { user, client, token, keepOwn, state } = await person();
    const row = { kind: 'token', user_id: user.id, hours: 1, kilobytes: 1, is_own: 1, created_time: 1 } as const;
    const tokens = Array.from({ length: 100 }, (_, index) => ({ name: `t${index}`, unlimited_quota: true }));
    for (const body of tokens) {
      const { id } = await client.call(tokenApi.create, { body });
      await app.database
        .insertInto('body_keepings')
        .values({ ...row, owner_id: id })
        .execute();
    }
    expect((await keepOwn()).body).toEqual(apiFailure('The limit of 100 payload logging settings is reached'));
    const [{ owner_id } = { owner_id: 0 }] = (await state()).keepings;
    expect((await keepOwn({ token_id: owner_id, hours: 3 })).body).toMatchObject({ success: true });
    expect(token.id).not.toBe(owner_id);
  });
});

test.each([
  { hours: 0 },
  { hours: 721 },
  { hours: 1.5 },
  { hours: '24' },
  { kilobytes: 0 },
  { kilobytes: 1025 },
  { kilobytes: -1 },
  { token_id: 0 },
  { token_id: 1e300 },
])('[A42.10] rejects the setting %j', async (body) => {
  const { keepOwn, state } = await person();
  expect((await keepOwn(body)).status).toBe(400);
  expect((await state()).keepings).toEqual([]);
});

test.each(['', ' ', 'a b', 'a'.repeat(101), "x' or 1=1", '../x'])('rejects the request id %j', async (request_id) => {
  const { client } = await person();
  expect((await client.send(payloadApi.readOwn, { body: { request_id } })).status).toBe(400);
});
