import { userApi } from '@headgate/contract';
import { ApiClient, createTestUser, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { advanceTime, expectWithoutDelay, stopClock } from '../../../testing/clock.ts';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { Network } from '../../../testing/network.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton, findSection, findTextbox } from '../../../testing/page.ts';

async function openSettings(network = new Network()) {
  const person = await createTestUser(await gatewayUrl());
  return { ...(await openConsole('/setting', { as: person, network })), person };
}

const dialog = async () => within(await screen.findByRole('dialog'));
const expectNoDialog = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull();
const copied = () => navigator.clipboard.readText();

async function programWith(key: string): Promise<ApiClient> {
  const program = new ApiClient(await gatewayUrl());
  program.headers['authorization'] = `Bearer ${key}`;
  return program;
}

/** Opens the dialog that deletes the account. */
async function openDeletion() {
  const opened = await openSettings();
  await opened.user.click(await findButton('Delete own account'));
  const deleteAs = async (name: string) => {
    fill((await dialog()).getByRole('textbox'), name);
    await opened.user.click(await findButton('Delete account'));
  };
  return { ...opened, deleteAs };
}

describe('personal settings', () => {
  it('[S6.10] personal settings are complete for a common user', async () => {
    const network = new Network();
    const providers = { github_oauth: true, lark_client_id: 'app', wechat_login: true };
    network.change('GET', '/api/status', (status: object) => ({ ...status, ...providers }));
    await openSettings(network);
    for (const name of [
      'Generate system access token',
      'Copy invite link',
      'Bind WeChat',
      'Bind GitHub',
      'Bind Lark',
      'Bind Email',
      'Delete own account',
    ]) {
      await expect.poll(() => screen.queryByRole('button', { name })).toHaveProperty('disabled', false);
    }
  });

  it('[S2.171 S2.173 S1.11 S7.30 S8.18] personal settings copy the invitation link and open the profile', async () => {
    const { user } = await openSettings();
    await user.click(await findButton('Copy invite link'));
    await expectMessage('Invite link copied');
    const link = await copied();
    expect(link).toMatch(new RegExp(`^${window.location.origin}/register\\?aff=\\w{4,}$`));
    expect((await screen.findByLabelText<HTMLInputElement>('Invite link')).value).toBe(link);
    await user.click(screen.getByRole('link', { name: 'Update personal info' }));
    await expectAddress('/user/edit');
  });

  it('[S2.172 S1.10 S7.29 S8.17] personal settings generate a system access token, which replaces the previous one', async () => {
    const { user, person } = await openSettings();
    const generate = async (before = '') => {
      await user.click(await findButton('Generate system access token'));
      await user.click(await findButton('Generate'));
      await expectMessage('Token reset and copied to clipboard');
      const shown = () =>
        screen.queryByLabelText<HTMLInputElement>('Shown only once. Store it safely.')?.value ?? before;
      await expect.poll(shown).not.toBe(before);
      return shown();
    };
    const first = await generate();
    expect(await copied()).toBe(first);
    const program = await programWith(first);
    expect(await program.call(userApi.self)).toMatchObject({ username: person.username });
    await generate(first);
    expect((await program.send(userApi.self)).status).toBe(401);
  });

  it('[S2.174 S5.9 S5.10] the account is not deleted when a different name is typed', async () => {
    const { network, person, deleteAs } = await openDeletion();
    const name = person.username;
    for (const wrong of [`${name}x`, name.slice(0, -1), name.toUpperCase(), '']) {
      await deleteAs(wrong);
      await screen.findByText('Please enter your account name to confirm deletion!');
    }
    expect(network.sent('DELETE', '/api/user/self')).toEqual([]);
    await signedInClient(await gatewayUrl(), person);
  });

  it('[S1.12 S4.42 S4.43 S4.44 S7.31 S8.22] the account is deleted when its own name is typed', async () => {
    const { network, person, deleteAs } = await openDeletion();
    await deleteAs(person.username);
    await expectAddress('/login');
    await expectMessage('Account deleted!');
    expect(network.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['DELETE /api/user/self', 'GET /api/user/logout']),
    );
    expect(localStorage.getItem('user')).toBeNull();
    await expect(signedInClient(await gatewayUrl(), person)).rejects.toThrow();
  });
});

describe('email code', () => {
  const resend = (seconds: number) => screen.queryByRole('button', { name: `Resend (${seconds})` });
  const getCode = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Get code' });

  it('[S4.34 S4.35 S4.36 S9.19] an email code cannot be requested while one is being sent or for 30 seconds afterwards, even after a reload', async () => {
    const network = new Network();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    network.route('GET', '/api/verification', async () => {
      await released;
      return Response.json({ success: true, message: '' });
    });
    const { user } = await openSettings(network);
    await user.click(await findButton('Bind Email'));
    fill(await findTextbox('Email'), 'ada@example.com');
    stopClock();
    await user.click(await findButton('Get code'));
    await expectWithoutDelay(
      () => getCode()?.disabled || screen.queryByRole('button', { name: /Get code/ })?.hasAttribute('data-loading'),
    );
    release();
    await expectWithoutDelay(() => resend(30));
    expect(resend(30)).toHaveProperty('disabled', true);
    await advanceTime(10_000);
    expect(resend(20)).toHaveProperty('disabled', true);
    // A reload does not end the countdown.
    await openConsole('/setting', { network });
    await expectWithoutDelay(
      () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Bind Email' })?.disabled === false,
    );
    await user.click(screen.getByRole('button', { name: 'Bind Email' }));
    await expectWithoutDelay(() => resend(20));
    await advanceTime(19_750);
    expect(resend(1)).toHaveProperty('disabled', true);
    await advanceTime(250);
    expect(getCode()).toHaveProperty('disabled', false);
    fill(screen.getByRole('textbox', { name: 'Email' }), 'ada@example.com');
    await user.click(screen.getByRole('button', { name: 'Get code' }));
    await expectWithoutDelay(() => resend(30));
    await advanceTime(30_000);
    expect(getCode()).toHaveProperty('disabled', false);
  });
});

describe('access tokens', () => {
  const section = async () => within(await findSection('Access tokens'));
  const shownKey = () => screen.queryByLabelText<HTMLInputElement>(/Shown only once; store it safely\.$/);

  it('[A52.5] access tokens are created with a scope, shown once, and revoked after a confirmation', async () => {
    const { user, person } = await openSettings();
    await (await section()).findByText('No access tokens yet');
    await user.click((await section()).getByRole('button', { name: 'New access token' }));
    const form = await dialog();
    await user.click(form.getByRole('button', { name: 'Create access token' }));
    await form.findByText('Enter a name');
    fill(form.getByRole('textbox', { name: 'Name' }), 'Nightly report');
    await user.selectOptions(form.getByLabelText('Scope'), 'Read only');
    await form.findByText(/Cannot change anything/);
    await user.selectOptions(form.getByLabelText('Expires'), '30 days');
    await user.click(form.getByRole('button', { name: 'Create access token' }));
    await expect.poll(() => shownKey()?.value).toMatch(/^hg_[\w-]{43}$/);
    const program = await programWith(shownKey()?.value ?? '');
    expect(await program.call(userApi.self)).toMatchObject({ username: person.username });
    expect((await program.send(userApi.updateSelf, { body: { display_name: 'Taken' } })).status).toBe(403);
    await openConsole('/setting', { as: person });
    const row = await (await section()).findByRole('group', { name: 'Nightly report' });
    expect(row.textContent).toContain('Read only');
    expect(row.textContent).toContain('Last used');
    expect(shownKey()).toBeNull();
    await user.click(within(row).getByRole('button', { name: 'Revoke' }));
    await screen.findByRole('dialog', { name: 'Revoke access token Nightly report?' });
    await user.keyboard('{Escape}');
    await expectNoDialog();
    expect((await program.send(userApi.self)).status).toBe(200);
    await user.click(within(row).getByRole('button', { name: 'Revoke' }));
    await user.click((await dialog()).getByRole('button', { name: 'Revoke' }));
    await expectMessage('Access token revoked');
    await (await section()).findByText('No access tokens yet');
    expect((await program.send(userApi.self)).status).toBe(401);
  });
});
