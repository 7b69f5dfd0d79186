import { type OptionKey, referralApi, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import fc from 'fast-check';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';

const scene = await usePayments();
const { app, stripe, buy, sendStripe, setOption, signedInUser, rowOf } = scene;
const day = 86_400;
/** Ten percent of ten dollars. */
const share = 500_000;

const terms: Readonly<Partial<Record<OptionKey, string>>> = {
  ReferralSharePercent: '10',
  ReferralShareFixed: '0',
  ReferralFirstOrderOnlyEnabled: 'false',
  ReferralShareCap: '0',
  ReferralWaitDays: '14',
  ReferralPayoutMinimum: '0',
};

beforeEach(async () => {
  for (const [key, value] of Object.entries(terms)) await setOption(key, value);
});

/** A user, and one who registered with that user's invite code. */
async function invitation() {
  const inviter = await signedInUser();
  const invited = await signedInUser();
  await app.database
    .updateTable('users')
    .set({ inviter_id: inviter.user.id })
    .where('id', '=', invited.user.id)
    .execute();
  return { inviter, invited };
}

async function pay(client: ApiClient): Promise<string> {
  const { number } = await buy(client);
  await sendStripe(stripe.pay(number));
  return number;
}

/** Advances the waiting period by days. Signatures of callbacks expire, so the clock is unchanged. */
const wait = (inviterId: number, days: number) =>
  app.database
    .updateTable('referral_shares')
    .set(({ eb }) => ({ available_time: eb('available_time', '-', days * day) }))
    .where('inviter_id', '=', inviterId)
    .execute();

const summary = (client: ApiClient) => client.call(referralApi.read);

describe('the share of an inviter', () => {
  it('waits, becomes available and is transferred to the balance', async () => {
    const { inviter, invited } = await invitation();
    await pay(invited.client);
    expect(await summary(inviter.client)).toMatchObject({ invited_users: 1, waiting: share, available: 0 });
    const transfer = (quota: number) => inviter.client.send(referralApi.transfer, { body: { quota } });
    const tooMuch = apiFailure('The amount exceeds your available referral shares');
    expect((await transfer(1)).body).toEqual(tooMuch);
    await wait(inviter.user.id, 14);
    expect((await inviter.client.call(referralApi.shares, { query: {} }))[0]).toMatchObject({
      username: invited.user.username,
      quota: share,
      state: 'available',
    });
    const responses = await Promise.all([1, 2, 3, 4].map(() => transfer(200_000)));
    expect(responses.filter(({ body }) => JSON.stringify(body) === JSON.stringify(tooMuch))).toHaveLength(2);
    expect(await summary(inviter.client)).toMatchObject({ waiting: 0, available: 100_000, transferred: 400_000 });
    expect(await rowOf(inviter.user.id)).toMatchObject({ quota: 400_000, credited: 400_000 });
    expect(await summary(invited.client)).toMatchObject({ invited_users: 0, waiting: 0, available: 0 });
    await expectBalancedLedger(app.database);
  });

  it('[A10.7] is not created by a later event of an order that earned none when it was credited', async () => {
    const { inviter, invited } = await invitation();
    await setOption('ReferralSharePercent', '0');
    const number = await pay(invited.client);
    await setOption('ReferralSharePercent', '10');
    await sendStripe(stripe.refund(number, 100));
    expect(await summary(inviter.client)).toMatchObject({ waiting: 0, available: 0 });
  });

  it('is reduced by refunds and disputes only during the waiting period', async () => {
    const { inviter, invited } = await invitation();
    const [first, second, third] = [await pay(invited.client), await pay(invited.client), await pay(invited.client)];
    await sendStripe(stripe.refund(first, 1000));
    await sendStripe(stripe.refund(second, 500));
    await sendStripe(stripe.dispute(third, 'created', 'needs_response'));
    expect(await summary(inviter.client)).toMatchObject({ waiting: share / 2, available: 0 });
    const shares = await inviter.client.call(referralApi.shares, { query: {} });
    expect(shares.map(({ state }) => state)).toEqual(['cancelled', 'waiting', 'cancelled']);
    await wait(inviter.user.id, 14);
    await sendStripe(stripe.refund(second, 1000));
    expect(await summary(inviter.client)).toMatchObject({ waiting: 0, available: share / 2 });
    await sendStripe(stripe.dispute(third, 'closed', 'won'));
    expect(await summary(inviter.client)).toMatchObject({ waiting: 0, available: share / 2 + share });
  });

  it('is limited to the first order and to the maximum per invited user', async () => {
    const { inviter, invited } = await invitation();
    await setOption('ReferralShareCap', '800000');
    await setOption('ReferralWaitDays', '0');
    const numbers = [await pay(invited.client), await pay(invited.client)];
    await pay(invited.client);
    expect(await summary(inviter.client)).toMatchObject({ available: 800_000 });
    for (const number of numbers) await sendStripe(stripe.refund(number, 1000));
    expect(await summary(inviter.client)).toMatchObject({ available: 800_000 });
    await setOption('ReferralShareCap', '0');
    await setOption('ReferralFirstOrderOnlyEnabled', 'true');
    await pay(invited.client);
    expect(await summary(inviter.client)).toMatchObject({ available: 800_000 });
    const other = await invitation();
    await Promise.all([pay(other.invited.client), pay(other.invited.client)]);
    expect(await summary(other.inviter.client)).toMatchObject({ available: share });
  });

  it('is not earned by banned inviters', async () => {
    const { inviter, invited } = await invitation();
    const manage = (action: 'disable' | 'enable') =>
      scene.root.call(userApi.manage, { body: { username: inviter.user.username, action } });
    await manage('disable');
    await pay(invited.client);
    await manage('enable');
    const client = await app.signedIn(inviter.user.username, inviter.user.password);
    expect(await summary(client)).toMatchObject({ waiting: 0, available: 0 });
  });
});

/** PostgreSQL takes a round trip per statement. */
const numRuns = inject('database') === 'sqlite' ? 15 : 4;

const anyStep = fc.record({
  kind: fc.constantFrom('pay', 'pay', 'refund', 'dispute', 'won', 'wait', 'transfer'),
  order: fc.nat(3),
  amount: fc.integer({ min: 1, max: 1000 }),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

async function send(number: string, { kind, amount }: Step): Promise<void> {
  if (kind === 'refund') await sendStripe(stripe.refund(number, amount));
  else if (kind === 'dispute') await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
  else await sendStripe(stripe.dispute(number, 'closed', 'won'));
}

async function play(steps: readonly Step[]): Promise<void> {
  const { inviter, invited } = await invitation();
  await setOption('ReferralWaitDays', '2');
  await setOption('ReferralShareCap', '1200000');
  const numbers: string[] = [];
  for (const step of steps) {
    const number = numbers[step.order % Math.max(1, numbers.length)];
    if (step.kind === 'pay') numbers.push(await pay(invited.client));
    else if (step.kind === 'wait') await wait(inviter.user.id, 1);
    else if (step.kind === 'transfer')
      await inviter.client.send(referralApi.transfer, { body: { quota: step.amount * 1000 } });
    else if (number !== undefined) await send(number, step);
    const { available, waiting, transferred } = await summary(inviter.client);
    expect(available).toBeGreaterThanOrEqual(0);
    expect(available + waiting + transferred).toBeLessThanOrEqual(1_200_000);
    expect(await rowOf(inviter.user.id)).toMatchObject({ quota: transferred, credited: transferred });
  }
}

it('for any sequence of events, the sums are never negative, never above the maximum and always match the balance', async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 14 }), play), { numRuns });
  await expectBalancedLedger(app.database);
});
