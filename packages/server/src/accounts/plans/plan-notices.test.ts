import { alertApi, planApi, userPlanApi } from '@headgate/contract';
import { Mailbox, reply, StubUpstream } from '@headgate/testkit';
import { afterAll, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';

const box = await Mailbox.start();
const mailOptions = { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' };
const scene = await usePayments({ alertPace: { pollMs: 50 }, options: mailOptions });
const { app, clock, root } = scene;
afterAll(() => box.close());
const day = 86_400;

it('notifies the user and alert rules once, three days before a plan ends', async () => {
  const hook = await StubUpstream.start(reply({}));
  const settings = { address: hook.url, secret: 'a secret of some length' };
  const receiver = await root.call(alertApi.addReceiver, { body: { kind: 'webhook', name: 'On-call', settings } });
  await root.call(alertApi.addRule, { body: { kind: 'plan_ending', receivers: [receiver.id] } });
  const reported = () => hook.received.filter(({ body }) => body['type'] === 'plan_ending');
  const { user } = await scene.signedInUser({ email: 'buyer@example.com' });
  const assign = async (name: string, days: number) => {
    const windows = [{ period: 'day' as const, amount: 1000 }];
    const { id: plan_id } = await root.call(planApi.create, { body: { name, days, windows } });
    return root.call(userPlanApi.assign, { body: { user_id: user.id, plan_id } });
  };
  const ofUser = () =>
    app.database.selectFrom('user_plans').select(['name', 'ending_notified']).orderBy('id').execute();
  await assign('Ten days', 10);
  await assign('Removed', 10).then(({ id }) => root.call(userPlanApi.remove, { params: { id }, body: {} }));
  clock.seconds += 7 * day - 60;
  await assign('Short', 2);
  await assign('Later', 30);
  clock.seconds += 60;
  await expect.poll(reported).toHaveLength(1);
  expect(reported()[0]?.text).toContain('Ten days');
  const { text } = await box.mailTo('buyer@example.com');
  expect(text).toContain('Your plan Ten days ends on');
  expect(text).toContain('https://gateway.example.com/topup');
  expect((await ofUser()).filter(({ ending_notified }) => ending_notified === 1)).toMatchObject([{ name: 'Ten days' }]);
  await hook.close();
});
