import { defaultOptions, type OptionKey, registrationApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { type BotCheck, BotCheckService } from '../bot-check/turnstile.ts';
import { type EmailCodes, RegistrationService } from './registration-service.ts';

const body = { username: 'visitor', password: 'long enough', email: 'a@example.com', verification_code: '123456' };

/** Registers and returns the responses in English and Chinese and the number of accounts. */
async function registerWith(options: Partial<Record<OptionKey, string>>) {
  await using app = await startTestApp({ options });
  const respondIn = async (language: string) => {
    const headers = { 'accept-language': language };
    const { status, body: response } = await app.client().send(registrationApi.register, { body, headers });
    return [status, response];
  };
  const [english, chinese] = [await respondIn('en'), await respondIn('zh-CN')];
  const users = await app.database.selectFrom('users').select('id').where('username', '=', 'visitor').execute();
  return { english, chinese, made: users.length };
}

const mail = { EmailVerificationEnabled: 'true', SMTPServer: 'smtp.example.com' };
const bots = { TurnstileCheckEnabled: 'true', TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret' };

describe('[S7.10] registration is rejected', () => {
  test.each([
    [
      'while registration is disabled',
      { RegisterEnabled: 'false' },
      'Registration is turned off',
      '管理员关闭了新用户注册',
    ],
    [
      'while password registration is disabled',
      { PasswordRegisterEnabled: 'false' },
      'Registration with a password is turned off; please log in with another provider',
      '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
    ],
    [
      'with the first reason when both are disabled',
      { RegisterEnabled: 'false', PasswordRegisterEnabled: 'false', ...mail },
      'Registration is turned off',
      '管理员关闭了新用户注册',
    ],
    [
      'with an email code that was never sent',
      mail,
      'The verification code is wrong or has expired',
      '验证码错误或已过期',
    ],
    [
      'without the required bot check',
      bots,
      'The bot check failed; please reload the page and try again',
      'Turnstile 校验失败，请刷新重试！',
    ],
  ])('rejects registration %s', async (_, options, english, chinese) => {
    const responses = { english: [200, apiFailure(english)], chinese: [200, apiFailure(chinese)] };
    expect(await registerWith(options)).toEqual({ ...responses, made: 0 });
  });

  test('accepts registration while password login is disabled', async () => {
    expect(await registerWith({ PasswordLoginEnabled: 'false' })).toMatchObject({ made: 1 });
  });
});

const registration = { ...body, aff_code: '' };
const visitor = { address: '192.0.2.1', botCheckToken: 'solved' };

/** The service alone, with fake ports. */
function serviceWith(ports: { emailCodes?: EmailCodes; botCheck?: BotCheck }) {
  const opened: unknown[] = [];
  const needed = { EmailVerificationEnabled: 'emailCodes' in ports, TurnstileCheckEnabled: 'botCheck' in ports };
  const options = { values: { ...defaultOptions, ...needed } };
  const parts = {
    options,
    accounts: { open: async (_: unknown, account: object) => void opened.push(account) },
    inTransaction: (work: (transaction: unknown) => unknown) => work({}),
    visitors: new BotCheckService(options, ports.botCheck ?? { passes: async () => false }),
    emailCodes: ports.emailCodes,
    users: { newPasswordHash: async () => 'hash' },
  };
  return { opened, service: new RegistrationService(parts as never) };
}

describe('registration with a mail service', () => {
  const emailCodes: EmailCodes = {
    verify: async (purpose, email, code) => `${purpose} ${email} ${code}` === 'registration a@example.com 123456',
    consume: async () => true,
  };

  test('stores the address once its code is verified', async () => {
    const { opened, service } = serviceWith({ emailCodes });
    await service.register(registration, visitor);
    expect(opened).toMatchObject([{ username: 'visitor', email: 'a@example.com' }]);
  });

  test.each([
    ['no address', { email: '' }, 'emailAndCodeNeeded'],
    ['a null address', { email: null }, 'emailAndCodeNeeded'],
    ['no code', { verification_code: '' }, 'emailAndCodeNeeded'],
    ['a wrong code', { verification_code: '654321' }, 'wrongEmailCode'],
    ['the code sent to another address', { email: 'b@example.com' }, 'wrongEmailCode'],
  ])('rejects registration with %s', async (_, change, code) => {
    const { opened, service } = serviceWith({ emailCodes });
    await expect(service.register({ ...registration, ...change }, visitor)).rejects.toMatchObject({ code });
    expect(opened).toEqual([]);
  });
});

describe('registration with a bot check', () => {
  const botCheck: BotCheck = { passes: async (token, address) => token === 'solved' && address === '192.0.2.1' };

  test('accepts a visitor who passed the bot check, and stores no address', async () => {
    const { opened, service } = serviceWith({ botCheck });
    await service.register(registration, visitor);
    expect(opened).toMatchObject([{ username: 'visitor', email: null }]);
  });

  test.each(['', 'guessed'])('rejects a visitor with %j', async (botCheckToken) => {
    const { opened, service } = serviceWith({ botCheck });
    const attempt = service.register(registration, { ...visitor, botCheckToken });
    await expect(attempt).rejects.toMatchObject({ code: 'botCheckFailed' });
    expect(opened).toEqual([]);
  });
});
