import { signedInClient, uniqueName } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { botCheckPendingText, findWidget, mockTurnstile, passBotCheck } from '../../testing/bot-check.ts';
import { advanceTime, expectWithoutDelay, stopClock } from '../../testing/clock.ts';
import { gatewayUrl, nativeFetch } from '../../testing/gateway.ts';
import { codeSentTo, receiveMail } from '../../testing/mail.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton, findTextbox, messages } from '../../testing/page.ts';

const path = '/api/reset_password';
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
const sendButton = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Send reset email' });
const expectEnabled = () => expect.poll(() => sendButton()?.disabled).toBe(false);

async function openRequest(network = new Network()) {
  const opened = await openConsole('/reset', { network });
  await findTextbox('Email');
  const send = async (address: string) => {
    fill(email(), address);
    await opened.user.click(await findButton('Send reset email'));
  };
  return { ...opened, send };
}

describe('request for a reset', () => {
  it('[S2.7 S2.46 S2.61 S2.62 S3.19] the reset request is linked from the login page, and has no bot check if bot checks are disabled', async () => {
    const network = new Network();
    const status = { turnstile_check: false, turnstile_site_key: 'key' };
    network.change('GET', '/api/status', (data: object) => ({ ...data, ...status }));
    const { user } = await openConsole('/login', { network });
    await user.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
    await expectAddress('/reset');
    const { disabled, readOnly } = await findTextbox('Email');
    expect(disabled || readOnly).toBe(false);
    await expectEnabled();
    expect(screen.queryByRole('group', { name: 'Bot check' })).toBeNull();
  });

  it('[S2.63 S2.64 S7.12 S8.30 S9.20] the reset request is sent, and can be repeated after 30 seconds', async () => {
    mockTurnstile();
    const network = new Network();
    const status = { turnstile_check: true, turnstile_site_key: 'key' };
    network.change('GET', '/api/status', (data: object) => ({ ...data, ...status }));
    network.route('GET', path, () => Response.json({ success: true, message: '' }));
    const { user } = await openRequest(network);
    await passBotCheck(user);
    fill(email(), 'ada@example.com');
    const retry = (seconds: number) => screen.queryByRole('button', { name: `Retry (${seconds})` });
    stopClock();
    await user.click(screen.getByRole('button', { name: 'Send reset email' }));
    await expectWithoutDelay(() => retry(30));
    expect(retry(30)).toHaveProperty('disabled', true);
    await expectWithoutDelay(() => messages('success').join().includes('Reset email sent'));
    const query = { email: 'ada@example.com', turnstile: 'good-1' };
    expect(network.sent('GET', path)).toMatchObject([{ query }]);
    await advanceTime(29_750);
    await expectWithoutDelay(() => retry(1));
    expect(retry(1)).toHaveProperty('disabled', true);
    await advanceTime(250);
    await expectWithoutDelay(() => sendButton()?.disabled === false);
  });

  it('[S2.63] the reset request can be repeated immediately after a failure, even after a reload', async () => {
    const network = new Network();
    network.fail('GET', path, 200, 'The mail could not be sent');
    const { send } = await openRequest(network);
    await send('ada@example.com');
    await expectMessage('The mail could not be sent', 'error');
    await expectEnabled();
    await openRequest(network);
    await expectEnabled();
  });

  it('[S5.54] the reset request is not sent without an email address', async () => {
    const { network, send } = await openRequest();
    await send('  ');
    await expectEnabled();
    expect(network.sent('GET', path)).toEqual([]);
  });

  it('[S2.62 S5.55] the reset request is not sent before the bot check has passed', async () => {
    mockTurnstile();
    const network = new Network();
    const status = { turnstile_check: true, turnstile_site_key: 'key' };
    network.change('GET', '/api/status', (data: object) => ({ ...data, ...status }));
    const { send } = await openRequest(network);
    await findWidget();
    await send('ada@example.com');
    await expectMessage(botCheckPendingText, 'warning');
    await expectEnabled();
    expect(network.sent('GET', path)).toEqual([]);
  });
});

/** Registers a user with a verified email address, on a gateway with a mailbox. */
async function registerWithMail() {
  const url = await gatewayUrl();
  const box = await receiveMail({ ServerAddress: url, EmailVerificationEnabled: 'true' });
  const username = uniqueName();
  const address = `${username}@example.com`;
  await nativeFetch(`${url}/api/verification?email=${encodeURIComponent(address)}`);
  const verification_code = await codeSentTo(box, address);
  const response = await nativeFetch(`${url}/api/user/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'password-1', email: address, verification_code }),
  });
  expect(await response.json()).toMatchObject({ success: true });
  box.mails.length = 0;
  return { box, username, address };
}

describe('password reset', () => {
  it('[S2.8 S2.65 S2.66 S2.67 S7.13 S8.31] the emailed link generates a new password once', async () => {
    const { box, username, address } = await registerWithMail();
    const { network, send } = await openRequest();
    await send(address);
    await expectMessage('Reset email sent');
    const { text } = await box.mailTo(address);
    const { pathname, search, searchParams } = new URL(/^http\S+$/m.exec(text)?.[0] ?? '');
    const { user } = await openConsole(pathname + search, { network });
    expect((await findTextbox('Email')).value).toBe(address);
    await user.click(await findButton('Reset password'));
    await expectMessage('New password copied to clipboard');
    expect(network.sent('POST', '/api/user/reset').map(({ body }) => body)).toEqual([
      { email: address, token: searchParams.get('token') },
    ]);
    expect(await findButton('Password reset done')).toHaveProperty('disabled', true);
    const password = await navigator.clipboard.readText();
    expect((await findTextbox('New password')).value).toBe(password);
    await signedInClient(await gatewayUrl(), { username, password });

    const again = await openConsole(pathname + search, { network });
    await again.user.click(await findButton('Reset password'));
    await expectMessage('The reset link is not valid or has expired');
    await expect.poll(() => screen.queryByRole('button', { name: 'Reset password' })).toHaveProperty('disabled', false);
  });

  it('[S2.8] a reset link without a token shows an error', async () => {
    await openConsole('/user/reset?email=ada%40example.com');
    await screen.findByText(/^This link is incomplete\./);
    expect(screen.queryByRole('button', { name: 'Reset password' })).toBeNull();
  });
});
