import { role } from '@headgate/contract';
import { createTestUser } from '@headgate/testkit';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { advanceTime, expectWithoutDelay, stopClock } from '../../testing/clock.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import {
  expectAddress,
  expectMessage,
  fill,
  findButton,
  findTextbox,
  type MessageKind,
  messages,
} from '../../testing/page.ts';

const path = '/api/user/login';

async function openLogin(address = '/login', network = new Network()) {
  const opened = await openWithNavigation(address, { network });
  const logIn = async (username = 'root', password = '123456') => {
    fill(await findTextbox('Username or email'), username);
    fill(screen.getByLabelText('Password'), password);
    await opened.user.click(screen.getByRole('button', { name: /^(Log in|登录)$/ }));
  };
  return { ...opened, logIn };
}

describe('login', () => {
  it('[S3.7 S3.8 S4.37 S4.40 S8.15] login stores the user and opens the tokens', async () => {
    const { username, password, id } = await createTestUser(await gatewayUrl(), { role: role.admin });
    const { logIn } = await openLogin();
    await logIn(username, password);
    await expectMessage('Login successful!');
    expect(JSON.parse(localStorage.getItem('user') ?? 'null')).toMatchObject({ id, username, role: 10 });
    await expectAddress('/token');
  });

  it('[S2.29 S2.30] login returns to the page that required it', async () => {
    const { username, password } = await createTestUser(await gatewayUrl());
    const { logIn } = await openLogin('/user/edit?from=bookmark');
    await expectAddress('/login');
    await logIn(username, password);
    await expectAddress('/user/edit?from=bookmark');
  });

  it('[S4.38 S4.39] logging in with the default root password opens the password form', async () => {
    const { logIn } = await openLogin();
    await logIn();
    await expectAddress('/user/edit');
    await expectMessage('Please change the default password immediately!', 'warning');
    expect((await screen.findByLabelText<HTMLInputElement>('New password')).value).toBe('');
  });

  it("[S8.8] a failed login shows the error in the console's language", async () => {
    const { user, logIn } = await openLogin();
    await logIn('root', 'wrong-password');
    await expectMessage('Wrong username or password, or the account is banned');
    await user.click(await findButton('中文'));
    await user.click(await findButton('登录'));
    await expectMessage('用户名或密码错误，或用户已被封禁');
  });

  it('login sends nothing while a field is empty', async () => {
    const { user, network } = await openLogin();
    await user.click(await findButton('Log in'));
    fill(await findTextbox('Username or email'), 'root');
    await user.click(await findButton('Log in'));
    expect(network.sent('POST', path)).toEqual([]);
  });

  it('[S2.3 S2.4] the login page reports an expired session only with the flag', async () => {
    const text = 'Not logged in or login expired, please log in again!';
    await openLogin();
    await findButton('Log in');
    expect(screen.queryByText(text)).toBeNull();
    await openLogin('/login?expired=true');
    await screen.findByText(text);
  });

  it('[S2.32 S8.2] a 401 opens the login page with the flag, removes the stored user and does not loop', async () => {
    const { network } = await openConsole('/user/edit', { as: await createTestUser(await gatewayUrl()) });
    await findTextbox('Username');
    network.cookies.clear();
    await openConsole('/user/edit', { network });
    await expectAddress('/login?expired=true');
    await screen.findByText('Not logged in or login expired, please log in again!');
    expect(localStorage.getItem('user')).toBeNull();
  });
});

describe('messages', () => {
  it('[S8.1 S8.3 S8.4 S8.5 S8.6 S8.7] each failed call shows a message for its status and is logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const [response, text, kind] of [
      [429, '错误：请求次数过多，请稍后再试！', 'error'],
      [500, '错误：服务器内部错误，请联系管理员！', 'error'],
      [405, 'This site is a demo only and has no server', 'info'],
      [418, '错误：short and stout', 'error'],
      [() => Promise.reject(new TypeError('Failed to fetch')), /错误：./, 'error'],
      [() => new Response('this is not JSON'), '错误：The server sent an invalid response', 'error'],
    ] as const) {
      const { network, logIn } = await openLogin();
      if (typeof response === 'number') network.fail('POST', path, response, 'short and stout');
      else network.route('POST', path, response);
      log.mockClear();
      await logIn();
      await expectMessage(text, kind);
      expect(String(log.mock.calls.flat()[0])).toContain('CallFailure');
    }
    // An error that is not a failed call.
    const { logIn } = await openLogin();
    const full = new Error('The storage is full');
    const store = vi.spyOn(Object.getPrototypeOf(localStorage) as Storage, 'setItem').mockImplementation((key) => {
      if (key === 'user') throw full;
    });
    await logIn();
    await expectMessage('错误：The storage is full', 'error');
    expect(log.mock.lastCall).toEqual([full]);
    store.mockRestore();
  });

  /** Logs in with a stopped clock, against a gateway that returns this status. */
  async function failedLogin(status: number) {
    const { network, logIn } = await openLogin();
    await findTextbox('Username or email');
    stopClock();
    network.fail('POST', path, status, 'short and stout');
    await logIn();
  }

  const expectShownFor = async (kind: MessageKind, milliseconds: number) => {
    await advanceTime(milliseconds - 1);
    expect(messages(kind)).toHaveLength(1);
    await advanceTime(1);
    await waitFor(() => expect(messages(kind)).toHaveLength(0));
  };

  it('[S9.3] error messages stay for five seconds', async () => {
    await failedLogin(418);
    await expectWithoutDelay(() => messages('error').length);
    await expectShownFor('error', 5000);
  });

  it('[S9.2] information messages stay for three seconds', async () => {
    await failedLogin(405);
    await expectWithoutDelay(() => messages('info').length);
    await expectShownFor('info', 3000);
  });

  it('[S9.1 S9.4] success messages stay for 1.5 seconds and warnings for ten seconds', async () => {
    const { logIn } = await openLogin();
    await findTextbox('Username or email');
    stopClock();
    await logIn();
    await expectWithoutDelay(() => messages('success').length);
    await expectWithoutDelay(() => messages('warning').length);
    // Code that is still loading when a test ends would make the next test fail.
    await expectWithoutDelay(() => screen.queryByRole('navigation', { name: 'Main menu' }));
    await advanceTime(1499);
    expect(messages('success')).toEqual(['Login successful!']);
    await advanceTime(1);
    expect(messages('success')).toEqual([]);
    await advanceTime(8499);
    expect(messages('warning')).toEqual(['Please change the default password immediately!']);
    await advanceTime(1);
    expect(messages('warning')).toEqual([]);
  });
});
