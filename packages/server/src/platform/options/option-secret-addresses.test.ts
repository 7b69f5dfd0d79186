import { type OptionKey, optionApi, optionKeys, optionRow } from '@headgate/contract';
import { expect, test } from 'vitest';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');

const put = (key: OptionKey, value: string) => root.send(optionApi.update, { body: { key, value } });
const isStored = async (key: OptionKey) =>
  (await root.call(optionApi.list, { query: { ratios: 'saved' } })).find((option) => option.key === key)?.stored;

const moved: Readonly<Partial<Record<OptionKey, readonly [string, string]>>> = {
  SMTPServer: ['smtp.mine.example', 'smtp.his.example'],
  SMTPPort: ['587', '2525'],
  WeChatServerAddress: ['https://mine.example', 'https://his.example'],
  MessagePusherAddress: ['https://mine.example/push', 'https://mine.example/his'],
  EpayAddress: ['https://mine.example', 'https://his.example'],
  OidcWellKnown: ['https://mine.example', 'https://his.example'],
};
const secrets = optionKeys.filter((key) => optionRow(key).sentTo);
const addressesOf = (secret: OptionKey) => (optionRow(secret).sentTo ?? []) as OptionKey[];

test('[A12.5] every secret sent to a configurable URL has that URL as its dependency', () => {
  expect(secrets.toSorted()).toEqual([
    'EpayMerchantKey',
    'MessagePusherToken',
    'OidcClientSecret',
    'SMTPToken',
    'WeChatServerToken',
  ]);
  // Other secrets are sent to fixed addresses, or not at all.
  const others = optionKeys.filter((key) => optionRow(key).control === 'secret' && !secrets.includes(key));
  expect(others.toSorted()).toEqual([
    'GitHubClientSecret',
    'LarkClientSecret',
    'StripeSecretKey',
    'StripeWebhookSecret',
    'TurnstileSecretKey',
  ]);
});

for (const secret of secrets) {
  test.each(addressesOf(secret))(
    `[A12.5] ${secret} is cleared when %s changes, and kept otherwise`,
    async (address) => {
      const [mine, his] = moved[address] ?? ['', ''];
      for (const key of addressesOf(secret)) await put(key, moved[key]?.[0] ?? '');
      await put(secret, 'a-secret');
      await put(address, ` ${mine} `);
      expect(await isStored(secret)).toBe(true);
      expect((await put(address, his)).body).toMatchObject({ success: true });
      expect(await isStored(secret)).toBe(false);
      const row = await app.database.selectFrom('options').select('value').where('key', '=', secret).executeTakeFirst();
      expect(row?.value).toBe('');
      const logs = await app.database.selectFrom('logs').select('detail').orderBy('id', 'desc').limit(2).execute();
      expect(logs.map(({ detail }) => JSON.parse(detail).values.key)).toEqual([address, secret]);
      await put(secret, 'a-new-secret');
      expect(await isStored(secret)).toBe(true);
    },
  );
}

test('[A12.5] a secret is also cleared if its address is emptied first', async () => {
  await put('MessagePusherAddress', 'https://mine.example');
  await put('MessagePusherToken', 'a-secret');
  await put('MessagePusherAddress', '');
  expect(await isStored('MessagePusherToken')).toBe(false);
});

test('a secret can be set before its address', async () => {
  await using fresh = await startTestApp();
  const client = await fresh.as('root');
  for (const [key, value] of [
    ['OidcClientSecret', 'first'],
    ['OidcWellKnown', 'https://mine.example'],
  ] as const) {
    await client.call(optionApi.update, { body: { key, value } });
  }
  const listed = await client.call(optionApi.list, { query: { ratios: 'saved' } });
  expect(listed.find(({ key }) => key === 'OidcClientSecret')).toMatchObject({ stored: true });
});

test('[A12.5] changing an address whose secret is in use is rejected with the reason', async () => {
  await put('WeChatServerAddress', 'https://mine.example');
  await put('WeChatServerToken', 'a-secret');
  await put('WeChatAuthEnabled', 'true');
  expect((await put('WeChatServerAddress', 'https://his.example')).body).toEqual({
    success: false,
    message:
      'Changing WeChat server address clears WeChat server token, which is required while this is on: Allow login with WeChat. Turn it off first',
  });
  expect(await isStored('WeChatServerToken')).toBe(true);
});
