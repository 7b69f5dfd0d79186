import type { ServerResponse } from 'node:http';
import { oauthApi, userApi } from '@headgate/contract';
import { type ProviderUser, providerClient, signWithSecret, TokenSigner, unsignedToken } from '@headgate/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import {
  newProviderUser,
  providerOptions,
  useLoginProviderFixture,
} from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const { app, come, providers } = await useLoginProviderFixture();
beforeEach(() => {
  providers.signer = new TokenSigner();
});
afterEach(() => providers.faults.clear());

const json = (body: unknown) => (_: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const notTrusted = (reason: string) => apiFailure(`The response from OpenID Connect was rejected: ${reason}`);
const wrongKey = notTrusted('no published key matches its signature');
const keysRead = () => providers.calls.filter(({ path }) => path === '/oidc/jwks').length;

type Make = (claims: Readonly<Record<string, unknown>>) => string;

/** Signs in with an ID token built from the provider's claims. */
async function signIn(make: Make, { at = app, person = newProviderUser(), language = 'en' } = {}) {
  const client = at.client();
  client.headers['accept-language'] = language;
  const { body } = await client.send(oauthApi.state, { query: { provider: 'oidc' } });
  const { data: state, url } = body as { data: string; url: string };
  const nonce = new URL(url).searchParams.get('nonce') ?? '';
  const id_token = make({ ...providers.claimsFor({ person, nonce }) });
  providers.faults.set('/oidc/token', json({ access_token: 't', token_type: 'Bearer', id_token }));
  providers.faults.set('/oidc/userinfo', json({ sub: `sub-${person.id}` }));
  const response = await client.send(oauthApi.oidc, { query: { code: 'x', state } });
  const isSignedIn = (await client.send(userApi.self)).status === 200;
  return { response: response.body, isSignedIn };
}

describe('valid ID token', () => {
  test.each(['ES256', 'RS256', 'EdDSA'] as const)('accepts a token signed with %s', async (alg) => {
    providers.signer = new TokenSigner(alg);
    const { response, isSignedIn } = await signIn((claims) => providers.signer.sign(claims));
    expect(response).toMatchObject({ success: true });
    expect(isSignedIn).toBe(true);
  });

  test('accepts a token signed with the client secret', async () => {
    const { isSignedIn } = await signIn((claims) => signWithSecret(providerClient.secret, claims));
    expect(isSignedIn).toBe(true);
  });

  test.each<[string, object]>([
    ['for several audiences that names this client', { aud: ['other', providerClient.id], azp: providerClient.id }],
    ['that expired within the clock skew', { exp: Math.floor(Date.now() / 1000) - 30 }],
  ])('accepts a token %s', async (_, change) => {
    const { isSignedIn } = await signIn((claims) => providers.signer.sign({ ...claims, ...change }));
    expect(isSignedIn).toBe(true);
  });

  test('accepts a token without a key id if any published key verifies it', async () => {
    const keys = [new TokenSigner(), new TokenSigner(), new TokenSigner()];
    await using other = await freshApp();
    providers.faults.set('/oidc/jwks', json({ keys: keys.map(({ jwk: { kid: _, ...jwk } }) => jwk) }));
    for (const key of keys) {
      const { isSignedIn } = await signIn((claims) => key.sign(claims, { kid: undefined }), { at: other });
      expect(isSignedIn).toBe(true);
    }
    const stranger = new TokenSigner();
    const { response } = await signIn((claims) => stranger.sign(claims, { kid: undefined }), { at: other });
    expect(response).toEqual(wrongKey);
  });
});

describe('invalid ID token', () => {
  test.each<[string, object, string]>([
    ['from another issuer', { iss: 'https://evil.example' }, 'the issuer does not match'],
    ['without an issuer', { iss: undefined }, 'the issuer does not match'],
    ['for another application', { aud: 'other-client' }, 'it was issued for another application'],
    ['for several other applications', { aud: ['a', 'b'] }, 'it was issued for another application'],
    ['without an audience', { aud: undefined }, 'it was issued for another application'],
    ['whose authorized party is another application', { azp: 'other-client' }, 'it was issued for another application'],
    ['for another login', { nonce: 'other' }, 'it was issued for another login'],
    ['without a nonce', { nonce: undefined }, 'it was issued for another login'],
    ['that has expired', { exp: 1000 }, 'it has expired, or the clocks differ'],
    ['without an expiry', { exp: undefined }, 'it has expired, or the clocks differ'],
    ['with a malformed expiry', { exp: 'never' }, 'it has expired, or the clocks differ'],
    ['that is not valid yet', { nbf: 99_999_999_999 }, 'it has expired, or the clocks differ'],
  ])('rejects a token %s', async (_, change, reason) => {
    const { response, isSignedIn } = await signIn((claims) => providers.signer.sign({ ...claims, ...change }));
    expect(response).toEqual(notTrusted(reason));
    expect(isSignedIn).toBe(false);
  });

  test.each<[string, Make]>([
    ['another key', (claims) => new TokenSigner().sign(claims)],
    ['another key with the same key id', (claims) => new TokenSigner('ES256', providers.signer.kid).sign(claims)],
    ['no signature but a valid key id', (claims) => providers.signer.sign(claims).replace(/[^.]+$/, '')],
    ['another secret', (claims) => signWithSecret('another secret', claims)],
    ['the published key used as a secret', (claims) => signWithSecret(providers.signer.pem, claims)],
    ['the right key but changed afterwards', (claims) => changed(providers.signer.sign(claims), { sub: 'sub-1' })],
  ])('rejects a token signed with %s', async (_, make) => {
    const { response, isSignedIn } = await signIn(make);
    expect(response).toEqual(wrongKey);
    expect(isSignedIn).toBe(false);
  });

  test('rejects a token that declares no signature (alg none)', async () => {
    const { response, isSignedIn } = await signIn(unsignedToken);
    expect(response).toEqual(notTrusted('its signature algorithm is not accepted'));
    expect(isSignedIn).toBe(false);
  });

  test('rejects a token signed with an empty secret if the client has no secret', async () => {
    await using other = await freshApp({ OidcClientSecret: '' });
    for (const secret of ['', 'guess']) {
      const { response } = await signIn((claims) => signWithSecret(secret, claims), { at: other });
      expect(response).toEqual(notTrusted('its signature algorithm is not accepted'));
    }
  });

  test.each<[string, Make]>([
    ['is empty', () => ''],
    ['is not a JWT', () => 'a.b.c'],
    ['is a number', () => 5 as never],
    ['has a blank subject', (claims) => providers.signer.sign({ ...claims, sub: ' ' })],
    ['names another user than the user info', (claims) => providers.signer.sign({ ...claims, sub: 'sub-other' })],
  ])('rejects a token that %s', async (_, make) => {
    const { response, isSignedIn } = await signIn(make);
    expect(response).toEqual(apiFailure(/could not be read/));
    expect(isSignedIn).toBe(false);
  });

  test('rejects a token with a message in Chinese', async () => {
    const { response } = await signIn((claims) => new TokenSigner().sign(claims), { language: 'zh' });
    expect(response).toEqual(apiFailure('OpenID Connect 的响应被拒绝：签名与公布的密钥不符'));
  });
});

describe('published keys', () => {
  const enter = async (at: TestApp, person: ProviderUser) =>
    (await signIn((claims) => providers.signer.sign(claims), { at, person })).isSignedIn;

  test('published keys are fetched once for many sign-ins, and again when an unknown key is used', async () => {
    await using other = await freshApp();
    const before = keysRead();
    expect(await enter(other, newProviderUser())).toBe(true);
    expect(await enter(other, newProviderUser())).toBe(true);
    expect(keysRead() - before).toBe(1);
    providers.signer = new TokenSigner();
    expect(await enter(other, newProviderUser())).toBe(true);
    expect(await enter(other, newProviderUser())).toBe(true);
    expect(keysRead() - before).toBe(2);
  });

  test('published keys are fetched at most once for a key that is not published', async () => {
    await using other = await freshApp();
    const before = keysRead();
    const stranger = new TokenSigner();
    const { response } = await signIn((claims) => stranger.sign(claims), { at: other });
    expect(response).toEqual(wrongKey);
    expect(keysRead() - before).toBe(1);
    await signIn((claims) => stranger.sign(claims), { at: other });
    expect(keysRead() - before).toBe(2);
  });

  test.each<[unknown]>([
    ['none'],
    [[5]],
    [[]],
    [[{ kty: 'oct', k: 'AA' }]],
    [[{ kty: 'EC', crv: 'P-256', alg: 'ES256', x: 'AA', y: 'AA' }]],
    [[{ kty: 'EC', crv: 'P-521', alg: 'ES256', x: 5 }]],
  ])('invalid published keys (%j) reject the login', async (keys) => {
    await using other = await freshApp();
    const { kid } = providers.signer;
    const named = Array.isArray(keys)
      ? keys.map((key: unknown) => (typeof key === 'object' ? { ...key, kid } : key))
      : keys;
    providers.faults.set('/oidc/jwks', json({ keys: named }));
    const { response, isSignedIn } = await signIn((claims) => providers.signer.sign(claims), { at: other });
    expect(response).toEqual(apiFailure(/^The response from OpenID Connect /));
    expect(isSignedIn).toBe(false);
  });
});

test('a complete sign-in succeeds', async () => {
  expect((await come(app.client(), 'oidc', newProviderUser())).body).toMatchObject({ success: true });
});

/** An app whose key cache is empty. */
function freshApp(more: object = {}): Promise<TestApp> {
  return startTestApp({ options: { ...providerOptions(providers), ...more } });
}

function changed(token: string, change: object): string {
  const [header, claims = '', signature] = token.split('.');
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
  return [header, Buffer.from(JSON.stringify({ ...read, ...change })).toString('base64url'), signature].join('.');
}
