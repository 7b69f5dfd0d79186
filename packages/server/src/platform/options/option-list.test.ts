import { optionApi, optionKeys, optionRow } from '@headgate/contract';
import { expect, test } from 'vitest';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ isUntouched: true });

const defaults = optionKeys.map((key) => {
  const { control, format, initial } = optionRow(key);
  return control === 'secret' ? { key, value: '', stored: false } : { key, value: format(initial) };
});

test.each(['admin', 'root'] as const)(
  '[S7.33 S3.44] returns every option as text, in order, to an %s',
  async (access) => {
    const client = await app.as(access);
    const { status, body } = await client.send(optionApi.list, { query: { ratios: 'saved' } });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: '', data: defaults });
  },
);

test('the path works with and without the trailing slash', async () => {
  const client = await app.as('admin');
  for (const path of ['/api/option', '/api/option/']) {
    const { status, body } = await client.request('GET', path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, data: { length: optionKeys.length } });
  }
});

test.each([
  ['visitor', 401],
  ['user', 403],
] as const)('rejects reading and setting options for a %s', async (access, status) => {
  const client = await app.as(access);
  expect((await client.send(optionApi.list, { query: { ratios: 'saved' } })).status).toBe(status);
  const body = { key: 'SystemName', value: 'taken over' };
  expect((await client.send(optionApi.update, { body })).status).toBe(status);
  expect(await app.database.selectFrom('options').selectAll().execute()).toEqual([]);
});

test('a stored key that is no longer an option is hidden but not deleted', async () => {
  await using other = await startTestApp({
    isUntouched: true,
    extend: (_, database) => void database.insertInto('options').values({ key: 'Gone', value: 'x' }).execute(),
  });
  const client = await other.as('admin');
  expect(await client.call(optionApi.list, { query: { ratios: 'saved' } })).toEqual(defaults);
  await client.call(optionApi.update, { body: { key: 'SystemName', value: 'x' } });
  const rows = await other.database.selectFrom('options').selectAll().orderBy('key').execute();
  expect(rows.map(({ key }) => key)).toEqual(['Gone', 'SystemName']);
});
