import { type LoginProviderName, oauthApi, type RedirectProviderName } from '@headgate/contract';
import { type ApiClient, LoginProviders, type ProviderUser, providerClient, wechatToken } from '@headgate/testkit';
import { afterAll } from 'vitest';
import { type TestApp, type TestAppOptions, useTestApp } from '../test-app.ts';

let people = 1000;
let codes = 0;

/** A user whom no login provider has seen before. */
export function newProviderUser(given: Partial<ProviderUser> = {}): ProviderUser {
  people += 1;
  return { id: people, login: `login${people}`, name: `Name ${people}`, ...given };
}

/** Issuer columns for accounts that are created with an identity but without a sign-in. */
export const providerIssuers = ({ url }: LoginProviders) => ({ oidc_issuer: `${url}/oidc`, wechat_issuer: url });

/** Options that enable every login provider, pointing at the stub. */
export const providerOptions = ({ url }: LoginProviders) =>
  ({
    ServerAddress: 'https://gate.example',
    GitHubOAuthEnabled: 'true',
    GitHubClientId: providerClient.id,
    GitHubClientSecret: providerClient.secret,
    LarkClientId: providerClient.id,
    LarkClientSecret: providerClient.secret,
    OidcEnabled: 'true',
    OidcClientId: providerClient.id,
    OidcClientSecret: providerClient.secret,
    OidcWellKnown: `${url}/oidc`,
    WeChatAuthEnabled: 'true',
    WeChatServerAddress: url,
    WeChatServerToken: wechatToken,
  }) as const;

interface LoginProviderFixture {
  readonly providers: LoginProviders;
  readonly app: TestApp;
  /** Authorizes at the provider as this user and returns the callback query. */
  visit(
    client: ApiClient,
    provider: RedirectProviderName,
    person: ProviderUser,
    at?: ProviderLocation,
  ): Promise<CallbackQuery>;
  /** Authorizes at the provider and completes the callback. */
  come(
    client: ApiClient,
    provider: LoginProviderName,
    person: ProviderUser,
    at?: ProviderLocation,
  ): ReturnType<ApiClient['send']>;
}

/** Login providers that the gateway currently uses; the fixture's own by default. */
type ProviderLocation = LoginProviders;

type CallbackQuery = Readonly<Record<'code' | 'state', string>>;

/** A test app with stub providers. */
export async function useLoginProviderFixture(options: TestAppOptions = {}): Promise<LoginProviderFixture> {
  const providers = await LoginProviders.start();
  afterAll(() => providers.close());
  const app = await useTestApp({
    ...options,
    config: { providerUrls: { github: providers.url, lark: providers.url }, ...options.config },
    options: { ...providerOptions(providers), ...options.options },
  });
  const visit: LoginProviderFixture['visit'] = async (client, provider, person, at = providers) => {
    const { body } = await client.send(oauthApi.state, { query: { provider } });
    const { data: state, url } = body as { data: string; url: string };
    return { code: at.grant(person, url), state };
  };
  const come: LoginProviderFixture['come'] = async (client, provider, person, at = providers) => {
    if (provider !== 'wechat') {
      return client.send(oauthApi[provider], { query: await visit(client, provider, person, at) });
    }
    codes += 1;
    const code = `w${person.id}-${codes}`;
    at.wechatCodes.set(code, `wx-${person.id}`);
    return client.send(oauthApi.wechat, { query: { code } });
  };
  return { providers, app, visit, come };
}
