import { budgetApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { plainPrices, startTestApp, type TestApp } from '../../testing/test-app.ts';

const notifiedIn = async ({ database }: TestApp) => {
  const rows = await database.selectFrom('logs').select('content').where('type', '=', 4).orderBy('id').execute();
  return rows.flatMap(({ content }) => /^(\d+)% of the budget of (\w+ \w+)/.exec(content)?.slice(1).join(' ') ?? []);
};

test('[A47.5] sends notifications missed by a crashed process at the next start, but none for past periods', async () => {
  await using stored = await createTestDatabase();
  const before = await startTestApp({ on: stored, options: plainPrices });
  const scene = await relayFixture(before, { upstreams: [completion()] });
  const amount = plainPrice * 10;
  const body = { amount, period: 'all', time_zone: 'UTC' } as const;
  const ofToken = await scene.admin.call(budgetApi.create, {
    body: { kind: 'token', owner_id: scene.token.id, ...body },
  });
  const ofUser = await scene.admin.call(budgetApi.create, { body: { kind: 'user', owner_id: scene.user.id, ...body } });
  for (let count = 0; count < 6; count += 1) expect((await scene.chat({ max_tokens: 5 })).status).toBe(200);
  await waitUntilTotalsApplied(before);
  await expect.poll(async () => (await notifiedIn(before)).length).toBe(2);
  // Starts a new period for the user with an amount below the old usage.
  await scene.admin.call(budgetApi.reset, { params: { id: ofUser.id } });
  await scene.admin.call(budgetApi.update, { body: { id: ofUser.id, amount: plainPrice * 5 } });
  await before.close();
  const between = await startTestApp({ on: stored });
  await between.database
    .updateTable('budget_periods')
    .set({ noticed: 0 })
    .where('budget_id', '=', ofToken.id)
    .execute();
  await between.close();
  await using after = await startTestApp({ on: stored });
  await expect.poll(async () => (await notifiedIn(after)).slice(2)).toEqual(['50 token relay']);
  await scene.close();
});
