import { alertApi, budgetApi, ledgerApi, ownBudgetApi } from '@headgate/contract';
import { completion, Mailbox, plainPrice } from '@headgate/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { nextSendTime } from '../../observability/alerts/quiet-hours.ts';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

afterEach(() => void vi.useRealTimers());

describe('[A53.10] unknown time zone', () => {
  test('a budget in an unknown time zone applies in UTC days and can be read and changed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-10-24T12:00Z') });
    await using box = await Mailbox.start();
    const options = { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gate@example.com' };
    await using app = await startTestApp({ options });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await app.database.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', scene.user.id).execute();
    const body = { owner_id: scene.token.id, amount: 125, period: 'day', time_zone: 'Europe/Berlin' } as const;
    const { id } = await scene.client.call(ownBudgetApi.create, { body });
    await app.database.updateTable('budgets').set({ time_zone: 'Mars/Olympus' }).where('id', '=', id).execute();
    const send = async () => (await scene.chat({ max_tokens: 10 })).status;
    expect([await send(), await send()]).toEqual([200, 429]);
    await waitUntilTotalsApplied(app);
    await expect.poll(() => box.mails.map(({ text }) => text)).toEqual([expect.stringContaining('00:00:00 (UTC)')]);
    const midnight = Date.parse('2026-10-25T00:00Z') / 1000;
    const seen = { id, time_zone: 'Mars/Olympus', used: plainPrice, period_end: midnight };
    expect(await scene.client.call(ownBudgetApi.list)).toMatchObject([seen]);
    expect(await scene.admin.call(budgetApi.list, { query: {} })).toMatchObject([seen]);
    expect(await scene.client.call(ownBudgetApi.update, { body: { id, amount: 500 } })).toMatchObject({ amount: 500 });
    expect(await send()).toBe(200);
    vi.setSystemTime(midnight * 1000);
    await scene.client.call(ownBudgetApi.update, { body: { id, amount: 125 } });
    expect([await send(), await send()]).toEqual([200, 429]);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, budget_drift: 0 });
    await scene.close();
  });

  test('an unknown time zone is rejected on create and update', async () => {
    await using app = await startTestApp();
    const admin = await app.as('admin');
    for (const time_zone of ['Mars/Olympus', '+01:00', 'Europe/Berlin\0', '__proto__', 'x'.repeat(65)]) {
      const body = { kind: 'group', group: 'default', amount: 1, period: 'day', time_zone } as const;
      expect((await admin.send(budgetApi.create, { body })).body).toMatchObject({ success: false });
      const rule = { kind: 'new_admin', receivers: [1], quiet_from: '22:00', quiet_to: '07:00', time_zone } as const;
      expect((await admin.send(alertApi.addRule, { body: rule })).body).toMatchObject({ success: false });
    }
  });

  test('quiet hours in an unknown time zone apply in UTC', () => {
    const quiet = { quiet_from: '22:00', quiet_to: '07:30', time_zone: 'Mars/Olympus' };
    const at = (moment: string) => Date.parse(moment) / 1000;
    expect(nextSendTime(quiet, at('2026-01-05T23:10:20Z'))).toBe(at('2026-01-06T07:30:00Z'));
    expect(nextSendTime(quiet, at('2026-01-05T12:00:00Z'))).toBe(at('2026-01-05T12:00:00Z'));
  });
});
