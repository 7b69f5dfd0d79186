import { redemptionApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { emptyInput, endpoints, nameOf } from '../../testing/endpoints.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);

/** Every field that could credit quota, in one body. */
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

test('[A10.1] no endpoint credits quota to its caller', async () => {
  const { user: reader, client: reading } = await signedInUser();
  const before = await sums();
  for (const endpoint of endpoints) {
    const { method, path, changes } = endpoint;
    const isRead = method === 'GET' && !changes;
    // The call may end the session or rename the account.
    const { user, client } = isRead ? { user: reader, client: reading } : await signedInUser();
    const address = path.replace(/:\w+/g, String(user.id));
    const input = method === 'GET' ? { query: emptyInput(endpoint).query ?? {} } : { body: greedy(user.id) };
    await client.request(method, address, input);
    expect(await sums(), nameOf(endpoint)).toBe(before);
  }
});

test.each(['/api/user/pay', '/api/user/epay/notify', '/api/stripe/webhook', '/api/payment/notify', '/api/user/amount'])(
  '[A10.1] there is no payment callback at %s',
  async (path) => {
    const { id } = await app.createUser();
    const { status } = await app.client().request('POST', path, { body: greedy(id) });
    expect(status).toBe(404);
  },
);

test('[A10.1] the totals compared above change when an admin or a redemption code adds quota', async () => {
  const user = await app.createUser();
  const admin = await app.as('admin');
  const before = await sums();
  await admin.call(userApi.topUp, { body: { user_id: user.id, quota: 100 } });
  const [key = ''] = await admin.call(redemptionApi.create, { body: { name: 'gift', count: 1, quota: 10 } });
  await (await app.signedIn(user.username, user.password)).call(userApi.redeem, { body: { key } });
  expect(await sums()).toBe(before + 2 * 110);
});
