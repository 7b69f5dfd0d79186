import type { ServerResponse } from 'node:http';
import { oauthApi, userApi } from '@headgate/contract';
import { type ProviderPerson, providerClient, signWithSecret, TokenSigner, unsigned } from '@headgate/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refused } from '../../testing/relay/answers.ts';
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
const notBelieved = (reason: string) => refused(`The response of OpenID Connect was rejected: ${reason}`);
const wrongKey = notBelieved('none of the published keys has signed it');
const keysRead = () => providers.calls.filter(({ path }) => path === '/oidc/jwks').length;

type Make = (claims: Readonly<Record<string, unknown>>) => string;

/** Signs in with the ID token that is made of what the provider would say. */
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

describe('who is vouched for by a token', () => {
  test.each(['ES256', 'RS256', 'EdDSA'] as const)('that is signed with %s, is signed in', async (alg) => {
    providers.signer = new TokenSigner(alg);
    const { answer, isSignedIn } = await signIn((claims) => providers.signer.sign(claims));
    expect(answer).toMatchObject({ success: true });
    expect(isSignedIn).toBe(true);
  });

  test('that is signed with the secret of the client, is signed in', async () => {
    const { isSignedIn } = await signIn((claims) => signWithSecret(providerClient.secret, claims));
    expect(isSignedIn).toBe(true);
  });

  test.each<[string, object]>([
    ['for several, us by name', { aud: ['other', providerClient.id], azp: providerClient.id }],
    ['by a clock that is a little behind', { exp: Math.floor(Date.now() / 1000) - 30 }],
  ])('%s, is signed in', async (_, change) => {
    const { isSignedIn } = await signIn((claims) => providers.signer.sign({ ...claims, ...change }));
    expect(isSignedIn).toBe(true);
  });

  test('by any of several keys, which the token does not name', async () => {
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

describe('nobody is signed in by a token', () => {
  test.each<[string, object, string]>([
    ['of another issuer', { iss: 'https://evil.example' }, 'it names another issuer'],
    ['of no issuer', { iss: undefined }, 'it names another issuer'],
    ['for another application', { aud: 'other-client' }, 'it is meant for another application'],
    ['for several others', { aud: ['a', 'b'] }, 'it is meant for another application'],
    ['for nobody', { aud: undefined }, 'it is meant for another application'],
    ['that another application asked for', { azp: 'other-client' }, 'it is meant for another application'],
    ['of another sign-in', { nonce: 'other' }, 'it belongs to another sign-in'],
    ['of no sign-in', { nonce: undefined }, 'it belongs to another sign-in'],
    ['of the past', { exp: 1000 }, 'it has expired, or one of the two clocks is wrong'],
    ['without an end', { exp: undefined }, 'it has expired, or one of the two clocks is wrong'],
    ['with an end that is no time', { exp: 'never' }, 'it has expired, or one of the two clocks is wrong'],
    ['of the future', { nbf: 99_999_999_999 }, 'it has expired, or one of the two clocks is wrong'],
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
  ])('that is signed by %s', async (_, make) => {
    const { answer, isSignedIn } = await signIn(make);
    expect(answer).toEqual(wrongKey);
    expect(isSignedIn).toBe(false);
  });

  test('that says it needs no signature', async () => {
    const { answer, isSignedIn } = await signIn(unsigned);
    expect(answer).toEqual(notBelieved('it is not signed in a way that is accepted'));
    expect(isSignedIn).toBe(false);
  });

  test('that is signed with an empty secret, where the client has none', async () => {
    await using other = await freshApp({ OidcClientSecret: '' });
    for (const secret of ['', 'guess']) {
      const { answer } = await signIn((claims) => signWithSecret(secret, claims), { at: other });
      expect(answer).toEqual(notBelieved('it is not signed in a way that is accepted'));
    }
  });

  test.each<[string, Make]>([
    ['is none', () => ''],
    ['is something else', () => 'a.b.c'],
    ['is a number', () => 5 as never],
    ['names nobody', (claims) => providers.signer.sign({ ...claims, sub: ' ' })],
    ['names somebody else than the user data', (claims) => providers.signer.sign({ ...claims, sub: 'sub-other' })],
  ])('that %s', async (_, make) => {
    const { answer, isSignedIn } = await signIn(make);
    expect(answer).toEqual(refused(/could not be read/));
    expect(isSignedIn).toBe(false);
  });

  test('and it is said in Chinese too', async () => {
    const { answer } = await signIn((claims) => new TokenSigner().sign(claims), { language: 'zh' });
    expect(answer).toEqual(refused('OpenID Connect 的回复不可信：签名与公布的密钥不符'));
  });
});

describe('the published keys', () => {
  const enter = async (at: TestApp, person: ProviderPerson) =>
    (await signIn((claims) => providers.signer.sign(claims), { at, person })).isSignedIn;

  test('are read once for many sign-ins, and once more for a key that is new', async () => {
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

  test('are asked for no more than once by a key that nobody published', async () => {
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
  ])('that are %j sign nobody in', async (keys) => {
    await using other = await freshApp();
    const { kid } = providers.signer;
    const named = Array.isArray(keys)
      ? keys.map((key: unknown) => (typeof key === 'object' ? { ...key, kid } : key))
      : keys;
    providers.faults.set('/oidc/jwks', json({ keys: named }));
    const { answer, isSignedIn } = await signIn((claims) => providers.signer.sign(claims), { at: other });
    expect(answer).toEqual(refused(/^The response of OpenID Connect /));
    expect(isSignedIn).toBe(false);
  });
});

test('somebody who comes the whole way is signed in', async () => {
  expect((await come(app.client(), 'oidc', newPerson())).body).toMatchObject({ success: true });
});

/** One that has read no keys yet. */
function freshApp(more: object = {}): Promise<TestApp> {
  return startTestApp({ options: { ...providerOptions(providers), ...more } });
}

function changed(token: string, change: object): string {
  const [header, claims = '', signature] = token.split('.');
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
  return [header, Buffer.from(JSON.stringify({ ...read, ...change })).toString('base64url'), signature].join('.');
}
