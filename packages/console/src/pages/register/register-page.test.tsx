import { userApi } from '@headgate/contract';
import { asRoot, createTestUser, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { botCheckPendingText, findWidget, mockTurnstile, passBotCheck } from '../../testing/bot-check.ts';
import { advanceTime, expectWithoutDelay, stopClock } from '../../testing/clock.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { codeSentTo, receiveMail } from '../../testing/mail.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton, findTextbox, messages } from '../../testing/page.ts';

const registerPath = '/api/user/register';
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const isEditable = ({ disabled, readOnly }: HTMLInputElement) => !disabled && !readOnly;

async function openForm(path = '/register', network = new Network()) {
  const opened = await openConsole(path, { network });
  await findTextbox('Username');
  const fillIn = (username: string, password = 'long enough', password2 = password) => {
    fill(field('Username'), username);
    fill(field('Password'), password);
    fill(field('Repeat password'), password2);
  };
  const submit = async () => opened.user.click(await findButton('Register'));
  return { ...opened, fillIn, submit };
}

/** Sign-up and verification-code calls recorded by this network. */
const callsOf = (network: Network) => [
  ...network.sent('POST', registerPath),
  ...network.sent('GET', '/api/verification'),
];

it('[S2.5 S2.47 S2.57 S2.58 S2.59] registration is linked from the login page, and requires only name and password', async () => {
  const { user } = await openConsole('/login');
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Register' }));
  await expectAddress('/register');
  await findTextbox('Username');
  for (const label of ['Username', 'Password', 'Repeat password']) expect(isEditable(field(label)), label).toBe(true);
  expect(document.querySelectorAll('main input')).toHaveLength(3);
  expect(screen.queryByRole('group', { name: 'Bot check' })).toBeNull();
});

it('[S2.60 S3.28 S4.41 S7.10 S8.14] registers a user, who can then log in', async () => {
  const username = uniqueName();
  const { network, fillIn, submit } = await openForm();
  fillIn(username);
  await submit();
  await expectMessage('Registration successful!');
  await expectAddress('/login');
  expect(network.sent('POST', registerPath)).toMatchObject([{ query: { turnstile: '' } }]);
  expect(network.sent('POST', registerPath)[0]?.body).toEqual({
    username,
    password: 'long enough',
    password2: 'long enough',
    email: '',
    verification_code: '',
    aff_code: '',
  });
  await signedInClient(await gatewayUrl(), { username, password: 'long enough' });
});

it('[S2.6 S3.17] registration keeps the referral code from an invitation link, and credits the inviter', async () => {
  const url = await gatewayUrl();
  const inviter = await createTestUser(url);
  const code = await (await signedInClient(url, inviter)).call(userApi.inviteCode);
  const { network } = await openForm(`/register?aff=${code}`);
  await expect.poll(() => localStorage.getItem('aff')).toBe(code);
  const username = uniqueName();
  const { fillIn, submit } = await openForm('/register', network);
  fillIn(username);
  await submit();
  await expectAddress('/login');
  const root = await asRoot(url);
  const [user] = await root.call(userApi.search, { query: { keyword: username, order: '' } });
  expect(user).toMatchObject({ username, inviter_id: inviter.id });
});

it('[S5.1 S5.2 S5.3 S5.7] marks missing fields, reports invalid ones, and sends nothing', async () => {
  const { network, fillIn, submit } = await openForm();
  await submit();
  expect(field('Username').getAttribute('aria-invalid')).toBe('true');
  const mistake = await screen.findByText('Please enter a password');
  expect(field('Password').getAttribute('aria-describedby')?.split(' ')).toContain(mistake.id);
  expect(messages()).toEqual([]);
  fillIn('somebody', '1234567', 'another');
  await submit();
  await expectMessage('Password length must not be less than 8 characters!');
  expect(messages()).toHaveLength(1);
  fillIn('somebody', 'long enough', 'another one');
  await submit();
  await expectMessage('The two passwords entered do not match');
  expect(document.activeElement).toBe(field('Repeat password'));
  expect(callsOf(network)).toEqual([]);
});

it('[S5.4 S5.5 S9.18] states and enforces the length of name and password', async () => {
  const { user } = await openForm();
  expect(field('Username').placeholder).toBe('At most 12 characters');
  for (const label of ['Password', 'Repeat password'])
    expect(field(label)).toMatchObject({ placeholder: '8 to 20 characters', maxLength: 20 });
  screen.getByText('8 to 20 characters');
  await user.type(field('Username'), 'thirteen-char');
  expect(field('Username').value).toBe('thirteen-cha');
});

it('[S2.59 S3.19 S5.6 S5.7 S7.10] uses a fresh bot check token for each call', async () => {
  mockTurnstile();
  const network = new Network();
  const status = { turnstile_check: true, turnstile_site_key: 'site-key' };
  network.change('GET', '/api/status', (data: object) => ({ ...data, ...status }));
  network.fail('POST', registerPath, 200, 'not this time');
  const { user, fillIn, submit } = await openForm('/register', network);
  expect((await findWidget()).textContent).toBe('Widget of site-key');
  fillIn(uniqueName());
  await submit();
  await expectMessage(botCheckPendingText, 'warning');
  expect(callsOf(network)).toEqual([]);
  await passBotCheck(user);
  await submit();
  await expectMessage('not this time');
  await submit();
  // A repeated message is shown once, as the newest.
  await expect.poll(() => messages().at(-1)).toContain(botCheckPendingText);
  expect(callsOf(network).map(({ query }) => query)).toEqual([{ turnstile: 'good-1' }]);
});

it('[S2.58 S3.18 S5.8 S7.11 S8.13] requires the code sent to the email address', async () => {
  const box = await receiveMail({ EmailVerificationEnabled: 'true' });
  const email = `${uniqueName()}@example.com`;
  const username = uniqueName();
  const { user, network, fillIn, submit } = await openForm();
  fillIn(username);
  await user.click(await findButton('Get code'));
  expect(field('Email').getAttribute('aria-invalid')).toBe('true');
  expect(callsOf(network)).toEqual([]);
  fill(field('Email'), email);
  await user.click(await findButton('Get code'));
  await expectMessage('Verification code sent successfully, please check your mailbox!');
  expect(callsOf(network).map(({ query }) => query)).toEqual([{ email, turnstile: '' }]);
  fill(field('Verification code'), await codeSentTo(box, email));
  await submit();
  await expectAddress('/login');
  await signedInClient(await gatewayUrl(), { username, password: 'long enough' });
});

it('[S2.58 S9.19] waits 30 seconds before another code can be requested, even after a reload', async () => {
  const network = new Network();
  network.change('GET', '/api/status', (status: object) => ({ ...status, email_verification: true }));
  network.route('GET', '/api/verification', () => Response.json({ success: true, message: '' }));
  const { user } = await openConsole('/register', { network });
  fill(await findTextbox('Email'), 'ada@example.com');
  const getCode = await findButton('Get code');
  stopClock();
  await user.click(getCode);
  const retry = (seconds: number) => screen.queryByRole('button', { name: `Retry (${seconds})` });
  await expectWithoutDelay(() => retry(30));
  expect(retry(30)).toHaveProperty('disabled', true);
  await openConsole('/register', { network });
  await expectWithoutDelay(() => retry(30));
  await advanceTime(29_750);
  await expectWithoutDelay(() => retry(1));
  expect(retry(1)).toHaveProperty('disabled', true);
  await advanceTime(250);
  await expectWithoutDelay(
    () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Get code' })?.disabled === false,
  );
});
