import { apiTables, type Endpoint, redemptionApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

/** Everything a gift could be named by, in one body. */
const greedy = (id: number) => ({
  id,
  user_id: id,
  quota: 5000,
  amount: 5000,
  credited: 5000,
  remain_quota: 5000,
  used_quota: -5000,
  count: 1,
  username: 'greedy',
  password: 'correct horse',
  name: 'greedy',
  key: 'paid',
  status: 1,
  role: 100,
  group: 'default',
  money: 5,
  top_up_code: 'paid',
  payment_method: 'card',
  trade_status: 'TRADE_SUCCESS',
  out_trade_no: '1',
});

const sums = async () => {
  const users = await app.database.selectFrom('users').select(['quota', 'credited']).execute();
  return users.map(({ quota, credited }) => quota + credited).reduce((sum, each) => sum + each, 0);
};

test('[A10.1] no route of the API gives quota to a common user who asks for it', async () => {
  for (const { method, path } of rows) {
    const user = await app.createUser();
    const client = await app.signedIn(user.username, user.password);
    const before = await sums();
    const address = path.replace(/:\w+/g, String(user.id));
    await client.request(method, address, method === 'GET' ? {} : { body: greedy(user.id) });
    expect([method, path, await sums()]).toEqual([method, path, before]);
  }
});

test.each(['/api/user/pay', '/api/user/epay/notify', '/api/stripe/webhook', '/api/payment/notify', '/api/user/amount'])(
  '[A10.1] there is no %s to be told of a payment',
  async (path) => {
    const { id } = await app.createUser();
    const { status } = await app.client().request('POST', path, { body: greedy(id) });
    expect(status).toBe(404);
  },
);

test('[A10.1] what an admin gives and a code is worth arrives, so the walk would have seen it', async () => {
  const user = await app.createUser();
  const admin = await app.as('admin');
  const before = await sums();
  await admin.call(userApi.topUp, { body: { user_id: user.id, quota: 100 } });
  const [key = ''] = await admin.call(redemptionApi.create, { body: { name: 'gift', count: 1, quota: 10 } });
  await (await app.signedIn(user.username, user.password)).call(userApi.redeem, { body: { key } });
  expect(await sums()).toBe(before + 2 * 110);
});
