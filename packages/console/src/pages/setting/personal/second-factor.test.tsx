import { sessionApi } from '@headgate/contract';
import { ApiClient, createTestUser, type TestUser } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { totpCode } from '../../../testing/authenticator.ts';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { Network } from '../../../testing/network.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { address, expectAddress, expectMessage, fill, findButton, findTextbox } from '../../../testing/page.ts';

const dialog = async () => within(await screen.findByRole('dialog'));
const expectNoDialog = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull();
const wrongCode = 'The code is wrong, has expired or was used already';
const codeField = 'Authenticator code';

/** Turns two-step login on in the settings. Returns the app's key and the backup codes. */
async function turnOn(person: TestUser): Promise<{ key: string; backupCodes: readonly string[] }> {
  const { user } = await openConsole('/setting', { as: person });
  await user.click(await findButton('Turn on two-step login'));
  const form = await dialog();
  await form.findByRole('img', { name: 'QR code for the authenticator app' });
  const key = document.querySelector('[role="dialog"] code')?.textContent ?? '';
  const code = form.getByRole('textbox', { name: codeField });
  await user.click(form.getByRole('button', { name: 'Turn on two-step login' }));
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
  fill(code, totpCode(key));
  await user.type(code, '{Enter}');
  await expect.poll(() => form.queryAllByRole('listitem')).toHaveLength(10);
  const backupCodes = form.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
  await user.click(await findButton('Done'));
  await screen.findByText(/Backup codes left: 10/);
  return { key, backupCodes };
}

/** Opens a page as a visitor in this browser and enters the password. */
async function logIn(path: string, { username, password }: TestUser, network: Network) {
  localStorage.clear();
  network.cookies.clear();
  const { user } = await openConsole(path, { network });
  await expect.poll(address).toMatch(/^\/login/);
  fill(await findTextbox('Username or email'), username);
  fill(screen.getByLabelText('Password'), password);
  await user.click(await findButton('Log in'));
  await screen.findByText('Two-step login');
  return async (code: string) => {
    fill(await findTextbox(codeField), code);
    await user.click(await findButton('Log in'));
  };
}

it('turns two-step login on, signs in with a code and with a backup code, and turns it off', async () => {
  const person = await createTestUser(await gatewayUrl());
  const { key, backupCodes } = await turnOn(person);
  const network = new Network();
  const enterCode = await logIn('/log', person, network);
  await enterCode('000000');
  await expectMessage(wrongCode);
  expect(localStorage.getItem('user')).toBeNull();
  await enterCode(totpCode(key, 1));
  await expectMessage('Login successful!');
  await expectAddress('/log');
  const enterBackupCode = await logIn('/token', person, network);
  await enterBackupCode((backupCodes[0] ?? '').toLowerCase());
  await expectAddress('/token');

  const { user } = await openConsole('/setting', { network });
  await screen.findByText(/Backup codes left: 9/);
  await user.click(await findButton('New backup codes'));
  fill((await dialog()).getByRole('textbox'), 'WRONG-CODES');
  await user.click((await dialog()).getByRole('button', { name: 'New backup codes' }));
  await expectMessage(wrongCode);
  await user.keyboard('{Escape}');
  await expectNoDialog();
  await user.click(await findButton('Turn off two-step login'));
  fill((await dialog()).getByRole('textbox'), backupCodes[1] ?? '');
  await user.click((await dialog()).getByRole('button', { name: 'Turn off two-step login' }));
  await findButton('Turn on two-step login');
});

it('lists the sessions of the user and ends one of them', async () => {
  const person = await createTestUser(await gatewayUrl());
  const other = new ApiClient(await gatewayUrl());
  other.headers['user-agent'] = 'backup-job/1.0';
  await other.call(sessionApi.login, { body: person });
  expect((await other.request('GET', '/api/user/self')).status).toBe(200);
  const { user, network } = await openConsole('/setting', { as: person });
  const current = await screen.findByRole('group', { name: 'node' });
  within(current).getByText('This session');
  expect(within(current).queryByRole('button')).toBeNull();
  const row = screen.getByRole('group', { name: 'backup-job' });
  await user.click(within(row).getByRole('button', { name: 'Log out' }));
  await expect.poll(() => screen.queryByRole('group', { name: 'backup-job' })).toBeNull();
  expect((await other.request('GET', '/api/user/self')).status).toBe(401);
  await openConsole('/setting', { network });
  within(await screen.findByRole('group', { name: 'node' })).getByText('This session');
});
