import { formatLogSubject, type LogSubject, logApi, optionApi, redemptionApi, role, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { user, client: admin } = await accountsOf(app).signedInUser({ username: 'ada', role: role.root });

async function historyOf(subject: LogSubject, more = {}) {
  const query = { about: formatLogSubject(subject), size: 100, ...more };
  const { rows, total } = await admin.page(logApi.list, { query });
  expect(total).toBe(rows.length);
  return rows.map(({ content }) => content).toReversed();
}

async function codesMade(count: number): Promise<{ id: number; key: string }[]> {
  await admin.call(redemptionApi.create, { body: { name: 'gift', quota: 500_000, count } });
  return admin.call(redemptionApi.list, { query: { size: count } });
}

test('finds the changes, redemption and deletion of a code by its id, and no events of other codes', async () => {
  const codes = await codesMade(12);
  // Ids with the same prefix, such as 1 and 12, are different codes.
  const [first, last] = [codes.at(-1), codes[0]];
  for (const code of [first, last])
    await admin.call(redemptionApi.update, { query: {}, body: { id: code?.id ?? 0, name: `"id":${first?.id},` } });
  await admin.call(userApi.redeem, { body: { key: first?.key ?? '' } });
  await admin.call(redemptionApi.remove, { params: { id: first?.id ?? 0 } });
  const history = await historyOf({ kind: 'redemption', id: first?.id ?? 0 });
  expect(history).toEqual([
    `ada changed code ${first?.id}: name gift → "id":${first?.id},`,
    'Redeemed a code worth $1.000000',
    `ada deleted code ${first?.id}`,
  ]);
  expect(await historyOf({ kind: 'redemption', id: last?.id ?? 0 })).toHaveLength(1);
});

test('finds only the changes of one settings section', async () => {
  const put = (key: 'SystemName' | 'SMTPServer' | 'SMTPToken', value: string) =>
    admin.call(optionApi.update, { body: { key, value } });
  await put('SystemName', '"key":"SMTPServer"');
  await put('SMTPServer', 'mail.example.com');
  await put('SMTPToken', 'secret');
  expect(await historyOf({ kind: 'settings', section: 'smtp' })).toEqual([
    'ada set SMTPServer to mail.example.com',
    'ada changed SMTPToken',
  ]);
  expect(await historyOf({ kind: 'settings', section: 'oidc' })).toEqual([]);
  expect(await historyOf({ kind: 'settings', section: 'smtp' }, { username: 'nobody' })).toEqual([]);
});

test('change history excludes relayed requests, even if their details look like an event, and reports a quota of 0', async () => {
  const detail = '{"event":"option.updated","values":{"key":"SMTPServer"}}';
  await writeLogs(app.database, [{ user_id: user.id, username: 'ada', type: 2, quota: 70, detail }]);
  const about = formatLogSubject({ kind: 'settings', section: 'smtp' });
  expect(await historyOf({ kind: 'settings', section: 'smtp' }, { type: 2 })).toEqual([]);
  expect(await admin.call(logApi.stat, { query: { about } })).toEqual({ quota: 0 });
});

test('exports the same rows as the filtered list', async () => {
  const query = { about: formatLogSubject({ kind: 'settings', section: 'smtp' }), format: 'jsonl' } as const;
  const { text } = await admin.send(logApi.export, { query });
  expect(text.match(/ada (changed|set) SMTP/g)).toHaveLength(2);
});

test('rejects an invalid subject', async () => {
  for (const about of ['redemption:', 'redemption:0', 'redemption:1%', 'settings:nothing', 'token:1']) {
    const { body } = await admin.send(logApi.list, { query: { about } });
    expect(body).toMatchObject({ success: false });
  }
});
