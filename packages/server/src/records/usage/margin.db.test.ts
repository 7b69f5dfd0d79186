import { channelApi, logType, type UsageHeading, usageApi } from '@headgate/contract';
import { reply } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const respond = reply({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 1000, completion_tokens: 400, total_tokens: 1400 },
});

/**
 * Points for 1,000 input and 400 output tokens at these prices in dollars per million, with 500,000 points per
 * dollar.
 */
const points = (input: number, output: number) => Math.ceil((1000 * input + 400 * output) / 2);

const deals = {
  /** Purchase price of 60 % of the list price for all models. */
  cheap: { purchase: JSON.stringify({ multiplier: 0.6 }) },
  /** Custom price for one model, list price for the others. */
  own: { purchase: JSON.stringify({ models: { 'gpt-4o': { input: 6, output: 24 } } }) },
  /** Without a purchase price, the list price applies. */
  plain: {},
};

async function send(deal: keyof typeof deals, models: readonly string[]) {
  const scene = await relayFixture(app, {
    upstreams: [respond],
    channel: { name: `margin-${deal}`, models: 'gpt-4o,gpt-4o-mini', ...deals[deal] },
  });
  for (const model of models) expect((await scene.chat({ model })).status).toBe(200);
  await scene.close();
  return scene.user;
}

const cheapUser = await send('cheap', ['gpt-4o', 'gpt-4o', 'gpt-4o-mini']);
const ownUser = await send('own', ['gpt-4o', 'gpt-4o-mini']);
const plainUser = await send('plain', ['gpt-4o']);

const spent = { 'gpt-4o': points(5, 20), 'gpt-4o-mini': points(0.15, 0.6) };

async function sums(rows: 'channel' | 'model' | 'user') {
  const { rows: found, total } = await admin.call(usageApi.read, { query: { rows, columns: '', top: 50 } });
  const of = ({ quota, cost }: UsageHeading['total']) => ({ quota, cost, margin: quota - cost });
  return { byLabel: Object.fromEntries(found.map((row) => [row.label, of(row.total)])), total: of(total) };
}

const figures = (quota: number, cost: number) => ({ quota, cost, margin: quota - cost });

/** Provider costs are based on the built-in list price, whatever users pay. */
const cheapCost = 2 * points(2.5 * 0.6, 10 * 0.6) + points(0.15 * 0.6, 0.6 * 0.6);
const ownCost = points(6, 24) + spent['gpt-4o-mini'];
const plainCost = points(2.5, 10);

test('the margin of each channel is exactly the charged quota minus the purchase cost', async () => {
  const { byLabel, total } = await sums('channel');
  const expected = {
    'margin-cheap': figures(2 * spent['gpt-4o'] + spent['gpt-4o-mini'], cheapCost),
    'margin-own': figures(spent['gpt-4o'] + spent['gpt-4o-mini'], ownCost),
    'margin-plain': figures(spent['gpt-4o'], plainCost),
  };
  expect(byLabel).toMatchObject(expected);
  expect(total).toEqual(figures(4 * spent['gpt-4o'] + 2 * spent['gpt-4o-mini'], cheapCost + ownCost + plainCost));
  // Selling below cost results in a negative margin.
  expect(expected['margin-own'].margin).toBeLessThan(0);
});

test('the margin of each model is the sum over the channels that served it', async () => {
  const { byLabel } = await sums('model');
  expect(byLabel).toMatchObject({
    'gpt-4o': figures(4 * spent['gpt-4o'], 2 * points(1.5, 6) + points(6, 24) + plainCost),
    'gpt-4o-mini': figures(2 * spent['gpt-4o-mini'], points(0.09, 0.36) + spent['gpt-4o-mini']),
  });
});

test('the margin of each user is the sum over the channels that served them', async () => {
  const { byLabel } = await sums('user');
  expect(byLabel).toMatchObject({
    [cheapUser.username]: figures(2 * spent['gpt-4o'] + spent['gpt-4o-mini'], cheapCost),
    [ownUser.username]: figures(spent['gpt-4o'] + spent['gpt-4o-mini'], ownCost),
    [plainUser.username]: figures(spent['gpt-4o'], plainCost),
  });
});

test('keeps earlier margins when a purchase price changes', async () => {
  const before = await sums('channel');
  const [channel] = await admin.call(channelApi.search, { query: { keyword: 'margin-cheap' } });
  await admin.call(channelApi.update, { body: { id: channel?.id ?? 0, purchase: JSON.stringify({ multiplier: 3 }) } });
  expect(await sums('channel')).toEqual(before);
});

test.each(['channel', 'user'] as const)('ranks each %s by margin, those with a loss first on request', async (rows) => {
  const ranked = async (order: 'asc' | 'desc') => {
    const query = { rows, columns: '', measure: 'margin', order, top: 2 } as const;
    return (await admin.call(usageApi.read, { query })).rows;
  };
  const names = {
    channel: { best: 'margin-cheap', worst: 'margin-own' },
    user: { best: cheapUser.username, worst: ownUser.username },
  }[rows];
  expect((await ranked('desc')).map(({ label }) => label)[0]).toBe(names.best);
  const worst = await ranked('asc');
  expect(worst[0]?.label).toBe(names.worst);
  expect(worst.at(-1)?.is_others).toBe(true);
});

test('counts charges with unknown cost separately, and hides them from users', async () => {
  const user = await app.createUser();
  const charge = { type: logType.consumption, user_id: user.id, username: user.username, created_at: 1_600_000_000 };
  await writeLogs(app.database, [
    { ...charge, model_name: 'known', quota: 30, cost: 20 },
    { ...charge, model_name: 'unknown', quota: 12, cost: 0 },
  ]);
  const { total } = await admin.call(usageApi.read, { query: { username: user.username, rows: 'model' } });
  expect(total).toMatchObject({ quota: 42, cost: 20, uncosted_quota: 12 });
  const own = await app.signedIn(user.username, user.password);
  const query = { rows: 'model', columns: '', order: 'asc' } as const;
  const seen = await own.call(usageApi.readOwn, { query: { ...query, measure: 'margin' } });
  expect(seen.total).toMatchObject({ cost: 0, uncosted_quota: 0 });
  // The order of the rows does not reveal margins either.
  const byQuota = await own.call(usageApi.readOwn, { query: { ...query, measure: 'quota' } });
  expect(seen.rows).toEqual(byQuota.rows);
});

test('a charge without a cost is free, not unknown, if the purchase price of its name pattern is 0', async () => {
  const purchase = JSON.stringify({ models: { 'free_*': { multiplier: 0 } } });
  const scene = await relayFixture(app, { upstreams: [respond], channel: { name: 'margin-free', purchase } });
  await scene.close();
  const [found] = await admin.call(channelApi.search, { query: { keyword: 'margin-free' } });
  const { id: user_id, username } = scene.user;
  const charge = { type: logType.consumption, user_id, username, channel: found?.id ?? 0, created_at: 1_600_000_000 };
  await writeLogs(app.database, [
    { ...charge, model_name: 'free_x', quota: 5, cost: 0 },
    { ...charge, model_name: 'freeXx', quota: 7, cost: 0 },
  ]);
  const { total } = await admin.call(usageApi.read, { query: { username, rows: 'model' } });
  expect(total).toMatchObject({ quota: 12, uncosted_quota: 7 });
});
