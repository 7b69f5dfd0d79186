import { budgetApi, ledgerApi, routingApi, tokenApi } from '@headgate/contract';
import { completion, reply, StubUpstream } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { createChannel } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const down = reply({ error: { message: 'down' } }, 500);
const balanced = { drift: 0, log_drift: 0, budget_drift: 0 };

/** A user in two groups: the first group's channel fails, and the second group serves the fallback model. */
async function twoGroups() {
  const stack = new AsyncDisposableStack();
  const app = stack.use(await startTestApp({ options: { RetryTimes: '0' } }));
  const admin = await app.as('admin');
  const failing = await StubUpstream.start(down);
  const serving = await StubUpstream.start(completion());
  stack.defer(() => Promise.all([failing.close(), serving.close()]).then(() => undefined));
  await createChannel(admin, 'cheap', failing.url, { models: 'gpt-4o' });
  await createChannel(admin, 'dear', serving.url, { models: 'chatgpt-4o-latest' });
  await admin.call(routingApi.createRule, { body: { model: 'gpt-4o', fallbacks: 'chatgpt-4o-latest' } });
  const user = await app.createUser({ group: 'cheap,dear', quota: 1_000_000 });
  const client = await app.signedIn(user.username, user.password);
  const { key } = await client.call(tokenApi.create, { body: { name: 'chain', unlimited_quota: true } });
  const ask = async () => {
    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    });
    await response.text();
    return response.status;
  };
  const budget = (group: string, amount: number) =>
    admin.call(budgetApi.create, { body: { kind: 'group', group, amount, period: 'day', time_zone: 'UTC' } });
  const used = async () =>
    Object.fromEntries((await admin.call(budgetApi.list, { query: {} })).map((row) => [row.owner, row.used]));
  return { admin, ask, budget, used, serving, stack };
}

test('[A47.3] a fallback model served by another group is charged to that group’s budget', async () => {
  const { admin, ask, budget, used, stack } = await twoGroups();
  await using _ = stack;
  await budget('cheap', 100_000);
  await budget('dear', 100_000);
  expect([await ask(), await ask()]).toEqual([200, 200]);
  const { cheap, dear } = await used();
  expect([cheap, dear]).toEqual([0, expect.any(Number)]);
  expect(dear).toBeGreaterThan(0);
  expect(await admin.call(ledgerApi.check)).toMatchObject(balanced);
});

test('[A47.3] an exhausted budget cannot be bypassed with a fallback model', async () => {
  const { admin, ask, budget, used, serving, stack } = await twoGroups();
  await using _ = stack;
  await budget('dear', 1);
  expect([await ask(), await ask()]).toEqual([500, 500]);
  expect(serving.received).toEqual([]);
  expect(await used()).toEqual({ dear: 0 });
  expect(await admin.call(ledgerApi.check)).toMatchObject(balanced);
});
