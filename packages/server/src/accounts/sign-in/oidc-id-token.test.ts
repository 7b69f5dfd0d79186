import type { ServerResponse } from 'node:http';
import { oauthApi, userApi } from '@headgate/contract';
import { type ProviderPerson, providerClient, signWithSecret, TokenSigner, unsignedToken } from '@headgate/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiFailure } from '../../testing/relay/api-replies.ts';
import { newPerson, providerOptions, useProviderScene } from '../../testing/relay/provider-scene.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const { app, come, providers } = await useProviderScene();
beforeEach(() => {
  providers.signer = new TokenSigner();
});
afterEach(() => providers.faults.clear());

const json = (body: unknown) => (_: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const notBelieved = (reason: string) => apiFailure(`The response of OpenID Connect was rejected: ${reason}`);
const wrongKey = notBelieved('no published key matches its signature');
const keysRead = () => providers.calls.filter(({ path }) => path === '/oidc/jwks').length;

type Make = (claims: Readonly<Record<string, unknown>>) => string;

/** Signs in with an ID token built from the provider's claims. */
async function signIn(make: Make, { at = app, person = newPerson(), language = 'en' } = {}) {
  const client = at.client();
  client.headers['accept-language'] = language;
  const { body } = await client.send(oauthApi.state, { query: { provider: 'oidc' } });
  const { data: state, url } = body as { data: string; url: string };
  const nonce = new URL(url).searchParams.get('nonce') ?? '';
  const id_token = make({ ...providers.claimsFor({ person, nonce }) });
  providers.faults.set('/oidc/token', json({ access_token: 't', token_type: 'Bearer', id_token }));
  providers.faults.set('/oidc/userinfo', json({ sub: `sub-${person.id}` }));
  const answer = await client.send(oauthApi.oidc, { query: { code: 'x', state } });
  const isSignedIn = (await client.send(userApi.self)).status === 200;
  return { answer: answer.body, isSignedIn };
}

describe('valid ID token', () => {
  test.each(['ES256', 'RS256', 'EdDSA'] as const)('signed with %s is accepted', async (alg) => {
    providers.signer = new TokenSigner(alg);
    const { answer, isSignedIn } = await signIn((claims) => providers.signer.sign(claims));
    expect(answer).toMatchObject({ success: true });
    expect(isSignedIn).toBe(true);
  });

  test('signed with the client secret is accepted', async () => {
    const { isSignedIn } = await signIn((claims) => signWithSecret(providerClient.secret, claims));
    expect(isSignedIn).toBe(true);
  });

  test.each<[string, object]>([
    ['for several, us by name', { aud: ['other', providerClient.id], azp: providerClient.id }],
    ['by a clock that is a little behind', { exp: Math.floor(Date.now() / 1000) - 30 }],
  ])('%s is accepted', async (_, change) => {
    const { isSignedIn } = await signIn((claims) => providers.signer.sign({ ...claims, ...change }));
    expect(isSignedIn).toBe(true);
  });

  test('without a key id is accepted when any published key verifies it', async () => {
    const keys = [new TokenSigner(), new TokenSigner(), new TokenSigner()];
    await using other = await freshApp();
    providers.faults.set('/oidc/jwks', json({ keys: keys.map(({ jwk: { kid: _, ...jwk } }) => jwk) }));
    for (const key of keys) {
      const { isSignedIn } = await signIn((claims) => key.sign(claims, { kid: undefined }), { at: other });
      expect(isSignedIn).toBe(true);
    }
    const stranger = new TokenSigner();
    const { answer } = await signIn((claims) => stranger.sign(claims, { kid: undefined }), { at: other });
    expect(answer).toEqual(wrongKey);
  });
});

describe('ID token is rejected', () => {
  test.each<[string, object, string]>([
    ['of another issuer', { iss: 'https://evil.example' }, 'the issuer does not match'],
    ['of no issuer', { iss: undefined }, 'the issuer does not match'],
    ['for another application', { aud: 'other-client' }, 'it was issued for another application'],
    ['for several others', { aud: ['a', 'b'] }, 'it was issued for another application'],
    ['for nobody', { aud: undefined }, 'it was issued for another application'],
    ['that another application asked for', { azp: 'other-client' }, 'it was issued for another application'],
    ['of another sign-in', { nonce: 'other' }, 'it was issued for another sign-in'],
    ['of no sign-in', { nonce: undefined }, 'it was issued for another sign-in'],
    ['of the past', { exp: 1000 }, 'it has expired, or the clocks differ'],
    ['without an end', { exp: undefined }, 'it has expired, or the clocks differ'],
    ['with an end that is no time', { exp: 'never' }, 'it has expired, or the clocks differ'],
    ['of the future', { nbf: 99_999_999_999 }, 'it has expired, or the clocks differ'],
  ])('%s', async (_, change, reason) => {
    const { answer, isSignedIn } = await signIn((claims) => providers.signer.sign({ ...claims, ...change }));
    expect(answer).toEqual(notBelieved(reason));
    expect(isSignedIn).toBe(false);
  });

  test.each<[string, Make]>([
    ['another key', (claims) => new TokenSigner().sign(claims)],
    ['another key under the same name', (claims) => new TokenSigner('ES256', providers.signer.kid).sign(claims)],
    ['nothing, under the name of a key', (claims) => providers.signer.sign(claims).replace(/[^.]+$/, '')],
    ['another secret', (claims) => signWithSecret('another secret', claims)],
    ['the published key as if it were a secret', (claims) => signWithSecret(providers.signer.pem, claims)],
    ['what was signed before it was changed', (claims) => changed(providers.signer.sign(claims), { sub: 'sub-1' })],
  ])('when signed by %s', async (_, make) => {
    const { answer, isSignedIn } = await signIn(make);
    expect(answer).toEqual(wrongKey);
    expect(isSignedIn).toBe(false);
  });

  test('when it declares no signature (alg none)', async () => {
    const { answer, isSignedIn } = await signIn(unsignedToken);
    expect(answer).toEqual(notBelieved('its signature algorithm is not accepted'));
    expect(isSignedIn).toBe(false);
  });

  test('when signed with an empty secret and the client has none', async () => {
    await using other = await freshApp({ OidcClientSecret: '' });
    for (const secret of ['', 'guess']) {
      const { answer } = await signIn((claims) => signWithSecret(secret, claims), { at: other });
      expect(answer).toEqual(notBelieved('its signature algorithm is not accepted'));
    }
  });

  test.each<[string, Make]>([
    ['is none', () => ''],
    ['is something else', () => 'a.b.c'],
    ['is a number', () => 5 as never],
    ['names nobody', (claims) => providers.signer.sign({ ...claims, sub: ' ' })],
    ['names somebody else than the user data', (claims) => providers.signer.sign({ ...claims, sub: 'sub-other' })],
  ])('when it %s', async (_, make) => {
    const { answer, isSignedIn } = await signIn(make);
    expect(answer).toEqual(apiFailure(/could not be read/));
    expect(isSignedIn).toBe(false);
  });

  test('with a message in Chinese', async () => {
    const { answer } = await signIn((claims) => new TokenSigner().sign(claims), { language: 'zh' });
    expect(answer).toEqual(apiFailure('OpenID Connect 的回复不可信：签名与公布的密钥不符'));
  });
});

describe('published keys', () => {
  const enter = async (at: TestApp, person: ProviderPerson) =>
    (await signIn((claims) => providers.signer.sign(claims), { at, person })).isSignedIn;

  test('are fetched once for many sign-ins, and again for a new key', async () => {
    await using other = await freshApp();
    const before = keysRead();
    expect(await enter(other, newPerson())).toBe(true);
    expect(await enter(other, newPerson())).toBe(true);
    expect(keysRead() - before).toBe(1);
    providers.signer = new TokenSigner();
    expect(await enter(other, newPerson())).toBe(true);
    expect(await enter(other, newPerson())).toBe(true);
    expect(keysRead() - before).toBe(2);
  });

  test('are fetched at most once for an unpublished key', async () => {
    await using other = await freshApp();
    const before = keysRead();
    const stranger = new TokenSigner();
    const { answer } = await signIn((claims) => stranger.sign(claims), { at: other });
    expect(answer).toEqual(wrongKey);
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
  ])('with the value %j reject the sign-in', async (keys) => {
    await using other = await freshApp();
    const { kid } = providers.signer;
    const named = Array.isArray(keys)
      ? keys.map((key: unknown) => (typeof key === 'object' ? { ...key, kid } : key))
      : keys;
    providers.faults.set('/oidc/jwks', json({ keys: named }));
    const { answer, isSignedIn } = await signIn((claims) => providers.signer.sign(claims), { at: other });
    expect(answer).toEqual(apiFailure(/^The response of OpenID Connect /));
    expect(isSignedIn).toBe(false);
  });
});

test('a complete sign-in succeeds', async () => {
  expect((await come(app.client(), 'oidc', newPerson())).body).toMatchObject({ success: true });
});

/** An app without cached keys. */
function freshApp(more: object = {}): Promise<TestApp> {
  return startTestApp({ options: { ...providerOptions(providers), ...more } });
}

function changed(token: string, change: object): string {
  const [header, claims = '', signature] = token.split('.');
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
  return [header, Buffer.from(JSON.stringify({ ...read, ...change })).toString('base64url'), signature].join('.');
}
