import { alertApi, statementApi } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import { expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { checkDelays } from './reconciler.ts';

const scene = await usePayments({ alertPace: { pollMs: 50 } });
const { app, stripe, clock, root, buy, order, sendStripe } = scene;

it('payments, refunds and disputes appear as credits in the statement and add up to the balance', async () => {
  const { user, client } = await scene.signedInUser();
  const { number } = await buy(client);
  await sendStripe(stripe.pay(number));
  await sendStripe(stripe.refund(number, 250));
  await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
  await sendStripe(stripe.dispute(number, 'closed', 'won'));
  const now = Math.floor(Date.now() / 1000);
  const query = { start_timestamp: now - 600, end_timestamp: now + 600 };
  const statement = await client.call(statementApi.own, { query });
  expect(statement.credits.map(({ amount }) => amount)).toEqual([5_000_000, -1_250_000, -3_750_000, 3_750_000]);
  expect(statement.credited).toBe((await scene.rowOf(user.id)).quota);
});

it('alerts report uncredited payments, disputes and missed callbacks, and metrics count verdicts', async () => {
  const hook = await StubUpstream.start(reply({}));
  const settings = { address: hook.url, secret: 'a secret of some length' };
  const receiver = await root.call(alertApi.addReceiver, { body: { kind: 'webhook', name: 'On-call', settings } });
  for (const kind of ['payment_failed', 'payment_disputed', 'payment_missed'] as const)
    await root.call(alertApi.addRule, { body: { kind, receivers: [receiver.id] } });
  const reported = (type: string) => hook.received.filter(({ body }) => body['type'] === type);
  const { client } = await scene.signedInUser();

  const { number } = await buy(client);
  stripe.pay(number);
  const short = { ...stripe.sessionObject(stripe.sessionOf(number)), amount_total: 1 };
  await sendStripe(stripe.sign('checkout.session.completed', short));
  await expect.poll(() => reported('payment_failed')).toHaveLength(1);
  expect(reported('payment_failed')[0]?.text).toContain(number);

  clock.seconds += checkDelays[0];
  await expect.poll(async () => (await order(number)).state).toBe('credited');
  await expect.poll(() => reported('payment_missed')).toHaveLength(1);
  for (let time = 0; time < 2; time += 1) await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
  await expect.poll(() => reported('payment_disputed')).toHaveLength(1);
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  expect(metrics).toMatch(/headgate_payment_events_total\{provider="stripe",verdict="wrong_amount"\} 1/);
  expect(metrics).toMatch(/headgate_payment_events_total\{provider="stripe",verdict="unchanged"\} 1/);
  await hook.close();
});
