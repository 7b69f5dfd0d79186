import { userApi } from '@headgate/contract';
import { asRoot, rootAccount, uniqueName } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { advanceTime, expectWithoutDelay, stopClock } from '../../testing/clock.ts';
import {
  authorize,
  lastOpenedUrl,
  loginFixture,
  newProviderUser,
  redirectProviders,
  storedUser,
} from '../../testing/login-fixture.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton } from '../../testing/page.ts';

const fixture = loginFixture();
const dialog = async () => within(await screen.findByRole('dialog'));
const enter = (field: HTMLElement) => fireEvent.submit(field.closest('form') as HTMLFormElement);

/** Signs in on a provider's page, in a new browser. */
async function signInWith({ name, label, path }: (typeof redirectProviders)[number]) {
  const person = newProviderUser();
  fixture.providers.person = person;
  const { user, network } = await openConsole('/login', { network: fixture.newNetwork() });
  let state: unknown;
  network.route('GET', '/api/oauth/state', async (forward) => {
    const response = await forward();
    state = (await response.clone().json()).data;
    return response;
  });
  const page = await lastOpenedUrl(user, `Log in with ${label}`);
  expect(page.pathname).toBe(path);
  expect(state).toBeTruthy();
  expect(page.searchParams.get('state')).toBe(state);
  const back = await authorize(page);
  expect(back).toMatch(new RegExp(`^/oauth/${name}\\?`));
  await openConsole(back, { network });
  await expectMessage('Login successful!');
  await expectAddress('/');
  expect(storedUser()).toMatchObject({ username: person.login });
  expect(network.sent('GET', `/api/oauth/${name}`).map(({ query }) => query)).toMatchObject([
    { state, code: expect.stringMatching(/^code-/) },
  ]);
  return { person, network };
}

describe('login with a provider', () => {
  it('[S2.9 S2.54 S2.56 S7.14 S7.15] signs in with GitHub, which cannot be unbound if it is the only sign-in method', async () => {
    const { person, network } = await signInWith(redirectProviders[0]);
    const { user } = await openConsole('/setting', { network });
    await user.click(await findButton('Unbind GitHub'));
    await user.click((await dialog()).getByRole('button', { name: 'Unbind' }));
    await expectMessage('This is the only way to log in to your account');
    const root = await asRoot(fixture.gateway.url);
    const [row] = await root.call(userApi.search, { query: { keyword: person.login, order: '' } });
    expect(row).toMatchObject({ github_id: String(person.id) });
  });

  it('[S1.3 S2.10 S2.55 S4.47 S7.16 S8.15] signs in with Lark', async () => {
    await signInWith(redirectProviders[1]);
  });

  it('signs in with OpenID Connect', async () => {
    await signInWith(redirectProviders[2]);
  });

  it("[S2.54 S2.55 S2.56] opens the provider's page when the server returns only a state", async () => {
    for (const [label, address, client] of [
      ['GitHub', 'https://github.com/login/oauth/authorize', 'github-of-status'],
      ['Lark', 'https://accounts.feishu.cn/open-apis/authen/v1/authorize', 'lark-of-status'],
    ] as const) {
      const network = fixture.newNetwork();
      const ids = { github_client_id: 'github-of-status', lark_client_id: 'lark-of-status' };
      network.change('GET', '/api/status', (status: object) => ({ ...status, ...ids }));
      const data = 'from-the-server';
      network.route('GET', '/api/oauth/state', () => Response.json({ success: true, message: '', data }));
      const { user } = await openConsole('/login', { network });
      const { origin, pathname, searchParams } = await lastOpenedUrl(user, `Log in with ${label}`);
      expect(origin + pathname).toBe(address);
      expect(Object.fromEntries(searchParams)).toMatchObject({ state: data, client_id: client });
    }
  });

  it('provider login is offered to visitors on the home page', async () => {
    await openConsole('/', { network: fixture.newNetwork() });
    for (const way of ['GitHub login', 'WeChat login', 'Lark login', 'OpenID Connect login']) {
      const label = await screen.findByText(way);
      await expect.poll(() => label.parentElement?.textContent).toBe(`${way}On`);
    }
  });

  it('[S1.4 S4.50 S4.51 S7.17] signs in with a code from WeChat', async () => {
    fixture.providers.wechatCodes.set('123456', 'wx-login');
    const { user, network } = await openConsole('/login', { network: fixture.newNetwork() });
    await user.click(await findButton('Log in with WeChat'));
    const code = await (await dialog()).findByRole('textbox', { name: 'Verification code' });
    await user.click((await dialog()).getByRole('button', { name: 'Log in with WeChat' }));
    await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
    fill(code, '654321');
    enter(code);
    await expectMessage('The verification code is wrong or has expired');
    fill(code, '123456');
    enter(code);
    await expectAddress('/');
    const codes = network.sent('GET', '/api/oauth/wechat').map(({ query }) => query['code']);
    expect(codes).toEqual(['654321', '123456']);
    expect(storedUser()?.username).toMatch(/^wechat_\d{5}$/);
  });
});

describe('offered providers', () => {
  /** Opens the login page of a gateway with this status. */
  async function openWith(status: object) {
    const system_name = uniqueName('gate');
    const network = fixture.newNetwork();
    const data = { system_name, ...status };
    network.route('GET', '/api/status', () => Response.json({ success: true, message: '', data }));
    const opened = await openConsole('/login', { network });
    await screen.findByText(system_name);
    return { ...opened, network };
  }

  const offered = () => screen.queryAllByRole('button', { name: /^Log in with/ }).map(({ textContent }) => textContent);

  async function expectOffered(status: object, ...providers: readonly string[]) {
    const opened = await openWith(status);
    await expect.poll(offered).toEqual(providers.map((provider) => `Log in with ${provider}`));
    return opened;
  }

  it('[S2.48 S3.20] offers GitHub sign-in if its flag is set, whatever the client id, and sends the client id to GitHub', async () => {
    await expectOffered({ github_oauth: false, github_client_id: 'some', lark_client_id: 'app' }, 'Lark');
    const status = { github_oauth: true, github_client_id: 'app-of-status' };
    const { user, network } = await expectOffered(status, 'GitHub');
    network.route('GET', '/api/oauth/state', () => Response.json({ success: true, message: '', data: 's' }));
    const page = await lastOpenedUrl(user, 'Log in with GitHub');
    expect(page.searchParams.get('client_id')).toBe('app-of-status');
  });

  it('[S2.49 S2.50 S3.21 S3.22] offers Lark if it has a client id, and WeChat if its flag is set, even without an image', async () => {
    await expectOffered({ lark_client_id: '', wechat_login: true }, 'WeChat');
    await expectOffered({ lark_client_id: 'app' }, 'Lark');
    await expectOffered({ wechat_login: false, wechat_qrcode: '/logo.png', github_oauth: true }, 'GitHub');
    await expectOffered({ wechat_login: true, wechat_qrcode: '' }, 'WeChat');
    await openWith({});
    await findButton('Log in');
    expect(offered()).toEqual([]);
  });

  it('[S2.51 S2.52 S2.53 S3.21 S9.21] the WeChat dialog shows the QR code and a field for the code', async () => {
    const { user } = await openWith({ wechat_login: true, wechat_qrcode: '/logo.png?scan' });
    await user.click(await findButton('Log in with WeChat'));
    const shown = await dialog();
    const image = await shown.findByRole('img', { name: 'QR code of the WeChat account' });
    expect(image.getAttribute('src')).toBe('/logo.png?scan');
    shown.getByText(/valid for three minutes/);
    const { disabled, readOnly } = shown.getByRole<HTMLInputElement>('textbox', { name: 'Verification code' });
    expect(disabled || readOnly).toBe(false);
  });
});

describe('return from a provider', () => {
  const failed = /operation failed, redirecting to login/;

  it('[S4.49] a provider callback that the gateway rejects redirects to login with the reason', async () => {
    await openConsole('/oauth/github?code=x&state=y', { network: fixture.newNetwork() });
    await expectMessage(failed);
    await expectMessage('This login was not started in this browser');
    await expectAddress('/login');
  });

  it('[S4.49] a provider callback after the user declined redirects to login without a call', async () => {
    const { network } = await openConsole('/oauth/github?error=access_denied&state=y', {
      network: fixture.newNetwork(),
    });
    await expectMessage(failed);
    await expectAddress('/login');
    expect(network.sent('GET', /^\/api\/oauth\/github/)).toEqual([]);
  });

  it('[S4.49] a failed provider callback redirects a signed-in user to the settings', async () => {
    await openConsole('/oauth/lark?code=x&state=y', { as: rootAccount, network: fixture.newNetwork() });
    await expectMessage(failed);
    await expectAddress('/setting');
  });

  it('[S4.48 S9.22] a provider callback without a response is retried after 2, 4 and 6 seconds', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const network = new Network();
    network.route('GET', '/api/oauth/github', () => Promise.reject(new TypeError('Failed to fetch')));
    const calls = () => network.sent('GET', '/api/oauth/github').length;
    stopClock();
    await openConsole('/oauth/github?code=x&state=y', { network });
    for (const [count, seconds] of [
      [1, 2],
      [2, 4],
      [3, 6],
    ] as const) {
      await expectWithoutDelay(() => screen.queryByText(new RegExp(`Retrying \\(${count}\\)`)));
      expect(calls()).toBe(count);
      await advanceTime(seconds * 1000 - 100);
      expect(calls()).toBe(count);
      await advanceTime(100);
      await expectWithoutDelay(() => calls() === count + 1);
    }
    await expectWithoutDelay(() => screen.queryByText(failed));
    expect(calls()).toBe(4);
  });
});
