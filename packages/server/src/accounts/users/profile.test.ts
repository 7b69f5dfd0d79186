import { type Data, userApi, userStatus } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { type NewTestUser, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

async function signedInUser(given: NewTestUser = {}) {
  const user = await app.createUser(given);
  return { user, client: await app.signedIn(user.username, user.password) };
}

const update = (client: ApiClient, body: object) => client.send(userApi.updateSelf, { body });

const rowOf = (id: number) =>
  app.database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('[S7.25] own profile', () => {
  test('a profile contains every field of a user and no secret', async () => {
    const { user, client } = await signedInUser({ email: 'own@example.com', quota: 12, group: 'vip' });
    const { body } = await client.send(userApi.self);
    const expected: Data<typeof userApi.self> = {
      id: user.id,
      username: user.username,
      display_name: '',
      role: 1,
      status: 1,
      email: 'own@example.com',
      github_id: '',
      wechat_id: '',
      lark_id: '',
      oidc_id: '',
      quota: 12,
      used_quota: 0,
      request_count: 0,
      group: 'vip',
      aff_code: '',
      inviter_id: 0,
      tokens_locked: false,
    };
    expect(body).toEqual({ success: true, message: '', data: expected });
  });

  test('a profile keeps numbers above 32 bits exact', async () => {
    const quota = 500_000_000_000_000;
    const { client } = await signedInUser({ quota, used_quota: quota + 1 });
    expect(await client.call(userApi.self)).toMatchObject({ quota, used_quota: quota + 1 });
  });

  test('[S1.8] updates the name, display name and password', async () => {
    const { user, client } = await signedInUser();
    const response = await update(client, {
      username: 'renamed',
      display_name: 'New Name',
      password: 'battery staple',
    });
    expect(response.body).toEqual({ success: true, message: '' });
    expect(await client.call(userApi.self)).toMatchObject({
      id: user.id,
      username: 'renamed',
      display_name: 'New Name',
    });
    await app.signedIn('renamed', 'battery staple');
    await expect(app.signedIn(user.username, 'battery staple')).rejects.toMatchObject({ status: 200 });
  });
});

describe('blank and missing fields stay unchanged', () => {
  test.each([{}, { username: '', display_name: '', password: '' }, { password: '' }, { display_name: '' }])(
    'the update %j changes nothing',
    async (body) => {
      const { user, client } = await signedInUser({ display_name: 'Stays' });
      const before = await rowOf(user.id);
      expect((await update(client, body)).body).toEqual({ success: true, message: '' });
      expect(await rowOf(user.id)).toEqual(before);
    },
  );

  test('a single field changes without the others', async () => {
    const { user, client } = await signedInUser({ display_name: 'Before' });
    const before = await rowOf(user.id);
    await update(client, { username: '', display_name: 'After', password: '' });
    expect(await rowOf(user.id)).toEqual({ ...before, display_name: 'After' });
  });
});

describe('[S9.18] invalid values are rejected and nothing changes', () => {
  test.each([
    ['a 13-character name', { username: 'x'.repeat(13) }, /^Invalid parameter: username: .*12/],
    ['a name of spaces', { username: '   ' }, /^Invalid parameter: username: /],
    ['a 21-character display name', { display_name: 'x'.repeat(21) }, /^Invalid parameter: display_name: .*20/],
    ['a 7-character password', { password: 'x'.repeat(7) }, /^Invalid parameter: password: .*8/],
    ['a 21-character password', { password: 'x'.repeat(21) }, /^Invalid parameter: password: .*20/],
    ['a name that is not a string', { username: 7 }, /^Invalid parameter: username: /],
    ['a display name that is null', { display_name: null }, /^Invalid parameter: display_name: /],
    ['a password that is a list', { password: ['long enough'] }, /^Invalid parameter: password: /],
    [
      'one invalid field among valid ones',
      { display_name: 'Fine', password: 'short' },
      /^Invalid parameter: password: /,
    ],
  ])('rejects %s in the profile', async (_, body, message) => {
    const { user, client } = await signedInUser();
    const before = await rowOf(user.id);
    const response = await update(client, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ success: false, message: expect.stringMatching(message) });
    expect(await rowOf(user.id)).toEqual(before);
  });

  test('the longest allowed values are accepted, and spaces around a name are trimmed', async () => {
    const { user, client } = await signedInUser();
    const body = { username: '  twelve-chars  ', display_name: 'x'.repeat(20), password: 'p'.repeat(20) };
    expect((await update(client, body)).body).toEqual({ success: true, message: '' });
    expect(await rowOf(user.id)).toMatchObject({ username: 'twelve-chars', display_name: 'x'.repeat(20) });
    await app.signedIn('twelve-chars', 'p'.repeat(20));
  });

  test('the shortest allowed password is accepted', async () => {
    const { user, client } = await signedInUser();
    await client.call(userApi.updateSelf, { body: { password: '8 chars!' } });
    await app.signedIn(user.username, '8 chars!');
  });
});

describe('taken name', () => {
  const taken = { success: false, message: 'This username is taken' };

  test('a taken name is rejected', async () => {
    const other = await app.createUser();
    const { user, client } = await signedInUser();
    const response = await update(client, { username: other.username, display_name: 'Not kept' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(taken);
    expect(await rowOf(user.id)).toMatchObject({ username: user.username, display_name: '' });
  });

  test('the name of a deleted account is rejected as well', async () => {
    const deleted = await app.createUser({ status: userStatus.deleted });
    const { client } = await signedInUser();
    const response = await update(client, { username: deleted.username });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(taken);
  });

  test("a user's own name is accepted", async () => {
    const { user, client } = await signedInUser();
    const response = await update(client, { username: user.username, display_name: 'Kept' });
    expect(response.body).toEqual({ success: true, message: '' });
    expect(await rowOf(user.id)).toMatchObject({ username: user.username, display_name: 'Kept' });
  });

  test('a new password is not saved together with a taken name', async () => {
    const other = await app.createUser();
    const { user, client } = await signedInUser();
    await update(client, { username: other.username, password: 'battery staple' });
    await app.signedIn(user.username, user.password);
  });

  test('if twenty users request one name concurrently, exactly one gets it', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => signedInUser()));
    const responses = await Promise.all(people.map(({ client }) => update(client, { username: 'contended' })));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const winners = people.filter((_, index) => JSON.stringify(responses[index]?.body).includes('"success":true'));
    expect(winners).toHaveLength(1);
    expect(responses.filter(({ body }) => JSON.stringify(body) === JSON.stringify(taken))).toHaveLength(19);
    expect(await winners[0]?.client.call(userApi.self)).toMatchObject({ username: 'contended' });
  });
});

test('[A12.2] protected fields are ignored', async () => {
  const { user, client } = await signedInUser();
  const other = await app.createUser();
  const before = await rowOf(user.id);
  const response = await update(client, {
    display_name: 'Changed',
    id: other.id,
    role: 100,
    status: 2,
    quota: 1_000_000,
    used_quota: -1,
    group: 'svip',
    email: 'stolen@example.com',
    github_id: '1',
    inviter_id: 1,
    credited: 1_000_000,
    request_count: 9,
    access_token: 'x',
    access_token_hash: 'x',
    password_hash: 'x',
    aff_code: 'mine',
    created_time: 0,
  });
  expect(response.body).toEqual({ success: true, message: '' });
  expect(await rowOf(user.id)).toEqual({ ...before, display_name: 'Changed' });
  expect(await rowOf(other.id)).toMatchObject({ display_name: '' });
});
