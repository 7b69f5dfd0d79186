import type { ServerResponse } from 'node:http';
import { loginProviders, oauthApi, type RedirectProviderName, userApi } from '@headgate/contract';
import { TokenSigner } from '@headgate/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { OutgoingError, requestJson } from '../../platform/outgoing/request-json.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import {
  newProviderUser,
  providerOptions,
  useLoginProviderFixture,
} from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const { app, visit, come, providers } = await useLoginProviderFixture();
afterEach(() => providers.faults.clear());

const paths = {
  github: ['/login/oauth/access_token', '/user'],
  lark: ['/open-apis/authen/v2/oauth/token', '/suite/passport/oauth/userinfo'],
  oidc: ['/oidc/token', '/oidc/userinfo', '/oidc/jwks'],
} as const;
const cases = (Object.keys(paths) as RedirectProviderName[]).flatMap((provider) =>
  paths[provider].map((path) => ({ provider, path })),
);

const json =
  (body: unknown, status = 200) =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

describe.each(cases)('$provider login, when $path fails', ({ provider, path }) => {
  const { label } = loginProviders[provider];
  const unreachable = apiFailure(`Cannot connect to ${label}; please try again later`);
  const unreadable = apiFailure(`The response from ${label} could not be read; please try again later`);

  test.each<[string, (response: ServerResponse) => void, object]>([
    ['is cut off', (response) => response.destroy(), unreachable],
    ['is a 502', (response) => response.writeHead(502).end('bad gateway'), unreachable],
    ['is a redirect', (response) => response.writeHead(302, { location: `${providers.url}/push` }).end(), unreachable],
    ['is an HTML page', (response) => response.end('<html>secret of the gateway</html>'), unreadable],
    ['is empty', (response) => response.end(), unreadable],
    ['is a JSON array', (response) => response.end('[1]'), unreadable],
    ['is null', (response) => response.end('null'), unreadable],
    ['is an empty object', (response) => response.end('{}'), unreadable],
    [
      'has fields of the wrong types',
      (response) => response.end('{"access_token":5,"id":"7","open_id":8,"sub":[]}'),
      unreadable,
    ],
    ['exceeds the size limit', (response) => response.end(`{"a":"${'x'.repeat(300_000)}"}`), unreadable],
  ])('returns an error and does not sign in when the response %s', async (_, respond, expected) => {
    providers.faults.set(path, (_call, response) => respond(response));
    // An unknown key makes the gateway fetch the published keys.
    providers.signer = new TokenSigner();
    const client = app.client();
    const reply = await come(client, provider, newProviderUser());
    expect(reply.body).toEqual(expected);
    expect(reply.text).not.toContain('secret of the gateway');
    expect((await client.send(userApi.self)).status).toBe(401);
  });
});

describe.each(['github', 'lark', 'oidc'] as const)('%s login', (provider) => {
  const { label } = loginProviders[provider];

  test('[A19.3] rejects a code that the provider never issued, or issued for another purpose', async () => {
    const client = app.client();
    const { state } = await visit(client, provider, newProviderUser());
    const response = await client.send(oauthApi[provider], { query: { code: 'never given', state } });
    expect(response.body).toEqual(apiFailure(`${label} did not accept this login; please start again`));
  });

  test('sends the client secret only to the token endpoint', async () => {
    const before = providers.calls.length;
    await come(app.client(), provider, newProviderUser());
    const matching = providers.calls.slice(before).filter(({ headers, body }) => {
      const basic = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
      return JSON.stringify(body).includes('secret of the gateway') || decodeURIComponent(basic).includes('secret of');
    });
    expect(matching.map(({ path }) => path)).toEqual([paths[provider][0]]);
  });
});

test('rejects an empty identity', async () => {
  providers.faults.set('/user', json({ id: 0, login: 'ghost' }));
  expect((await come(app.client(), 'github', newProviderUser())).body).toEqual(apiFailure(/could not be read/));
  providers.faults.set('/suite/passport/oauth/userinfo', json({ open_id: ' ', name: 'ghost' }));
  expect((await come(app.client(), 'lark', newProviderUser())).body).toEqual(apiFailure(/could not be read/));
});

describe('OpenID Connect', () => {
  test('sends a PKCE challenge', async () => {
    const client = app.client();
    const { body } = await client.send(oauthApi.state, { query: { provider: 'oidc' } });
    const { searchParams } = new URL((body as { url: string }).url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('scope')).toBe('openid profile');
  });

  test.each<[string, object | undefined]>([
    ['names another issuer', { issuer: 'https://evil.example' }],
    ['has no authorization endpoint', { authorization_endpoint: undefined }],
    ['has no key URL', { jwks_uri: undefined }],
    ['has an invalid token endpoint', { token_endpoint: 'javascript:alert(1)' }],
    ['cannot be fetched', undefined],
  ])('rejects a discovery document that %s', async (_, change) => {
    const base = `${providers.url}/oidc`;
    const description = {
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      userinfo_endpoint: `${base}/userinfo`,
      jwks_uri: `${base}/jwks`,
      ...change,
    };
    providers.faults.set('/oidc/.well-known/openid-configuration', json(description, change ? 200 : 500));
    await using other = await startTestApp({ options: providerOptions(providers) });
    const { body } = await other.client().send(oauthApi.state, { query: { provider: 'oidc' } });
    expect(body).toEqual(apiFailure(change ? /could not be read/ : /Cannot connect to OpenID Connect/));
  });

  test('returns the same error as Lark sign-in if the server address is not set: an admin must set it', async () => {
    await using other = await startTestApp({ options: { ...providerOptions(providers), ServerAddress: '' } });
    for (const provider of ['lark', 'oidc']) {
      const { body } = await other.client().send(oauthApi.state, { query: { provider } });
      expect(body).toEqual(apiFailure(/an admin has to set the server address first/));
    }
  });
});

describe('[A21.4] requests to other services', () => {
  test.each([
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://metadata.google.internal/',
    'http://2852039166/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'not an address',
  ])('rejects the discovery address %s', async (address) => {
    const failure = await requestJson(address).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutgoingError);
    expect(failure).toMatchObject({ kind: 'unreachable', message: 'the address is not allowed' });
  });
});
