import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  expectMessage,
  expectRowCount,
  fillIn,
  fillLabelled,
  openMinimalConsole,
  press,
  rowsWith,
  visitor,
} from '../testing/minimal-server/open-minimal.tsx';
import { chooseAction, expectAddress, findRow } from '../testing/page.ts';

const balance = () => screen.queryByRole('region', { name: 'Remaining quota' })?.textContent;

describe('forms on a server with only the specified calls', () => {
  it('[S1.23 S7.10 S7.11 S7.12 S7.13] lets visitors register and reset their password', async () => {
    const { user, open } = await openMinimalConsole('/', { user: visitor });
    await screen.findByRole('heading', { level: 1, name: 'Elsewhere' });
    await open('/about');
    await screen.findByRole('heading', { level: 1, name: 'About' });
    await open('/register');
    await fillIn('Username', 'wei');
    await fillLabelled(/^Password/, 'password-1');
    await fillLabelled(/^Repeat password/, 'password-1');
    await fillIn('Email', 'wei@example.com');
    await press(user, 'Get code');
    await expectMessage('Verification code sent successfully');
    await fillIn('Verification code', '123456');
    await press(user, 'Register');
    await expectMessage('Registration successful!');
    await open('/reset');
    await fillIn('Email', 'wei@example.com');
    await press(user, 'Send reset email');
    await expectMessage('Reset email sent');
    await open('/user/reset?email=wei@example.com&token=abc');
    await press(user, 'Reset password');
    await expect
      .poll(() => screen.queryByRole<HTMLInputElement>('textbox', { name: 'New password' })?.value)
      .toBe('new-password');
  });

  it('[S1.23 S7.8 S7.9] signs in with a password and out', async () => {
    const { user, network } = await openMinimalConsole('/login', { user: visitor, navigation: true });
    await fillIn('Username or email', 'admin');
    await fillLabelled(/^Password/, 'password-1');
    await press(user, 'Log in');
    await expectAddress('/token');
    await press(user, /^Account/);
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    await expectMessage('Logout successful');
    expect(network.sent('GET', '/api/user/logout')).toHaveLength(1);
    await press(user, 'Log in with WeChat');
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(await dialog.findByRole('textbox'), '1234');
    await user.click(dialog.getByRole('button', { name: 'Log in with WeChat' }));
    await expectMessage('Login successful!');
  });

  it('[S1.23 S7.14 S7.15 S7.16] signs in and binds through provider callbacks', async () => {
    const { open } = await openMinimalConsole('/oauth/github?code=in&state=state', { user: visitor });
    await expectAddress('/');
    await open('/oauth/lark?code=in&state=state');
    await expectAddress('/');
    await open('/oauth/github?code=bind&state=state');
    await expectMessage('Bound successfully');
    await expectAddress('/setting');
  });

  it('[S1.23 S2.32 S8.2] redirects to login when the session ends, and back to the page', async () => {
    const { user, server, errors, open } = await openMinimalConsole('/token');
    await expectRowCount(10);
    server.endSessions();
    await open('/redemption');
    await expectAddress('/login?expired=true');
    await expectMessage('Not logged in or login expired, please log in again!');
    await fillIn('Username or email', 'admin');
    await fillLabelled(/^Password/, 'password-1');
    await press(user, 'Log in');
    await expectAddress('/redemption');
    await expectRowCount(10);
    expect(errors.splice(0)).toEqual(['Not logged in or login expired, please log in again!']);
  });

  it('[S1.23 S7.6 S7.48 S7.49 S7.50] creates and edits tokens, and keeps unchanged fields', async () => {
    const { user, server } = await openMinimalConsole('/token/add');
    await fillIn('Name', 'fresh');
    await press(user, 'Create token');
    await expectMessage('Token created, click copy in the list to get it');
    await findRow('fresh');
    await screen.findAllByText(/sk-new-key/);
    await chooseAction(user, 'token-20', 'Edit');
    await fillIn('Name', 'renamed');
    await press(user, 'Save token');
    await expectMessage('Token updated');
    await findRow('renamed');
    const token = server.tables.token.find(({ id }) => id === 20);
    expect(token).toMatchObject({ name: 'renamed', remain_quota: 20_000, expired_time: -1 });
  });

  it('[S1.23 S7.32] redeems a code', async () => {
    const { user } = await openMinimalConsole('/topup');
    await expect.poll(balance).toContain('$1.00');
    await fillIn('Redemption code', 'good');
    await press(user, 'Redeem');
    await expectMessage('Top-up successful');
    await expect.poll(balance).toContain('$3.00');
  });

  it('[S1.23 S7.56] creates redemption codes', async () => {
    const { user } = await openMinimalConsole('/redemption/add');
    await fillIn('Name', 'gift');
    await press(user, 'Create codes');
    await within(await screen.findByRole('dialog')).findByText('fresh-code');
  });

  it("[S1.23 S7.25 S7.26 S7.27 S7.28] creates and edits users, and edits the admin's own profile", async () => {
    const { user, server, open } = await openMinimalConsole('/user/add');
    await fillIn('Username', 'fresh');
    await fillLabelled(/^Password/, 'password-9');
    await press(user, 'Create user');
    await expectMessage('User account created');
    await findRow('fresh');
    await open('/user/edit/20');
    await fillIn('Display name', 'Renamed');
    await fillLabelled(/^Remaining quota/, '5');
    await press(user, 'Save user');
    await expectMessage('User info updated');
    await expectAddress('/user');
    const edited = server.tables.user.find(({ id }) => id === 20);
    expect(edited).toMatchObject({ username: 'user-20', display_name: 'Renamed', group: 'default', quota: 2_500_000 });
    expect(edited).not.toHaveProperty('quota_was');
    await open('/user/edit');
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Display name' });
    await expect.poll(() => name.value).not.toBe('');
    await fillIn('Display name', 'Boss');
    await fillLabelled(/^New password/, 'password-7');
    await press(user, 'Save profile');
    await expect.poll(() => server.tables.user.find(({ id }) => id === 1)).toMatchObject({ display_name: 'Boss' });
  });

  it('[S1.23 S7.37 S7.38 S7.39] creates and edits channels, and keeps unchanged fields', async () => {
    const { user, server, network } = await openMinimalConsole('/channel/add');
    await fillIn('Name', 'fresh');
    await fillLabelled(/^Key/, 'secret');
    expect(screen.queryByRole('button', { name: 'Fetch models' })).toBeNull();
    await press(user, 'Add related models');
    await screen.findByText('2 selected');
    await press(user, 'Add all models');
    await screen.findByText('deepseek-chat');
    await press(user, 'Create channel');
    await expectMessage('Channel created');
    await findRow('fresh');
    expect(server.tables.channel[0]).toMatchObject({ name: 'fresh', key: 'secret', models: 'gpt-4o,deepseek-chat' });
    await chooseAction(user, 'channel-20', 'Edit');
    await fillIn('Name', 'renamed');
    await press(user, 'Save channel');
    await expectMessage('Channel updated');
    await findRow('renamed');
    const [change] = network.sent('PUT', '/api/channel/');
    const { base_url, other, model_mapping, system_prompt, config, ...rest } = (change?.body ?? {}) as Record<
      string,
      unknown
    >;
    expect([base_url, other, model_mapping, system_prompt, config].map((value) => typeof value)).toEqual(
      new Array(5).fill('string'),
    );
    expect(rest).toEqual({ id: 20, name: 'renamed', type: 1, key: '', models: 'gpt-4o', group: 'default' });
    const stored = server.tables.channel.find(({ id }) => id === 20);
    expect(stored).toMatchObject({ name: 'renamed', models: 'gpt-4o', group: 'default', type: 1 });
  });

  it('[S1.23 S7.33 S7.34 S7.65] saves every tab of the settings', async () => {
    const { user, server, open } = await openMinimalConsole('/setting?tab=operation');
    await fillLabelled(/^New-user initial quota/, '2.5');
    await press(user, 'Save changes');
    await expectMessage('Operation completed successfully');
    await press(user, 'Clean logs');
    await press(user, 'Delete logs');
    await expectMessage('7 logs cleaned');
    await open('/setting?tab=system');
    await user.click(await screen.findByRole('switch', { name: 'Allow new users to register' }));
    await expect.poll(() => server.tables.option.get('RegisterEnabled')).toBe('false');
    expect(screen.queryByRole('button', { name: 'Send test email' })).toBeNull();
    await open('/setting?tab=other');
    await fillIn('System name', 'Renamed');
    await press(user, 'Save changes');
    await expect.poll(() => document.title).toBe('Settings · Renamed');
    expect(server.tables.option.get('QuotaForNewUser')).toBe('1250000');
  });

  it('[S1.23 S7.18 S7.19 S7.29 S7.30 S7.31] offers the personal settings that the server supports', async () => {
    const { user } = await openMinimalConsole('/setting');
    await press(user, 'Copy invite link');
    const link = await screen.findByLabelText<HTMLInputElement>('Invite link');
    expect(link.value).toMatch(/\/register\?aff=AFF4$/);
    await press(user, 'Generate system access token');
    await press(user, 'Generate');
    const shown = await screen.findByLabelText<HTMLInputElement>('Shown only once. Store it safely.');
    expect(shown.value).toBe('access-token');
    await press(user, 'Bind WeChat');
    let dialog = within(await screen.findByRole('dialog'));
    await user.type(await dialog.findByRole('textbox'), '1234');
    await user.click(dialog.getByRole('button', { name: 'Bind WeChat' }));
    await expectMessage('WeChat account bound successfully!');
    await press(user, 'Bind Email');
    dialog = within(await screen.findByRole('dialog'));
    await user.type(await dialog.findByRole('textbox', { name: 'Email' }), 'ada@example.com');
    await user.type(dialog.getByRole('textbox', { name: 'Verification code' }), '1234');
    await user.click(dialog.getByRole('button', { name: 'Bind' }));
    await expectMessage('Email account bound successfully!');
    await expect.poll(() => screen.getByRole('group', { name: 'Email' }).textContent).toContain('ada@example.com');
    for (const name of ['Two-step login', 'Passkeys', 'Sessions'])
      expect(screen.queryByRole('heading', { level: 2, name })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Unbind Email' })).toBeNull();
    await press(user, 'Delete own account');
    dialog = within(await screen.findByRole('dialog'));
    await user.type(await dialog.findByRole('textbox'), 'admin');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    await expectMessage('Account deleted!');
    await expectAddress('/login');
  });

  it("[S1.23 S2.39] shows the server's embedded chat app", async () => {
    const { server, open } = await openMinimalConsole('/chat');
    await screen.findByRole('heading', { level: 1, name: 'Chat is not configured' });
    server.tables.option.set('ChatLink', 'https://chat.example.com/');
    await open('/chat');
    await expect.poll(() => document.querySelector('iframe')?.src).toMatch(/^https:\/\/chat\.example\.com\//);
  });

  it('[S1.23] shows no error when the server returns JSON for unknown calls', async () => {
    const { server, open } = await openMinimalConsole('/', { missingAs: 'json' });
    for (const path of ['/', '/about', '/token', '/log', '/channel', '/user', '/redemption', '/setting', '/topup']) {
      await open(path);
      await screen.findByRole('heading', { level: 1 });
      await expect.poll(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root')).toBeNull();
    }
    expect([...server.unknownCalls]).not.toEqual([]);
  });

  it('[S1.23 S7.8 S7.46 S7.49] works in Chinese', async () => {
    const { user, server } = await openMinimalConsole('/login', { user: visitor, language: 'zh' });
    await fillIn('用户名或邮箱', 'admin');
    await fillLabelled(/^密码/, 'password-1');
    await user.click(await within(screen.getByRole('main')).findByRole('button', { name: '登录' }));
    await expectMessage('登录成功！');
    await screen.findByRole('heading', { level: 1, name: /^令牌/ });
    await user.click(await screen.findByRole('link', { name: '添加令牌' }));
    await fillIn('名称', '新的');
    await press(user, '创建令牌');
    await expectMessage('令牌创建成功，请在列表页面点击复制获取令牌！');
    await expect.poll(() => rowsWith('新的').length).toBe(1);
    expect(server.tables.token[0]).toMatchObject({ name: '新的' });
  });
});
