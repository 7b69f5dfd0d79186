import { logType, type OptionKey, optionApi, role } from '@headgate/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { id, username, password } = await app.createUser({ username: 'ada', role: role.root });
const admin = await app.signedIn(username, password);

const put = (key: OptionKey, value: string) => admin.send(optionApi.update, { body: { key, value } });

/** Management logs written by a change. */
async function logsOf(change: () => Promise<unknown>) {
  await app.database.deleteFrom('logs').execute();
  await change();
  const rows = await app.database.selectFrom('logs').selectAll().execute();
  return rows.map(({ type, user_id, username: name, content, detail }) => ({
    type,
    user_id,
    name,
    content,
    detail: JSON.parse(detail) as object,
  }));
}

const by = { type: logType.management, user_id: id, name: 'ada' };

test('logs a change with the admin, the key, the old and the new value', async () => {
  const values = { admin: 'ada', key: 'SystemName', before: 'Headgate', after: 'Sluice' };
  expect(await logsOf(() => put('SystemName', ' Sluice '))).toEqual([
    {
      ...by,
      content: 'ada changed SystemName from Headgate to Sluice',
      detail: { event: 'option.updated', values, from: '127.0.0.1' },
    },
  ]);
});

test.each([
  ['Sluice notice', 'ada set Notice to Sluice notice'],
  ['', 'ada cleared Notice (was Sluice notice)'],
])('logs a change from or to an empty text: %j', async (value, content) => {
  expect(await logsOf(() => put('Notice', value))).toMatchObject([{ content }]);
});

test('truncates a long text in the log', async () => {
  const [log] = await logsOf(() => put('About', '长'.repeat(5000)));
  expect(log?.detail).toMatchObject({ values: { before: '', after: `${'长'.repeat(199)}…` } });
  // A surrogate pair is not split.
  const [other] = await logsOf(() => put('About', `${'x'.repeat(198)}${'😀'.repeat(10)}`));
  expect(other?.detail).toMatchObject({ values: { after: `${'x'.repeat(198)}…` } });
});

test('does not log secret values', async () => {
  for (const value of ['first', 'second', '']) {
    expect(await logsOf(() => put('SMTPToken', value))).toEqual([
      {
        ...by,
        content: 'ada changed SMTPToken',
        detail: { event: 'option.secret', values: { admin: 'ada', key: 'SMTPToken' }, from: '127.0.0.1' },
      },
    ]);
  }
});

test.each<[OptionKey, string]>([
  ['SystemName', 'Sluice'],
  ['Theme', 'default'],
  ['SMTPToken', ''],
  ['Theme', 'pink'],
  ['GitHubOAuthEnabled', 'true'],
])('setting %s to %j changes nothing and is not logged', async (key, value) => {
  expect(await logsOf(() => put(key, value))).toEqual([]);
});
