import { type OptionKey, optionApi, optionKeys, optionRow } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { optionSamples } from '../../testing/settings/option-samples.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';
import { joinOptionLabels } from './option-checks.ts';

const app = await useTestApp();
const root = await app.as('root');

const put = (key: string, value: string, language = 'en') =>
  root.send(optionApi.update, { body: { key, value }, headers: { 'accept-language': language } });
const rejected = (message: string) => ({ success: false, message });
const shownValue = async (key: OptionKey) =>
  (await root.call(optionApi.list, { query: { ratios: 'saved' } })).find((option) => option.key === key)?.value;

const switches = optionKeys.filter((key) => optionRow(key).needs !== undefined);
const needsOf = (key: OptionKey) => (optionRow(key).needs ?? []) as OptionKey[];

test('only the expected switches require other settings', () => {
  expect(Object.fromEntries(switches.map((key) => [key, needsOf(key)]))).toEqual({
    EmailVerificationEnabled: ['SMTPServer'],
    GitHubOAuthEnabled: ['GitHubClientId', 'GitHubClientSecret'],
    WeChatAuthEnabled: ['WeChatServerAddress', 'WeChatServerToken'],
    OidcEnabled: ['OidcClientId', 'OidcWellKnown'],
    TurnstileCheckEnabled: ['TurnstileSiteKey', 'TurnstileSecretKey'],
    EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
    StripeEnabled: ['StripeSecretKey', 'StripeWebhookSecret'],
    EpayEnabled: ['EpayAddress', 'EpayMerchantId', 'EpayMerchantKey'],
  });
});

describe.each(switches)('%s', (key) => {
  const needs = needsOf(key);

  test('the switch cannot be turned on while a required setting is missing, and the error names that setting', async () => {
    for (const needed of needs) await put(needed, '');
    for (const needed of needs) {
      const missing = joinOptionLabels(needs.slice(needs.indexOf(needed))).en;
      expect((await put(key, 'true')).body).toEqual(rejected(`Fill in ${missing} first`));
      expect(await shownValue(key)).toBe('false');
      await put(needed, optionSamples[needed].good);
    }
  });

  test('the switch can be turned on once all required settings are set', async () => {
    expect((await put(key, 'true')).body).toEqual({ success: true, message: '' });
    expect(await shownValue(key)).toBe('true');
  });

  test('required settings cannot be emptied while the switch is on', async () => {
    for (const needed of needs) {
      const { label } = optionRow(needed);
      for (const empty of ['', '  ']) {
        expect((await put(needed, empty)).body).toEqual(
          rejected(`${label} cannot be empty while this is on: ${optionRow(key).label}`),
        );
      }
      expect((await put(needed, optionSamples[needed].good)).body).toMatchObject({ success: true });
    }
  });

  test('required settings can be emptied while the switch is off', async () => {
    expect((await put(key, 'false')).body).toMatchObject({ success: true });
    for (const needed of needs) expect((await put(needed, '')).body).toMatchObject({ success: true });
  });
});

test('errors about required settings are available in Chinese', async () => {
  expect((await put('GitHubOAuthEnabled', 'true', 'zh')).body).toEqual(
    rejected('请先填写：GitHub Client ID和GitHub Client Secret'),
  );
  await put('SMTPServer', 'smtp.example');
  await put('EmailVerificationEnabled', 'true');
  expect((await put('SMTPServer', '', 'zh')).body).toEqual(rejected('“注册时需要验证邮箱”已启用，SMTP 服务器不能为空'));
  expect((await put('RetryTimes', 'x', 'zh')).body).toEqual(rejected('失败重试次数必须是 0 到 100 之间的整数'));
});

test('allows turning off password login, with only a warning in the console', async () => {
  expect((await put('PasswordLoginEnabled', 'false')).body).toMatchObject({ success: true });
});

describe('concurrent changes', () => {
  async function race(first: TestApp, second: TestApp): Promise<void> {
    const [one, two] = [await first.as('root'), await second.as('root')];
    const values = { SMTPServer: 'smtp.example', EmailVerificationEnabled: 'false' };
    for (const [key, value] of Object.entries(values)) await one.call(optionApi.update, { body: { key, value } });
    const responses = await Promise.all([
      one.send(optionApi.update, { body: { key: 'EmailVerificationEnabled', value: 'true' } }),
      two.send(optionApi.update, { body: { key: 'SMTPServer', value: '' } }),
    ]);
    const successes = responses.filter(({ body }) => (body as { success: boolean }).success);
    expect(successes).toHaveLength(1);
    const stored = await first.database.selectFrom('options').selectAll().execute();
    const { SMTPServer, EmailVerificationEnabled } = Object.fromEntries(stored.map(({ key, value }) => [key, value]));
    expect([SMTPServer, EmailVerificationEnabled]).not.toEqual(['', 'true']);
  }

  test('concurrent changes cannot turn on a switch and clear its required setting, on one node or on two', async () => {
    await using first = await startTestApp();
    for (let round = 0; round < 10; round += 1) await race(first, first);
    // Two processes never share a SQLite file.
    if (first.location.databaseUrl === undefined) return;
    await using second = await startTestApp({ beside: first });
    for (let round = 0; round < 10; round += 1) await race(first, second);
  });

  test('concurrent changes to one option leave the last stored value in effect, with a log entry for each', async () => {
    await using other = await startTestApp({ isUntouched: true });
    const client = await other.as('root');
    const values = Array.from({ length: 50 }, (_, index) => `name ${index}`);
    await Promise.all(values.map((value) => client.call(optionApi.update, { body: { key: 'SystemName', value } })));
    const row = await other.database.selectFrom('options').selectAll().executeTakeFirstOrThrow();
    const listed = await client.call(optionApi.list, { query: { ratios: 'saved' } });
    expect(listed.find(({ key }) => key === 'SystemName')?.value).toBe(row.value);
    const logs = await other.database.selectFrom('logs').select('detail').orderBy('id').execute();
    const changes = logs.map(({ detail }) => JSON.parse(detail).values as { before: string; after: string });
    expect(changes.map(({ after }) => after).sort()).toEqual(values.sort());
    // Each log entry has the value that was actually replaced.
    expect(changes.map(({ before }) => before)).toEqual([
      'Headgate',
      ...changes.slice(0, -1).map(({ after }) => after),
    ]);
  });
});
