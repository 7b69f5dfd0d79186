import { registrationApi, role, userApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';

const { app, come } = await useLoginProviderFixture();
const { signedInUser, rowOf } = accountsOf(app);
const { client: admin } = await signedInUser({ role: role.admin });
const password = 'long enough';
const unfit = apiFailure(
  'A username may contain only visible characters of one script, single spaces inside, and no @',
);
const taken = apiFailure('This username is taken');
const register = async (username: string) =>
  (await app.client().send(registrationApi.register, { body: { username, password } })).body;

describe('[A18.8] mixed-script username', () => {
  test.each([
    ['Latin and Cyrillic', 'r\u043eot'],
    ['Cyrillic and Latin', '\u0430dmin'],
    ['Latin and Greek', '\u03bfwner'],
    ['Latin and Cherokee', 'b\u13cfss'],
    ['Greek and Cyrillic', '\u03bf\u0430\u0431'],
    ['Latin and Armenian', 'r\u0585\u0585t'],
    ['Cyrillic and Han', '\u0430\u5f20\u5f20'],
    ['Hangul and kana', '\ud55c\u304b\u304b'],
    ['Latin and Deseret', 'ab\u{10400}'],
  ])('rejects a username that mixes %s', async (_, username) => {
    expect(await register(username)).toEqual(unfit);
    expect((await admin.send(userApi.create, { body: { username, password } })).body).toEqual(unfit);
    const { user, client } = await signedInUser();
    expect((await client.send(userApi.updateSelf, { body: { username } })).body).toEqual(unfit);
    expect((await admin.send(userApi.update, { body: { id: user.id, username } })).body).toEqual(unfit);
  });

  test.each([
    ...['Ada 1.', '\u5f20\u4e09Zhang', '\u30e6\u30fc\u30b6\u30fc\u540dUser', '\ud55c\uae00Kim\u91d1'],
    ...['\u0438\u0432\u0430\u043d-1', '\u03b5\u03bb\u03bb\u03b7\u03bd', '\u0639\u0644\u064a', 'smile \u{1f642}'],
  ])('accepts the username %s', async (username) => {
    expect(await register(username)).toEqual(apiSuccess);
  });

  test('a provider login does not create a mixed-script username', async () => {
    const client = app.client();
    await come(client, 'github', newProviderUser({ login: 'r\u043eot' }));
    expect((await client.call(userApi.self)).username).toMatch(/^github_/);
  });

  test('existing accounts keep a mixed-script username', async () => {
    const { user, client } = await signedInUser({ username: '\u0430lt' });
    const body = { username: user.username, display_name: 'Still here', password: '' };
    expect((await client.send(userApi.updateSelf, { body })).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ username: user.username, display_name: 'Still here' });
    await app.signedIn(user.username, user.password);
  });
});

describe('[A18.9] username that is a lookalike in another script', () => {
  test.each([
    ['Cyrillic that looks Latin', 'pacxe', '\u0440\u0430\u0441\u0445\u0435'],
    ['Latin that looks Cyrillic', '\u0441\u043e\u0440\u0443', 'copy'],
    ['Greek that looks Latin', 'pava', '\u03c1\u03b1\u03bd\u03b1'],
    ['capitals', 'HOTMAX', '\u041d\u041e\u0422\u041c\u0410\u0425'],
    ['Greek that looks Cyrillic', '\u0430\u043e\u0430', '\u03b1\u03bf\u03b1'],
    ['with digits', 'cap-7', '\u0441\u0430\u0440-7'],
  ])('rejects a lookalike name: %s', async (_, first, second) => {
    expect(await register(first)).toEqual(apiSuccess);
    expect(await register(second)).toEqual(taken);
    const { client } = await signedInUser();
    expect((await client.send(userApi.updateSelf, { body: { username: second } })).body).toEqual(taken);
  });

  test('accepts a name in which one letter looks different', async () => {
    expect(await register('\u0440\u0430\u0434')).toEqual(apiSuccess);
    expect(await register('pad')).toEqual(apiSuccess);
  });
});
