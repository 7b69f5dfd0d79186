import { referralApi } from '@headgate/contract';
import { expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { startTestApp } from '../../testing/test-app.ts';

const scene = await usePayments({
  options: { ReferralShareFixed: '1000', ReferralWaitDays: '0', ReferralPayoutMinimum: '300' },
});
const { app, stripe, buy, sendStripe, signedInUser, root, rowOf, logsOf, setOption } = scene;
const admin = await app.as('admin');

/** A user with 1000 points of available shares. */
async function inviterWithShares(role?: number) {
  const inviter = await signedInUser(role === undefined ? {} : { role });
  const invited = await signedInUser();
  await app.database
    .updateTable('users')
    .set({ inviter_id: inviter.user.id })
    .where('id', '=', invited.user.id)
    .execute();
  const { number } = await buy(invited.client);
  await sendStripe(stripe.pay(number));
  return inviter;
}

const payoutOf = async (username: string) => {
  const rows = await admin.call(referralApi.payouts, { query: { state: 'requested' } });
  return rows.find((row) => row.username === username)?.id ?? 0;
};

it('a payout is requested, rejected, requested again and marked as paid', async () => {
  const { user, client } = await inviterWithShares();
  const request = (quota: number) =>
    client.send(referralApi.requestPayout, { body: { quota, details: ' PayPal ada@example.com ' } });
  expect((await request(299)).body).toEqual(apiFailure('The minimum payout is $0.000600'));
  expect((await request(1001)).body).toEqual(apiFailure('The amount exceeds your available referral shares'));
  expect((await request(700)).body).toMatchObject({ data: { available: 300, requested: 700 } });
  expect((await request(301)).body).toEqual(apiFailure('The amount exceeds your available referral shares'));
  const close = async (state: 'paid' | 'rejected', note = '') =>
    (
      await admin.send(referralApi.closePayout, {
        params: { id: await payoutOf(user.username) },
        body: { state, note },
      })
    ).body;
  expect(await close('rejected', 'Unknown account')).toMatchObject({
    data: { username: user.username, details: 'PayPal ada@example.com', state: 'rejected', note: 'Unknown account' },
  });
  expect(await client.call(referralApi.read)).toMatchObject({ available: 1000, requested: 0, paid_out: 0 });
  await request(1000);
  const stored = await app.database.selectFrom('referral_withdrawals').select('details').execute();
  expect(JSON.stringify(stored)).not.toContain('PayPal');
  const id = await payoutOf(user.username);
  const decisions = await Promise.all(
    (['paid', 'rejected', 'paid'] as const).map((state) =>
      admin.send(referralApi.closePayout, { params: { id }, body: { state } }),
    ),
  );
  const closed = apiFailure('This payout has already been paid or rejected');
  expect(decisions.filter(({ body }) => JSON.stringify(body) === JSON.stringify(closed))).toHaveLength(2);
  expect(await client.call(referralApi.ownPayouts, { query: {} })).toMatchObject([
    { quota: 1000, state: 'paid' },
    { quota: 700, state: 'rejected' },
  ]);
  expect(await client.call(referralApi.read)).toMatchObject({ available: 0, paid_out: 1000 });
  expect(await rowOf(user.id)).toMatchObject({ quota: 0, credited: 0 });
  expect((await logsOf(user.id)).map(({ type }) => type)).toEqual([4, 3, 4, 3]);
});

it('admins cannot close their own payouts or those of other admins', async () => {
  const inviter = await inviterWithShares(10);
  await inviter.client.call(referralApi.requestPayout, { body: { quota: 1000, details: 'Bank' } });
  const id = await payoutOf(inviter.user.username);
  for (const client of [inviter.client, admin]) {
    const { body } = await client.send(referralApi.closePayout, { params: { id }, body: { state: 'paid' } });
    expect(body).toMatchObject({ success: false });
  }
  expect(await root.call(referralApi.closePayout, { params: { id }, body: { state: 'paid' } })).toMatchObject({
    state: 'paid',
  });
  const { client } = await signedInUser();
  expect((await client.send(referralApi.payouts, { query: {} })).status).toBe(403);
});

it('payouts can be turned off', async () => {
  const { client } = await inviterWithShares();
  await setOption('ReferralPayoutMinimum', '0');
  const { body } = await client.send(referralApi.requestPayout, { body: { quota: 1000, details: 'Bank' } });
  expect(body).toEqual(apiFailure('Payouts are not available'));
  await setOption('ReferralPayoutMinimum', '300');
});

it('encrypts payout details stored as plain text by earlier versions at startup', async () => {
  await using stored = await createMigratedDatabase();
  {
    await using earlier = await startTestApp({ on: stored });
    const { id } = await earlier.createUser();
    const payout = { user_id: id, kind: 'payout' as const, quota: 5, state: 'requested' as const, details: 'IBAN 5' };
    await earlier.database
      .insertInto('referral_withdrawals')
      .values({ ...payout, created_time: 1, closed_time: 0 })
      .execute();
  }
  await using later = await startTestApp({ on: stored });
  const row = await later.database.selectFrom('referral_withdrawals').select('details').executeTakeFirstOrThrow();
  expect(row.details).not.toContain('IBAN');
  const payouts = await (await later.as('admin')).call(referralApi.payouts, { query: {} });
  expect(payouts).toMatchObject([{ details: 'IBAN 5' }]);
});
