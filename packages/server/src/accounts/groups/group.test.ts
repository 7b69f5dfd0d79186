import { groupApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';

test('returns the groups that have a ratio, in order', async () => {
  await using app = await startTestApp({ options: { GroupRatio: '{"vip":0.5,"default":1,"Äu":2,"10":1,"9":1}' } });
  const admin = await app.as('admin');
  expect(await admin.call(groupApi.list)).toEqual(['10', '9', 'default', 'vip', 'Äu']);
  const responses = await Promise.all(['/api/group/', '/api/group'].map((path) => admin.request('GET', path)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
});

test('returns three groups by default', async () => {
  await using app = await startTestApp();
  expect(await (await app.as('admin')).call(groupApi.list)).toEqual(['default', 'svip', 'vip']);
});
