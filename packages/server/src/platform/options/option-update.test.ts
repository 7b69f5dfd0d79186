import {
  isPriceOption,
  type OptionKey,
  optionApi,
  optionKeys,
  optionRow,
  sessionApi,
  statusApi,
  userApi,
} from '@headgate/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { optionSamples } from '../../testing/settings/option-samples.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const [admin, root] = [await app.as('admin'), await app.as('root')];
/** A user with the lowest role that may change the option. */
const changerOf = (key: OptionKey) => (optionRow(key).changedBy === 'root' ? root : admin);
// One of the options requires a second factor.
await app.database.updateTable('users').set({ second_factor: 1 }).execute();

const set = (key: string, value: string) => admin.call(optionApi.update, { body: { key, value } });
const listed = () => admin.call(optionApi.list, { query: { ratios: 'saved' } });
const shown = async (key: OptionKey) => (await listed()).find((option) => option.key === key);
const storedRow = (key: string) =>
  app.database.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst();

/** Settings come before the switches that require them. */
const inOrder = optionKeys.toSorted((a, b) => Number('needs' in optionRow(a)) - Number('needs' in optionRow(b)));
const isSecret = (key: OptionKey) => optionRow(key).control === 'secret';

describe('[S7.34 S3.44 S1.16 S1.17] option updates by the lowest permitted role', () => {
  /** Options after the last change. */
  let before: Awaited<ReturnType<typeof listed>>;
  beforeAll(async () => {
    before = await listed();
  });

  test.each(inOrder)('%s: an invalid value is rejected, a valid one is saved and takes effect', async (key) => {
    const changer = changerOf(key);
    const { good, kept = good, bad, complaint } = optionSamples[key];
    const stored = await storedRow(key);
    const response = await changer.send(optionApi.update, { body: { key, value: bad } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: false, message: complaint });
    expect(await storedRow(key)).toEqual(stored);
    expect(await listed()).toEqual(before);
    const { body } = await changer.send(optionApi.update, { body: { key, value: good } });
    expect(body).toEqual({ success: true, message: '' });
    before = await listed();
    const shownNow = before.find((option) => option.key === key);
    expect(shownNow).toEqual(isSecret(key) ? { key, value: '', stored: true } : { key, value: kept });
    if (isSecret(key)) return;
    if (!isPriceOption(key)) expect(await storedRow(key)).toEqual({ value: kept });
    // The saved value can be saved again.
    await expect(changer.call(optionApi.update, { body: { key, value: kept } })).resolves.toBeUndefined();
  });
});

describe('[S5.15 S5.16 S5.17] a ratio that is not JSON', () => {
  test.each([
    ['ModelRatio', 'Model ratio is not a valid JSON string', '模型倍率不是合法的 JSON 字符串'],
    ['GroupRatio', 'Group ratio is not a valid JSON string', '分组倍率不是合法的 JSON 字符串'],
    ['CompletionRatio', 'Completion ratio is not a valid JSON string', '补全倍率不是合法的 JSON 字符串'],
  ] as const)('%s is rejected in both languages and not saved', async (key, english, chinese) => {
    const before = await storedRow(key);
    for (const [language, message] of [
      ['en', english],
      ['zh-CN', chinese],
    ] as const) {
      const headers = { 'accept-language': language };
      const { body } = await admin.send(optionApi.update, { body: { key, value: '{"a":' }, headers });
      expect(body).toEqual({ success: false, message });
    }
    expect(await storedRow(key)).toEqual(before);
  });

  test('an emptied ratio field is saved as an empty object', async () => {
    await set('CompletionRatio', '');
    expect(await shown('CompletionRatio')).toEqual({ key: 'CompletionRatio', value: '{}' });
  });

  test.each(['[1]', 'null', '"x"', '{"a":-1}', '{"a":"1"}', '{"a":1e400}', '{"a":NaN}', '{"__proto__":{"a":1}}'])(
    '[A7.2] rejects the ratios %s',
    async (value) => {
      await expect(set('ModelRatio', value)).rejects.toThrow(/^Model ratio (is|must be) /);
    },
  );
});

describe('effect of a changed option', () => {
  test('a changed option takes effect on the status, the notice and the pages', async () => {
    await using other = await startTestApp();
    const root = await other.as('root');
    const put = (key: OptionKey, value: string) => root.call(optionApi.update, { body: { key, value } });
    await put('SystemName', 'Sluice');
    await put('Theme', 'dark');
    await put('QuotaPerUnit', '1000.5');
    await put('DisplayInCurrencyEnabled', 'false');
    await put('Notice', 'closed on Monday');
    await put('About', '# us');
    await put('HomePageContent', '# home');
    const visitor = other.client();
    expect(await visitor.call(statusApi.status)).toMatchObject({
      system_name: 'Sluice',
      theme: 'dark',
      quota_per_unit: 1000.5,
      display_in_currency: false,
    });
    expect(await visitor.call(statusApi.notice)).toBe('closed on Monday');
    expect(await visitor.call(statusApi.about)).toBe('# us');
    expect(await visitor.call(statusApi.homePageContent)).toBe('# home');
  });

  test('a changed option takes effect on logins, without ending existing sessions', async () => {
    await using other = await startTestApp();
    const root = await other.as('root');
    const { username, password } = await other.createUser();
    await root.call(optionApi.update, { body: { key: 'PasswordLoginEnabled', value: 'false' } });
    const { body } = await other.client().send(sessionApi.login, { body: { username, password } });
    expect(body).toEqual({ success: false, message: 'Password login is turned off' });
    expect(await root.call(userApi.self)).toMatchObject({ role: 100 });
    await root.call(optionApi.update, { body: { key: 'PasswordLoginEnabled', value: 'true' } });
    await expect(other.signedIn(username, password)).resolves.toBeDefined();
  });

  test('a changed option takes effect again after a restart', async () => {
    await using stored = await createMigratedDatabase();
    const first = await startTestApp({ on: stored });
    const root = await first.as('root');
    await root.call(optionApi.update, { body: { key: 'SystemName', value: 'Sluice' } });
    await first.close();
    await using second = await startTestApp({ on: stored });
    expect(await second.client().call(statusApi.status)).toMatchObject({ system_name: 'Sluice' });
  });
});

describe('an unknown option', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'systemname', 'SystemName ', '', '选项'])(
    'the unknown option %j is rejected by name and not stored',
    async (key) => {
      await expect(set(key, 'x')).rejects.toMatchObject({ status: 200, message: `There is no option named ${key}` });
      expect(await storedRow(key)).toBeUndefined();
    },
  );

  test('an unknown option is rejected in Chinese too', async () => {
    const headers = { 'accept-language': 'zh' };
    const { body } = await admin.send(optionApi.update, { body: { key: 'Nope', value: 'x' }, headers });
    expect(body).toEqual({ success: false, message: '不存在名为 Nope 的选项' });
  });
});

describe('malformed input', () => {
  let before: object[];
  beforeAll(async () => {
    before = await app.database.selectFrom('options').selectAll().execute();
  });

  test.each([
    { key: 'RetryTimes', value: 3 },
    { key: 'RegisterEnabled', value: true },
    { key: 'RegisterEnabled', value: null },
    { key: 'ModelRatio', value: { a: 1 } },
    { key: 'EmailDomainWhitelist', value: ['a.example'] },
    { key: 'SystemName' },
    { value: 'x' },
    { key: 5, value: 'x' },
    { key: ['SystemName'], value: 'x' },
    { key: 'x'.repeat(101), value: 'x' },
    { key: 'SystemName', value: 'a\0b' },
    [],
    [{ key: 'SystemName', value: 'x' }],
    'SystemName',
    null,
  ])('the body %j returns 400', async (body) => {
    const response = await admin.send(optionApi.update, { rawBody: JSON.stringify(body) });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ success: false, message: expect.stringMatching(/./) });
  });

  test.each([
    '{"__proto__":{"key":"SystemName"},"value":"x"}',
    '{"key":"SystemName"',
    '',
    `{"value":${'['.repeat(200_000)}${']'.repeat(200_000)},"key":"SystemName"}`,
  ])('a body that starts with %.20s returns 400', async (rawBody) => {
    expect((await admin.send(optionApi.update, { rawBody })).status).toBe(400);
  });

  test('an oversized body returns 413', async () => {
    const response = await admin.send(optionApi.update, { body: { key: 'About', value: 'x'.repeat(2_000_000) } });
    expect(response.status).toBe(413);
  });

  test('extra fields are ignored', async () => {
    const body = { key: 'Footer', value: 'kept', stored: true, role: 100, id: 1 };
    expect((await admin.send(optionApi.update, { body })).body).toMatchObject({ success: true });
    expect(await storedRow('Footer')).toEqual({ value: 'kept' });
  });

  test('malformed input is not stored, not even partially', async () => {
    const after = await app.database.selectFrom('options').selectAll().where('key', '!=', 'Footer').execute();
    expect(after).toHaveLength(before.length - 1);
    expect(before).toEqual(expect.arrayContaining(after));
  });
});

test('a large value is stored completely', async () => {
  const value = `${'页'.repeat(199_999)}\n`;
  await set('About', value);
  expect(await shown('About')).toEqual({ key: 'About', value });
});
