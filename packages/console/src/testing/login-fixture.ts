import type { OptionKey } from '@headgate/contract';
import {
  type Gateway,
  LoginProviders,
  type ProviderUser,
  providerClient,
  setOption,
  startGateway,
  uniqueName,
  wechatToken,
} from '@headgate/testkit';
import { waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { nativeFetch } from './gateway.ts';
import { Network } from './network.ts';
import { findButton } from './page.ts';

interface LoginScene {
  readonly gateway: Gateway;
  readonly providers: LoginProviders;
  /** Network of a new browser. */
  newNetwork(): Network;
}

/** A gateway with all login providers, one per test file, because provider URLs cannot be changed at run time. */
export function loginFixture(): LoginScene {
  let gateway: Gateway;
  let providers: LoginProviders;
  beforeAll(async () => {
    providers = await LoginProviders.start();
    const urls = { github: providers.url, lark: providers.url };
    gateway = await startGateway({ LOGIN_PROVIDER_URLS: JSON.stringify(urls) });
    providers.redirectBase = gateway.url;
    for (const [key, value] of Object.entries(optionsFor(gateway, providers)))
      await setOption(gateway.url, key as OptionKey, value);
  });
  afterAll(async () => {
    await gateway.stop();
    await providers.close();
  });
  return {
    get gateway() {
      return gateway;
    },
    get providers() {
      return providers;
    },
    newNetwork: () => new Network(gateway.url),
  };
}

const optionsFor = ({ url: home }: Gateway, { url }: LoginProviders) => ({
  ServerAddress: home,
  GitHubClientId: providerClient.id,
  GitHubClientSecret: providerClient.secret,
  GitHubOAuthEnabled: 'true',
  LarkClientId: providerClient.id,
  LarkClientSecret: providerClient.secret,
  OidcClientId: providerClient.id,
  OidcClientSecret: providerClient.secret,
  OidcWellKnown: `${url}/oidc/.well-known/openid-configuration`,
  OidcEnabled: 'true',
  WeChatServerAddress: url,
  WeChatServerToken: wechatToken,
  WeChatAuthEnabled: 'true',
});

export const redirectProviders = [
  { name: 'github', label: 'GitHub', path: '/login/oauth/authorize' },
  { name: 'lark', label: 'Lark', path: '/open-apis/authen/v1/authorize' },
  { name: 'oidc', label: 'OpenID Connect', path: '/oidc/authorize' },
] as const;

let lastId = 4000;
export const newProviderUser = (): ProviderUser => {
  lastId += 1;
  return { id: lastId, login: uniqueName('p'), name: 'A Person' };
};

/** Clicks a button that opens a window. Returns the address of that window. */
export async function lastOpenedUrl(user: UserEvent, button: string): Promise<URL> {
  const opened = { location: { href: '' }, opener: window as Window | null };
  const open = vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
  onTestFinished(() => open.mockRestore());
  await user.click(await findButton(button));
  await waitFor(() => expect(opened.location.href).not.toBe(''));
  expect(open.mock.lastCall).toEqual(['about:blank', '_blank']);
  expect(opened.opener).toBeNull();
  return new URL(opened.location.href);
}

/** Authorizes on a provider's page. Returns the path and query of the console page to which it redirects. */
export async function authorize(page: URL): Promise<string> {
  const html = await (await nativeFetch(page)).text();
  const link = new DOMParser().parseFromString(html, 'text/html').querySelector('a');
  expect(link?.textContent).toBe('Authorize');
  const { pathname, search } = new URL(link?.getAttribute('href') ?? '');
  return pathname + search;
}

export const storedUser = (): { readonly username: string } | null =>
  JSON.parse(localStorage.getItem('user') ?? 'null');
