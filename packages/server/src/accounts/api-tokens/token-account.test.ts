import { tokenApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser, rowNamed } = accountsOf(app);

const tokensOf = (userId: number) =>
  app.database.selectFrom('tokens').selectAll().where('user_id', '=', userId).execute();

test('a new account starts with an unlimited token whose key the owner can read', async () => {
  const admin = await app.as('admin');
  await admin.call(userApi.create, { body: { username: 'newcomer', password: 'correct horse' } });
  const user = await rowNamed('newcomer');
  const client = await app.signedIn('newcomer', 'correct horse');
  expect(await client.call(tokenApi.list, { query: {} })).toEqual([
    {
      id: expect.any(Number),
      user_id: user?.id,
      key: expect.stringMatching(/^[0-9A-Za-z]{48}$/),
      status: 1,
      name: 'default',
      created_time: expect.any(Number),
      accessed_time: 0,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: true,
      used_quota: 0,
      models: '',
      subnet: '',
      note: '',
      groups: '',
      dialects: '',
      endpoints: '',
      fixed_tags: '',
      is_bound: false,
      old_key_until: 0,
      is_locked: false,
      lock_reason: '',
    },
  ]);
});

test('deleting an account deletes its tokens, including tokens that are being created at the same time', async () => {
  const { user, client } = await signedInUser();
  const other = await signedInUser();
  await other.client.call(tokenApi.create, { body: { name: 'stays' } });
  const create = () => client.send(tokenApi.create, { body: { name: 'goes' } });
  await create();
  const [removal, ...creations] = await Promise.all([
    client.send(userApi.removeSelf),
    ...Array.from({ length: 20 }, create),
  ]);
  expect(removal?.body).toEqual({ success: true, message: '' });
  for (const { status } of creations) expect([200, 401]).toContain(status);
  expect(await tokensOf(user.id)).toEqual([]);
  expect(await tokensOf(other.user.id)).toHaveLength(1);
});
