import { oauthApi, registrationApi, role, sessionApi, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';

const { app, come } = await useLoginProviderFixture();
const { signedInUser, rowOf, rowNamed } = accountsOf(app);
const { client: admin } = await signedInUser({ role: role.admin });

const taken = apiFailure('This username is taken');
const password = 'long enough';
const create = async (username: string) => (await admin.send(userApi.create, { body: { username, password } })).body;
const register = async (username: string) =>
  (await app.client().send(registrationApi.register, { body: { username, password } })).body;
const rename = async (client: ApiClient, username: string) =>
  (await client.send(userApi.updateSelf, { body: { username } })).body;
const renameBy = async (id: number, username: string) =>
  (await admin.send(userApi.update, { body: { id, username } })).body;
const isSuccess = (body: unknown) => (body as { success: boolean }).success;

describe('username taken in another case', () => {
  test.each([
    ['root', 'Root'],
    ['root', 'ROOT'],
    ['Zoé', 'ZOÉ'],
    ['Привет', 'пРИВЕТ'],
    ['ÄÖÜ', 'äöü'],
    ['Ωμεγα', 'ωΜΕΓΑ'],
    ['full', 'ＦＵＬＬ'],
    ['cafe\u0301', 'CAF\u00c9'],
  ])('if %j is taken, %j is rejected for every caller', async (first, second) => {
    if (first !== 'root') expect(await create(first)).toEqual(apiSuccess);
    expect(await create(second)).toEqual(taken);
    expect(await register(second)).toEqual(taken);
    const { user, client } = await signedInUser();
    expect(await rename(client, second)).toEqual(taken);
    expect(await renameBy(user.id, second)).toEqual(taken);
    expect(await rowOf(user.id)).toMatchObject({ username: user.username });
    expect(await rowNamed(second)).toBeUndefined();
  });

  test.each([
    ['maße', 'masse'],
    ['i-dotless', 'ı-dotless'],
    ['a_b', 'axb'],
    ['a%', 'a%%'],
    ['张三', '张四'],
  ])('a name that is only similar is accepted: %j and %j', async (first, second) => {
    expect(await create(first)).toEqual(apiSuccess);
    expect(await register(second)).toEqual(apiSuccess);
  });

  test('one of many concurrent requests for the name succeeds', async () => {
    const names = ['Twin', 'twin', 'TWIN', 'tWin', 'twiN', 'TwIn'];
    const made = await Promise.all(names.map((name, index) => (index % 2 === 0 ? create(name) : register(name))));
    expect(made.filter(isSuccess)).toHaveLength(1);
    expect(made.filter((body) => !isSuccess(body))).toEqual(new Array(names.length - 1).fill(taken));
    const people = await Promise.all(names.map(() => signedInUser()));
    const renamed = await Promise.all(people.map(({ client }, index) => rename(client, `${names[index]}2`)));
    expect(renamed.filter(isSuccess)).toHaveLength(1);
  });

  test('a new user from a provider gets a different name', async () => {
    await create('Octocat');
    const client = app.client();
    const { body } = await come(client, 'github', newProviderUser({ login: 'octoCAT' }));
    expect(body).toMatchObject({ success: true, data: { username: expect.stringMatching(/^octoCAT\d+$/) } });
    expect((await client.send(oauthApi.state)).status).toBe(200);
  });

  test('a name becomes free when the account is deleted or renamed', async () => {
    await create('Leaving');
    await admin.call(userApi.manage, { body: { username: 'Leaving', action: 'delete' } });
    expect(await register('leaving')).toEqual(apiSuccess);
    const { client } = await signedInUser({ username: 'Moving' });
    expect(await rename(client, 'Moved')).toEqual(apiSuccess);
    expect(await create('moving')).toEqual(apiSuccess);
    expect(await create('moved')).toEqual(taken);
  });
});

test('users can change the case of their username', async () => {
  await create('shout');
  const client = await app.signedIn('shout', password);
  expect(await rename(client, 'SHOUT')).toEqual(apiSuccess);
  expect(await rename(client, 'Shout')).toEqual(apiSuccess);
  expect(await create('shouT')).toEqual(taken);
});

describe('existing accounts whose names differ only in case', () => {
  test('accounts with names that differ only in case remain, sign in with their own names and can save their profiles', async () => {
    const people = await Promise.all(
      ['Elder', 'elder'].map((username) => signedInUser({ username, password: `pass of ${username}` })),
    );
    for (const { user, client } of people) {
      const body = { username: user.username, password: user.password };
      const response = await app.client().send(sessionApi.login, { body });
      expect(response.body).toMatchObject({ data: { id: user.id } });
      const profile = { username: user.username, display_name: 'New' };
      expect((await client.send(userApi.updateSelf, { body: profile })).body).toEqual(apiSuccess);
      expect((await admin.send(userApi.update, { body: { id: user.id, ...profile, group: 'vip' } })).body).toEqual(
        apiSuccess,
      );
      expect(await rowOf(user.id)).toMatchObject({ username: user.username, display_name: 'New', group: 'vip' });
    }
    expect(await create('ELDER')).toEqual(taken);
    const crossed = { username: 'Elder', password: 'pass of elder' };
    expect((await app.client().send(sessionApi.login, { body: crossed })).body).toMatchObject({ success: false });
  });
});
