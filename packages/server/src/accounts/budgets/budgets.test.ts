import { type Budget, budgetApi, ledgerApi, logApi, ownBudgetApi } from '@headgate/contract';
import { completion, done, plainPrice, roleChunk, stop, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, budget_drift: 0 };

/** Quota reserved by a request with max_tokens 10: (10 prompt tokens + 10 × 4) × 2.5. */
const reserved = 125;

const terms = { amount: reserved * 4, period: 'month', time_zone: 'Asia/Shanghai' } as const;

describe('[A39.1] budget', () => {
  test.each([
    ['token', (scene: Scene) => ({ kind: 'token', owner_id: scene.token.id }) as const],
    ['user', (scene: Scene) => ({ kind: 'user', owner_id: scene.user.id }) as const],
    ['group', (scene: Scene) => ({ kind: 'group', group: scene.group }) as const],
  ])('a %s budget rejects requests it cannot cover, gives the reason and logs it', async (kind, ownerOf) => {
    await using app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [completion()] });
    expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
    const made = await scene.admin.call(budgetApi.create, { body: { ...ownerOf(scene), ...terms } });
    expect(made).toMatchObject({ kind, ...terms, used: 0, enabled: true });
    const statuses: number[] = [];
    let response = await scene.chat({ max_tokens: 10 });
    for (; response.status === 200; response = await scene.chat({ max_tokens: 10 })) statuses.push(response.status);
    expect(response.status).toBe(429);
    const { error } = (await response.json()) as { error: { message: string; code: string } };
    expect(error.code).toBe('budget_exhausted');
    expect(error.message).toMatch(
      /^The monthly budget of .* is used up or too small .*; it resets on 1 .* \(Asia\/Shanghai\)/,
    );
    const used = statuses.length * plainPrice;
    // The rest does not cover another request.
    expect(used).toBeGreaterThan(terms.amount - reserved);
    expect(used).toBeLessThanOrEqual(terms.amount);
    const [shown] = await scene.admin.call(budgetApi.list, { query: {} });
    expect(shown).toMatchObject({ id: made.id, used });
    const rows = await scene.admin.call(logApi.list, { query: { username: scene.user.username, type: '5' } });
    expect(rows[0]).toMatchObject({ status: 429, reason: 'no_quota' });
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    expect((await scene.books()).user.budgeted_quota).toBe(used);
    await scene.close();
  });

  test('a change, reset, disable or deletion of a budget applies to the next request', async () => {
    await using app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const send = async () => (await scene.chat({ max_tokens: 10 })).status;
    const { id } = await scene.client.call(ownBudgetApi.create, {
      body: { owner_id: scene.token.id, ...terms, amount: reserved },
    });
    const own = async () => (await scene.client.call(ownBudgetApi.list))[0] as Budget;
    expect([await send(), await send()]).toEqual([200, 429]);
    await scene.client.call(ownBudgetApi.update, { body: { id, amount: reserved + plainPrice } });
    expect([await send(), await send()]).toEqual([200, 429]);
    expect(await own()).toMatchObject({ used: 2 * plainPrice, amount: reserved + plainPrice });
    await scene.client.call(ownBudgetApi.reset, { params: { id } });
    expect(await own()).toMatchObject({ used: 0 });
    expect([await send(), await send(), await send()]).toEqual([200, 200, 429]);
    await scene.client.call(ownBudgetApi.update, { body: { id, enabled: false } });
    expect([await send(), (await own()).used]).toEqual([200, 2 * plainPrice]);
    await scene.client.call(ownBudgetApi.update, { body: { id, enabled: true } });
    expect(await send()).toBe(429);
    await scene.client.call(ownBudgetApi.update, { body: { id, period: 'day' } });
    expect([(await own()).used, await send()]).toEqual([0, 200]);
    await scene.client.call(ownBudgetApi.remove, { params: { id } });
    expect([await send(), await own()]).toEqual([200, undefined]);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  });

  test('a budget exhausted during a stream ends the stream and is named in the error', async () => {
    const isReceived = Promise.withResolvers<void>();
    const inTwoParts: UpstreamHandler = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(roleChunk + textChunk('Hello'));
      await isReceived.promise;
      response.end(textChunk('some more words ').repeat(800) + stop + done);
    };
    await using app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [inTwoParts], quota: 100_000_000 });
    const amount = 8000;
    await scene.admin.call(budgetApi.create, {
      body: { kind: 'user', owner_id: scene.user.id, ...terms, amount },
    });
    const response = await scene.chat({ stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream());
    let text = '';
    for await (const part of reader ?? []) {
      text += part;
      isReceived.resolve();
    }
    expect(text).toContain('budget_exhausted');
    expect(text).not.toContain('insufficient');
    await expect.poll(async () => (await scene.books()).logs.length).toBe(1);
    const [row] = await scene.admin.call(logApi.list, { query: { username: scene.user.username } });
    expect(row).toMatchObject({ type: 2, ended_by: 'budget' });
    expect(row?.quota).toBeLessThanOrEqual(amount);
    await scene.close();
  });
});

type Scene = Awaited<ReturnType<typeof relayFixture>>;
