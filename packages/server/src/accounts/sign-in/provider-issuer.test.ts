import { oauthApi, optionApi, userApi } from '@headgate/contract';
import { LoginProviders, providerClient, wechatToken } from '@headgate/testkit';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import {
  newProviderUser,
  providerIssuers,
  useLoginProviderFixture,
} from '../../testing/relay/login-provider-fixture.ts';

const { app, come, providers } = await useLoginProviderFixture();
const { rowOf, signedInUser } = accountsOf(app);
/** Another server, which can claim any identity. */
const other = await LoginProviders.start();
afterAll(() => other.close());
const root = await app.as('root');

const secrets = { OidcClientSecret: providerClient.secret, WeChatServerToken: wechatToken };

async function pointAt({ url }: LoginProviders): Promise<void> {
  const addresses = { OidcWellKnown: `${url}/oidc`, WeChatServerAddress: url };
  const off = { WeChatAuthEnabled: 'false' };
  const changes = [off, addresses, secrets, { WeChatAuthEnabled: 'true' }].flatMap((values) => Object.entries(values));
  for (const [key, value] of changes) await root.call(optionApi.update, { body: { key, value } });
}

afterEach(() => pointAt(providers));

const idOf = (body: unknown) => (body as { data: { id: number } }).data.id;

describe.each(['oidc', 'wechat'] as const)('[A12.7] identity at %s', (provider) => {
  test("a provider identity is tied to its provider: an admin's own server cannot use it to open other accounts", async () => {
    const person = newProviderUser();
    const mine = idOf((await come(app.client(), provider, person)).body);
    await pointAt(other);
    const stranger = idOf((await come(app.client(), provider, person, other)).body);
    expect(stranger).not.toBe(mine);
    expect(idOf((await come(app.client(), provider, person, other)).body)).toBe(stranger);
    await pointAt(providers);
    expect(idOf((await come(app.client(), provider, person)).body)).toBe(mine);
  });

  test('a provider identity can be bound again at another URL, and then signs in only there', async () => {
    const person = newProviderUser();
    const client = app.client();
    const id = idOf((await come(client, provider, person)).body);
    await pointAt(other);
    if (provider === 'wechat') {
      other.wechatCodes.set(`bind${person.id}`, `wx-${person.id}`);
      await client.call(oauthApi.bindWechat, { query: { code: `bind${person.id}` } });
    } else expect((await come(client, provider, person, other)).body).toMatchObject({ message: 'bind' });
    expect(await rowOf(id)).toMatchObject({ [`${provider}_issuer`]: providerIssuers(other)[`${provider}_issuer`] });
    expect(idOf((await come(app.client(), provider, person, other)).body)).toBe(id);
    await pointAt(providers);
    expect(idOf((await come(app.client(), provider, person)).body)).not.toBe(id);
  });

  test('unbinding clears the provider URL, and the account never shows it', async () => {
    const person = newProviderUser();
    const { user, client } = await signedInUser({
      [`${provider}_id`]: `kept-${person.id}`,
      ...providerIssuers(providers),
    });
    expect(JSON.stringify(await client.call(userApi.self))).not.toContain(providers.url);
    await client.call(oauthApi.unbind, { params: { binding: provider } });
    expect(await rowOf(user.id)).toMatchObject({ [`${provider}_id`]: null, [`${provider}_issuer`]: '' });
  });
});
