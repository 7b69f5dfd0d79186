import { maxViewsPerList, userApi, viewApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

async function person() {
  const user = await app.createUser();
  return { user, client: await app.signedIn(user.username, user.password) };
}

test('views are saved by list and name, replaced under the same name, and deleted', async () => {
  const { client } = await person();
  await client.call(viewApi.save, { body: { list: 'token', name: ' Off ', query: 'status=2' } });
  await client.call(viewApi.save, { body: { list: 'token', name: 'A first', query: 'status=1' } });
  await client.call(viewApi.save, { body: { list: 'log', name: 'Off', query: 'type=5' } });
  await client.call(viewApi.save, { body: { list: 'token', name: 'Off', query: 'status=2&order=used_quota' } });
  expect(await client.call(viewApi.list, { query: { list: 'token' } })).toEqual([
    { name: 'A first', query: 'status=1' },
    { name: 'Off', query: 'status=2&order=used_quota' },
  ]);
  await client.call(viewApi.remove, { query: { list: 'token', name: 'Off' } });
  expect(await client.call(viewApi.list, { query: { list: 'token' } })).toHaveLength(1);
  expect(await client.call(viewApi.list, { query: { list: 'log' } })).toHaveLength(1);
});

test('users cannot see, replace or delete the views of others', async () => {
  const [one, other] = [await person(), await person()];
  const body = { list: 'token', name: 'mine', query: 'status=1' } as const;
  await one.client.call(viewApi.save, { body });
  expect(await other.client.call(viewApi.list, { query: { list: 'token' } })).toEqual([]);
  await other.client.call(viewApi.save, { body: { ...body, query: 'status=4' } });
  await other.client.call(viewApi.remove, { query: { list: 'token', name: 'mine' } });
  expect(await one.client.call(viewApi.list, { query: { list: 'token' } })).toEqual([
    { name: 'mine', query: 'status=1' },
  ]);
});

test('the number and size of views are limited', async () => {
  const { client } = await person();
  const save = (name: string, query = '') => client.send(viewApi.save, { body: { list: 'log', name, query } });
  for (let n = 0; n < maxViewsPerList; n += 1) await save(`view ${n}`);
  expect((await save('one more')).body).toMatchObject({ success: false, message: expect.stringContaining('50') });
  expect((await save('view 7', 'type=2')).body).toMatchObject({ success: true });
  expect((await save('view 8', 'x'.repeat(2001))).body).toMatchObject({ success: false });
  expect((await save('n'.repeat(61))).body).toMatchObject({ success: false });
  expect((await client.call(viewApi.list, { query: { list: 'log' } })).length).toBe(maxViewsPerList);
});

test('concurrent saves do not exceed the limit', async () => {
  const { client } = await person();
  await Promise.all(
    Array.from({ length: maxViewsPerList + 10 }, (_, n) =>
      client.send(viewApi.save, { body: { list: 'user', name: `view ${n}`, query: '' } }),
    ),
  );
  expect((await client.call(viewApi.list, { query: { list: 'user' } })).length).toBe(maxViewsPerList);
});

test('closing an account deletes its views', async () => {
  const { user, client } = await person();
  await client.call(viewApi.save, { body: { list: 'log', name: 'private words', query: 'token_name=secret' } });
  const root = await app.as('root');
  await root.call(userApi.manage, { body: { username: user.username, action: 'delete' } });
  expect(await app.database.selectFrom('user_views').selectAll().where('user_id', '=', user.id).execute()).toEqual([]);
});
