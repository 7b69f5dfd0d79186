import { tokenApi } from '@headgate/contract';
import { createTestUser, rootAccount, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatewayUrl } from '../testing/gateway.ts';
import { messages, searchList } from '../testing/list-page.ts';
import { Network } from '../testing/network.ts';
import { openConsole } from '../testing/open-console.tsx';
import { chooseAction, expectAddress, fill, findButton } from '../testing/page.ts';

const reason = 'short and stout';
const expired = 'Not logged in or login expired, please log in again!';

const failures = [
  [429, 'error', '错误：请求次数过多，请稍后再试！'],
  [500, 'error', '错误：服务器内部错误，请联系管理员！'],
  [405, 'info', 'This site is a demo only and has no server'],
  [418, 'error', `错误：${reason}`],
] as const;

const expectMessage = (kind: 'error' | 'info', text: string) =>
  expect.poll(() => messages(kind).some((message) => message?.includes(text))).toBe(true);

/** All messages shown during the test, including dismissed ones. */
const shown: string[] = [];
const known = new WeakSet<Element>();
const observer = new MutationObserver(() => {
  for (const message of document.querySelectorAll('[data-kind]')) {
    if (!known.has(message)) shown.push(message.textContent ?? '');
    known.add(message);
  }
});
beforeEach(() => {
  shown.length = 0;
  observer.observe(document, { childList: true, subtree: true });
});
afterEach(() => observer.disconnect());

it('[S8.2] shows the reason of a 401 on the login page, and stays there', async () => {
  const { user, network } = await openConsole('/login');
  network.fail('POST', '/api/user/login', 401, reason);
  fill(await screen.findByLabelText(/^Username or email/), 'root');
  fill(screen.getByLabelText(/^Password/), 'wrong-password');
  await user.click(await findButton('Log in'));
  await expectMessage('error', reason);
  await expectAddress('/login');
  expect(shown).toHaveLength(1);
});

it('[S2.32 S8.2] reports an expired session once for several calls, including late responses', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  await (await signedInClient(url, person)).call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  const { user, network } = await openConsole('/token', { as: person });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  network.route('PUT', '/api/token/', async () => {
    await released;
    return Response.json({ success: false, message: 'too late' }, { status: 401 });
  });
  await chooseAction(user, 'mine', 'Disable');
  network.fail('GET', '/api/token/search', 401, reason);
  await searchList(user, 'mine');
  await expectAddress('/login?expired=true');
  await screen.findByText(expired);
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  release();
  await expect.poll(() => logged.mock.calls.some(([error]) => String(error).includes('too late'))).toBe(true);
  logged.mockRestore();
  expect(shown).toEqual([expired]);
});

describe('log cleanup', () => {
  async function cleanLogs(user: UserEvent) {
    await user.click(await findButton('Clean logs'));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete logs' }));
  }

  it('[S2.32 S8.2 S8.3 S8.4 S8.5 S8.6] shows the message for the status when a log cleanup fails', async () => {
    const { user, network } = await openConsole('/setting?tab=operation', { as: rootAccount });
    for (const [status, kind, text] of failures) {
      const remove = network.fail('DELETE', '/api/log/', status, reason);
      await cleanLogs(user);
      await expectMessage(kind, text);
      remove();
    }
    shown.length = 0;
    network.fail('DELETE', '/api/log/', 401, reason);
    await cleanLogs(user);
    await expectAddress('/login?expired=true');
    await screen.findByText(expired);
    expect(shown).toEqual([expired]);
  });
});

it('[S8.3 S8.4 S8.5 S8.6] every page shows an error when the account cannot be loaded', async () => {
  const person = await createTestUser(await gatewayUrl());
  // All statuses are handled by one function, so testing one page is enough.
  for (const path of ['/token', '/topup', '/setting', '/user/edit'])
    for (const [status, kind, text] of path === '/token' ? failures : failures.slice(-1)) {
      const network = new Network();
      network.fail('GET', '/api/user/self', status, reason);
      await openConsole(path, { as: person, network });
      await expectMessage(kind, text);
    }
  const network = new Network();
  network.fail('GET', '/api/user/self', 200, '');
  await openConsole('/token', { as: person, network });
  await expectMessage('error', 'The server rejected the request without giving a reason');
});

describe('sign-in with a provider', () => {
  const failed = 'operation failed, redirecting to login';

  it('[S4.49] a 401 during provider sign-in is reported once as failed, not as expired, for visitors and users', async () => {
    for (const as of [undefined, await createTestUser(await gatewayUrl())]) {
      const { network } = await openConsole('/login', { as });
      network.fail('GET', '/api/oauth/github', 401, reason);
      await screen.findByLabelText(/^Username or email/);
      shown.length = 0;
      const visited: string[] = [];
      for (const change of ['pushState', 'replaceState'] as const) {
        const original = window.history[change].bind(window.history);
        vi.spyOn(window.history, change).mockImplementation((...parameters) => {
          visited.push(String(parameters[2]));
          original(...parameters);
        });
      }
      window.history.pushState({}, '', '/oauth/github?code=x&state=y');
      window.dispatchEvent(new PopStateEvent('popstate'));
      await screen.findByText(new RegExp(failed));
      await expectAddress('/login');
      vi.restoreAllMocks();
      await screen.findByLabelText(/^Username or email/);
      expect(network.sent('GET', '/api/oauth/github')).toHaveLength(1);
      expect(localStorage.getItem('user')).toBeNull();
      expect(shown).toEqual([expect.stringContaining(reason)]);
      expect(visited.filter((address) => address.includes('expired'))).toEqual([]);
    }
  });

  it("[S4.49] a failed provider sign-in shows the gateway's reason in a single message", async () => {
    const network = new Network();
    network.fail('GET', '/api/oauth/lark', 200, reason);
    await openConsole('/oauth/lark?code=x&state=y', { network });
    await screen.findByText(new RegExp(failed));
    await expectAddress('/login');
    expect(shown).toEqual([expect.stringContaining(reason)]);
  });
});
