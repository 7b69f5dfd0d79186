import { optionApi, organizationApi, organizationBudgetApi, organizationTokenApi, userApi } from '@headgate/contract';
import { completion, Mailbox, plainPrice } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const box = await Mailbox.start();
afterAll(() => box.close());
const mailOptions = {
  SMTPServer: '127.0.0.1',
  SMTPPort: String(box.port),
  SMTPFrom: 'gateway@example.com',
  QuotaRemindThreshold: '1000',
  DisplayInCurrencyEnabled: 'false',
};
const app = await useTestApp({ options: { ...mailOptions, ServerAddress: 'https://gateway.example/base/' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;

async function userWith(quota: number, email: string | null, on = app): Promise<Scene> {
  const scene = await relayFixture(on, { upstreams: [completion()], quota });
  await on.database.updateTable('users').set({ email }).where('id', '=', scene.user.id).execute();
  return scene;
}

async function spend(scene: Scene): Promise<void> {
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
}

const mailsTo = (email: string) => box.mails.filter(({ to }) => to.includes(email));

/** Emails are sent in order: once a later one has arrived, all earlier ones have too. */
async function mailsBefore(marker: string, email: string, on = app) {
  await waitUntilTotalsApplied(on);
  const scene = await userWith(1000, marker, on);
  await spend(scene);
  await box.mailTo(marker);
  await scene.close();
  return mailsTo(email);
}

test('sends a reminder once, in both languages and with a top-up link, when the quota falls below the threshold', async () => {
  const scene = await userWith(1000 + plainPrice, 'low@example.com');
  await spend(scene);
  await spend(scene);
  const { subject, text } = await box.mailTo('low@example.com');
  expect(subject).toContain('your quota is running low');
  expect(subject).toContain('额度即将用尽');
  expect(text).toContain(`You have ${1000 - plainPrice} quota left`);
  expect(text).toContain(`剩余额度为 ${1000 - plainPrice}`);
  expect(text).toMatch(/^https:\/\/gateway\.example\/base\/topup$/m);
  await spend(scene);
  expect(await mailsBefore('marker1@example.com', 'low@example.com')).toHaveLength(1);
  await scene.close();
});

test('sends another reminder after a top-up above the threshold', async () => {
  const scene = await userWith(1000, 'again@example.com');
  await spend(scene);
  const topUp = (quota: number) => scene.admin.call(userApi.topUp, { body: { user_id: scene.user.id, quota } });
  await topUp(10);
  await spend(scene);
  expect(await mailsBefore('marker2@example.com', 'again@example.com')).toHaveLength(1);
  await topUp(500);
  for (let count = 0; count < 6; count += 1) await spend(scene);
  expect(await mailsBefore('marker3@example.com', 'again@example.com')).toHaveLength(2);
  await scene.close();
});

test('sends one reminder for concurrent requests', async () => {
  const scene = await userWith(2000, 'many@example.com');
  await Promise.all(Array.from({ length: 14 }, () => spend(scene)));
  expect(await mailsBefore('marker4@example.com', 'many@example.com')).toHaveLength(1);
  await scene.close();
});

test('sends no reminder to other users', async () => {
  const before = box.mails.length;
  const scenes = [
    await userWith(1000, null),
    await userWith(999, 'below@example.com'),
    await userWith(1075, 'at@example.com'),
  ];
  for (const scene of scenes) await spend(scene);
  await mailsBefore('marker5@example.com', '');
  expect(box.mails.slice(before).flatMap(({ to }) => to)).toEqual(['marker5@example.com']);
  await Promise.all(scenes.map((scene) => scene.close()));
});

test('sends no reminder without email settings or with threshold 0, and no link without a server address', async () => {
  await using other = await startTestApp({ options: { QuotaRemindThreshold: '1000' } });
  const root = await other.as('root');
  const silent = await userWith(1000, 'silent@example.com', other);
  await spend(silent);
  await waitUntilTotalsApplied(other);
  const { QuotaRemindThreshold: _, ...smtp } = mailOptions;
  for (const [key, value] of Object.entries({ ...smtp, QuotaRemindThreshold: '0' })) {
    await root.call(optionApi.update, { body: { key, value } });
  }
  const none = await userWith(0, 'none@example.com', other);
  await other.database.updateTable('users').set({ quota: 200, credited: 200 }).where('id', '=', none.user.id).execute();
  await spend(none);
  await waitUntilTotalsApplied(other);
  await root.call(optionApi.update, { body: { key: 'QuotaRemindThreshold', value: '1000' } });
  const [mail] = await mailsBefore('linkless@example.com', 'linkless@example.com', other);
  expect(mail?.text).toContain('quota left');
  expect(mail?.text).not.toContain('http');
  expect([...mailsTo('silent@example.com'), ...mailsTo('none@example.com')]).toEqual([]);
  await silent.close();
  await none.close();
});

test('notifies the owner of a low organization balance and of a reached cap', async () => {
  const scene = await userWith(2000, 'owner@example.com');
  const { id, name } = await scene.client.call(organizationApi.create, { body: { name: 'Reminded' } });
  await scene.client.call(organizationApi.transfer, { params: { id }, body: { quota: 1000 } });
  await scene.client.call(organizationTokenApi.move, { params: { id: scene.token.id }, body: { organization_id: id } });
  const body = { kind: 'member', owner_id: scene.user.id, amount: 2 * plainPrice, period: 'all' } as const;
  await scene.client.call(organizationBudgetApi.create, { params: { id }, body });
  await spend(scene);
  await expect
    .poll(() => mailsTo('owner@example.com').map(({ subject }) => subject))
    .toEqual(
      expect.arrayContaining([
        expect.stringContaining(`the balance of ${name} is running low`),
        expect.stringContaining('50% of a budget is used'),
      ]),
    );
  await scene.close();
});
