import { registrationApi, role, sessionApi, userApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';

const { app, come } = await useLoginProviderFixture();
const { signedInUser, rowOf, rowNamed } = accountsOf(app);
const { client: admin } = await signedInUser({ role: role.admin });

const password = 'long enough';
const unfit = apiFailure(
  'A username may contain only visible characters of one script, single spaces inside, and no @',
);
const register = async (username: string) =>
  (await app.client().send(registrationApi.register, { body: { username, password } })).body;

describe('[A18.7] username with invisible characters or an @', () => {
  test.each([
    ['a zero-width space', 'ro\u200bot'],
    ['a zero-width joiner', 'ro\u200dot'],
    ['a byte order mark', 'ro\ufeffot'],
    ['a soft hyphen', 'ro\u00adot'],
    ['a direction mark', 'ro\u202eot'],
    ['an isolate', '\u2066root\u2069'],
    ['a variation selector', 'root\ufe0f'],
    ['a Hangul filler', 'root\u3164'],
    ['a grapheme joiner', 'ro\u034fot'],
    ['a blank Braille pattern', 'root\u2800'],
    ['an invisible musical symbol', '\u{1d159}\u{1d159}'],
    ['a tag character', 'root\u{e0041}'],
    ['only a combining mark', '\u0301'],
    ['a leading combining mark', '\u0301root'],
    ['a line break', 'ro\not'],
    ['a tab', 'ro\tot'],
    ['the delete character', 'ro\u007fot'],
    ['a private-use character', 'ro\ue000ot'],
    ['an unassigned character', 'ro\u0378ot'],
    ['a lone surrogate', 'ro\ud800ot'],
    ['a no-break space', 'ro\u00a0ot'],
    ['an ideographic space', 'ro\u3000ot'],
    ['two spaces', 'ro  ot'],
    ['an @', 'root@here'],
    ['a full-width @', 'root\uff20here'],
    ['a small @', 'root\ufe6bhere'],
  ])('rejects a username with %s', async (_, username) => {
    expect(await register(username)).toEqual(unfit);
    expect((await admin.send(userApi.create, { body: { username, password } })).body).toEqual(unfit);
    const { user, client } = await signedInUser();
    expect((await client.send(userApi.updateSelf, { body: { username } })).body).toEqual(unfit);
    expect((await admin.send(userApi.update, { body: { id: user.id, username } })).body).toEqual(unfit);
    expect(await rowOf(user.id)).toMatchObject({ username: user.username });
    expect(await rowNamed(username)).toBeUndefined();
  });

  test.each(['Ada L.', 'Zoë', '张三', 'Привет', 'नमस्ते', "O'Neil", 'x_1-2'])(
    'accepts the username %s',
    async (username) => {
      expect(await register(username)).toEqual(apiSuccess);
    },
  );

  test('a provider login does not create a username with invisible characters', async () => {
    const client = app.client();
    await come(client, 'github', newProviderUser({ login: 'ev\u200bil@\u3164ho\u202est', name: 'E\u202evil\n' }));
    expect(await client.call(userApi.self)).toMatchObject({ username: 'evilhost', display_name: 'Evil' });
  });
});

test('an existing account keeps its name, signs in with it and can change other fields', async () => {
  const { user, client } = await signedInUser({ username: 'old@\u200bname' });
  const body = { username: user.username, display_name: 'Still here', password: '' };
  expect((await client.send(userApi.updateSelf, { body })).body).toEqual(apiSuccess);
  expect((await admin.send(userApi.update, { body: { ...body, id: user.id, display_name: 'Here' } })).body).toEqual(
    apiSuccess,
  );
  expect(await rowOf(user.id)).toMatchObject({ username: user.username, display_name: 'Here' });
  await app.signedIn(user.username, user.password);
});

test('a name typed in another Unicode normalization form signs in', async () => {
  expect(await register('ame\u0301lie')).toEqual(apiSuccess);
  for (const username of ['am\u00e9lie', 'ame\u0301lie']) {
    expect((await app.client().send(sessionApi.login, { body: { username, password } })).body).toMatchObject({
      data: { username: 'am\u00e9lie' },
    });
  }
});

test('control characters and direction marks are removed from a display name', async () => {
  const { user, client } = await signedInUser();
  const display_name = '\u202eAda\n\u0007 \u{1f469}\u200d\u{1f4bb}\u2028';
  expect((await client.send(userApi.updateSelf, { body: { display_name } })).body).toEqual(apiSuccess);
  expect(await rowOf(user.id)).toMatchObject({ display_name: 'Ada \u{1f469}\u200d\u{1f4bb}' });
});
