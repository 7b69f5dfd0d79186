import { type LoginProviderName, loginProviders, oauthApi, registrationApi, role, userApi } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { KnownIdentities } from '../users/known-identities.ts';
import { KnownIdentityRepository } from '../users/known-identity-repository.ts';

const box = await Mailbox.start();
afterAll(() => box.close());
const { app, come, visit, providers } = await useLoginProviderFixture({
  options: {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(box.port),
    SMTPFrom: 'gateway@example.com',
    EmailVerificationEnabled: 'true',
    QuotaForNewUser: '1000',
    QuotaForInvitee: '200',
    QuotaForInviter: '300',
  },
});
const { signedInUser, rowOf, rowNamed } = accountsOf(app);
const { client: admin } = await signedInUser({ role: role.admin });
const password = 'long enough';
let people = 0;

async function codeFor(email: string): Promise<string> {
  await app.database.deleteFrom('codes').execute();
  const before = box.mails.length;
  expect((await app.client().send(registrationApi.sendCode, { query: { email } })).body).toEqual(apiSuccess);
  const mail = await box.mailTo(email.toLowerCase());
  expect(box.mails.length).toBeGreaterThan(before);
  box.mails.length = 0;
  return /^[A-Z0-9]{6}$/m.exec(mail.text)?.[0] ?? '';
}

/** Registers with the address and returns the new user's row. */
async function register(email: string, aff_code = '') {
  people += 1;
  const username = `person${people}`;
  const body = { username, password, email, verification_code: await codeFor(email), aff_code };
  expect((await app.client().send(registrationApi.register, { body })).body).toEqual(apiSuccess);
  const row = await rowNamed(username);
  if (!row) throw new Error('not registered');
  return row;
}

const ways = {
  'the user': async ({ username }: { username: string }) => {
    await (await app.signedIn(username, password)).call(userApi.removeSelf);
  },
  'an admin by name': async ({ username }: { username: string }) => {
    await admin.call(userApi.manage, { body: { username, action: 'delete' } });
  },
  'an admin by id': async ({ id }: { id: number }) => {
    await admin.call(userApi.remove, { params: { id } });
  },
};

describe('[A8.3] email address of an earlier account', () => {
  test.each(Object.entries(ways))(
    'an address of an earlier account earns no second welcome quota or referral reward after deletion by %s',
    async (_, remove) => {
      const inviter = await app.createUser({ aff_code: `inv${people}` });
      const email = `gone${people}@example.com`;
      const first = await register(email, `inv${people}`);
      expect(first).toMatchObject({ quota: 1200, credited: 1200 });
      await remove(first);
      for (const spelled of [email, email.toUpperCase(), email.replace('@', '+again@'), email.replace('@', '+@')]) {
        const again = await register(spelled, String(inviter.aff_code));
        expect(again).toMatchObject({ quota: 0, credited: 0, inviter_id: inviter.id });
        await remove(again);
      }
      expect(await rowOf(inviter.id)).toMatchObject({ quota: 300, credited: 300 });
      await expectBalancedLedger(app.database);
    },
  );

  test('an address of an earlier account earns no welcome quota while the account exists under another spelling, or after the address was unbound or replaced', async () => {
    expect(await register('Tagged.One@gmail.com')).toMatchObject({ quota: 1000 });
    expect(await register('taggedone+2@googlemail.com')).toMatchObject({ quota: 0 });
    const { username } = await register('first@example.com');
    const client = await app.signedIn(username, password);
    for (const email of ['second@example.com', 'third@example.com']) {
      await client.call(oauthApi.bindEmail, { query: { email, code: await codeFor(email) } });
    }
    await client.call(oauthApi.unbind, { params: { binding: 'email' } });
    for (const email of ['first@example.com', 'second@example.com', 'third@example.com']) {
      expect(await register(email)).toMatchObject({ quota: 0 });
    }
  });

  test.each([
    ['one.two@proton.me', 'onetwo@pm.me', 'one-two+3@protonmail.com', 'one_two@protonmail.ch'],
    ['apple@icloud.com', 'apple@me.com', 'Apple+1@mac.com'],
    ['fast@fastmail.com', 'shop@fast.fastmail.com', 'fast+a@fastmail.com'],
    ['first.last@yandex.ru', 'first-last@ya.ru', 'firstlast@yandex.com'],
    ['base-shop@yahoo.com', 'base-news@yahoo.com'],
    ['plain@outlook.com', 'plain+news@outlook.com'],
  ])('all spellings of one mailbox earn one welcome quota: %s', async (first, ...others) => {
    expect(await register(first)).toMatchObject({ quota: 1000 });
    for (const other of others) expect(await register(other)).toMatchObject({ quota: 0 });
  });

  test.each([
    ['same@outlook.com', 'same@hotmail.com'],
    ['a.b@outlook.com', 'ab@outlook.com'],
    ['a-b@example.com', 'a@example.com'],
    ['some@fastmail.com', 'some@fastmail.fm'],
  ])('different mailboxes each earn a welcome quota: %s and %s', async (...mailboxes) => {
    for (const mailbox of mailboxes) expect(await register(mailbox)).toMatchObject({ quota: 1000 });
  });

  test('an address of an earlier account is recognized by fingerprints from earlier versions, whether or not the account was deleted', async () => {
    const secrets = new SecretBox(loadSecretKey(app.location.dataDir, undefined));
    const former = (mailbox: string) => secrets.fingerprint(`known identity\nemail\n${mailbox}`);
    await app.database
      .insertInto('known_identities')
      .values({ fingerprint: former('old.one@protonmail.com') })
      .execute();
    expect(await register('old.one@protonmail.com')).toMatchObject({ quota: 0 });
  });

  test('an address of an earlier account earns no welcome quota after an import, because it is recorded when the account is deleted', async () => {
    const email = 'unseen@example.com';
    // Inserted directly, as an import does.
    const { id } = await app.createUser({ email });
    await admin.call(userApi.remove, { params: { id } });
    expect(await register(email)).toMatchObject({ quota: 0 });
  });
});

describe.each(Object.keys(loginProviders) as LoginProviderName[])('[A8.4] provider account at %s', (provider) => {
  test('a provider account that belonged to an earlier account earns no second welcome quota or referral reward', async () => {
    const person = newProviderUser();
    const client = app.client();
    await come(client, provider, person);
    expect(await client.call(userApi.self)).toMatchObject({ quota: 1000 });
    await client.call(userApi.removeSelf);
    const inviter = await app.createUser({ aff_code: `for-${provider}` });
    const again = app.client();
    if (provider === 'wechat') {
      providers.wechatCodes.set('again', `wx-${person.id}`);
      await again.send(oauthApi.wechat, { query: { code: 'again', aff_code: `for-${provider}` } });
    } else {
      const query = { ...(await visit(again, provider, person)), aff_code: `for-${provider}` };
      await again.send(oauthApi[provider], { query });
    }
    expect(await again.call(userApi.self)).toMatchObject({ quota: 0 });
    expect(await rowOf(inviter.id)).toMatchObject({ quota: 0, credited: 0 });
  });

  test('a provider account earns no welcome quota if it was bound to another user and then unbound', async () => {
    const { id } = newProviderUser();
    const person = newProviderUser();
    const { user, client } = await signedInUser({ username: `had${id}`, email: null });
    const identity = {
      github: String(person.id),
      lark: `ou_${person.id}`,
      oidc: `sub-${person.id}`,
      wechat: `wx-${person.id}`,
    };
    const columns = { [loginProviders[provider].identity]: identity[provider] };
    await app.database.updateTable('users').set(columns).where('id', '=', user.id).execute();
    await client.call(oauthApi.unbind, { params: { binding: provider } });
    const other = app.client();
    await come(other, provider, person);
    expect(await other.call(userApi.self)).toMatchObject({ quota: 0 });
  });
});

test('the first start records existing accounts, including deleted ones, as unreadable fingerprints', async () => {
  await using old = await startTestApp({ options: { QuotaForNewUser: '1000' } });
  await old.createUser({ email: 'old@example.com', github_id: '77' });
  await old.database.deleteFrom('meta').where('key', '=', 'known_identities_2').execute();
  // `fill` runs on every start.
  const secrets = new SecretBox('a key of this test');
  await new KnownIdentities(new KnownIdentityRepository(old.database), secrets).fill();
  const rows = await old.database.selectFrom('known_identities').selectAll().execute();
  expect(rows.map(({ fingerprint }) => fingerprint)).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
});

test('[A8.1] users cannot use their own invite code', async () => {
  const { username } = await register('alone@example.com');
  const client = await app.signedIn(username, password);
  const code = await client.call(userApi.inviteCode);
  const { id, quota } = await client.call(userApi.self);
  await client.call(userApi.updateSelf, {
    body: { aff_code: code, inviter_id: id, quota: 9, display_name: 'Me' } as never,
  });
  expect(await rowOf(id)).toMatchObject({ inviter_id: 0, quota, display_name: 'Me' });
  await client.call(userApi.removeSelf);
  expect(await register('alone@example.com', code)).toMatchObject({ inviter_id: 0, quota: 0 });
  expect(await rowOf(id)).toMatchObject({ quota });
});
