import { channelApi, optionApi, type PriceChange, priceApi, userApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const statements: string[] = [];
const app = await useTestApp({
  options: { ModelsWithoutPrice: 'refuse' },
  onStatement: ({ query }) => void statements.push(query.sql),
});
const admin = await app.as('admin');

async function priceOf(model: string) {
  return (await admin.call(priceApi.list)).find((row) => row.model === model);
}

async function savedRatios(key: string) {
  const row = (await admin.call(optionApi.list, { query: { ratios: 'saved' } })).find((option) => option.key === key);
  return JSON.parse(row?.value ?? '{}') as Record<string, number>;
}

const save = (...changes: PriceChange[]) => admin.call(priceApi.save, { body: { changes } });

test('built-in prices are shown in dollars per unit', async () => {
  expect(await priceOf('gpt-5')).toMatchObject({
    source: 'built_in',
    unit: 'tokens',
    price: { input: 1.25, output: 10, cached: 0.125 },
    model_ratio: 0.625,
    completion_ratio: 8,
  });
  expect(await priceOf('claude-sonnet-4-5')).toMatchObject({ price: { cache_write: 3.75, cache_long_write: 6 } });
  expect(await priceOf('dall-e-3')).toMatchObject({ unit: 'picture', price: { input: 0.04 } });
  expect(await priceOf('tts-1')).toMatchObject({ unit: 'characters', price: { input: 15 } });
  expect(await priceOf('whisper-1')).toMatchObject({ unit: 'second', price: { input: 0.0001 } });
});

test('stores a dollar price next to saved ratios, and shows it as a ratio in the options', async () => {
  await admin.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"by-hand": 3}' } });
  expect(await save({ model: 'mine', price: { input: 4, output: 12, cached: 1 } })).toBe(1);
  expect(await savedRatios('ModelRatio')).toEqual({ 'by-hand': 3, mine: 2 });
  expect(await savedRatios('CompletionRatio')).toEqual({ mine: 3 });
  expect(await savedRatios('CacheReadRatio')).toEqual({ mine: 0.25 });
  expect(await priceOf('mine')).toMatchObject({ source: 'yours', price: { input: 4, output: 12, cached: 1 } });
  expect(await priceOf('by-hand')).toMatchObject({ source: 'yours', price: { input: 6 } });
  expect(await save({ model: 'mine', price: null })).toBe(1);
  expect(await savedRatios('ModelRatio')).toEqual({ 'by-hand': 3 });
  expect(await savedRatios('CompletionRatio')).toEqual({});
});

test('does not store amounts equal to the built-in price, and uses the built-in price for missing parts', async () => {
  await save({ model: 'gpt-5', price: { input: 2.5 } });
  expect(await priceOf('gpt-5')).toMatchObject({ source: 'yours', price: { input: 2.5, output: 20, cached: 0.25 } });
  await save({ model: 'gpt-5', price: { input: 1.25, output: 10, cached: 0.125 } });
  expect(await priceOf('gpt-5')).toMatchObject({ source: 'built_in' });
});

test('shows an amount as entered, its last author and its history', async () => {
  const price = { input: 0.1234567890123, output: 0.7 };
  await save({ model: 'exact', price });
  const { username } = await admin.call(userApi.self);
  const changed = { time: expect.any(Number), by: username };
  expect(await priceOf('exact')).toMatchObject({ price, changed });
  expect(await priceOf('claude-sonnet-4-5')).toMatchObject({ changed: null });
  await save({ model: 'exact', price: null });
  const record = { unit: 'tokens', source: 'prices', changed_by: username };
  expect(await admin.call(priceApi.changes, { query: { model: 'exact' } })).toMatchObject([
    { ...record, part: 'input', old_amount: null, amount: '0.1234567890123', currency: 'USD' },
    { ...record, part: 'output', old_amount: null, amount: '0.7' },
    { ...record, part: 'input', old_amount: '0.1234567890123', old_currency: 'USD', amount: null },
    { ...record, part: 'output', old_amount: '0.7', amount: null },
  ]);
});

test('keeps ratios and charges when QuotaPerUnit changes', async () => {
  const root = await app.as('root');
  await save({ model: 'rated', price: { input: 4, output: 10 } });
  await root.call(optionApi.update, { body: { key: 'QuotaPerUnit', value: '250000' } });
  expect(await savedRatios('ModelRatio')).toMatchObject({ rated: 2 });
  expect(await savedRatios('CompletionRatio')).toMatchObject({ rated: 2.5 });
  expect(await priceOf('rated')).toMatchObject({ model_ratio: 2, price: { input: 8, output: 20 } });
  await root.call(optionApi.update, { body: { key: 'QuotaPerUnit', value: '500000' } });
  expect(await priceOf('rated')).toMatchObject({ model_ratio: 2, price: { input: 4, output: 10 } });
  await save({ model: 'rated', price: null });
});

test('reloads prices but not options when a price changes', async () => {
  statements.length = 0;
  await save({ model: 'alone', price: { input: 1 } });
  await admin.call(optionApi.update, { body: { key: 'ModelRatio', value: '{}' } });
  expect(statements.filter((text) => /left join prices/.test(text)).length).toBeGreaterThanOrEqual(4);
  expect(statements.filter((text) => /select \* from "options"/.test(text))).toEqual([]);
  await admin.call(optionApi.update, { body: { key: 'Footer', value: 'x' } });
  expect(statements.filter((text) => /select \* from "options"/.test(text))).not.toEqual([]);
});

test.each([
  ['a negative price', { model: 'x', price: { input: -1 } }],
  ['a price above the maximum', { model: 'x', price: { input: 1e9 } }],
  ['a thousand times the built-in price', { model: 'gpt-5', price: { input: 1250 } }],
  ['a thousandth of the built-in price', { model: 'gpt-5', price: { input: 1.25, output: 0.01 } }],
  ['[A57.2] the model name __proto__', { model: '__proto__', price: { input: 1 } }],
])('rejects %s and saves nothing', async (_, change) => {
  await expect(save({ model: 'beside', price: { input: 1 } }, change)).rejects.toThrow();
  expect(await priceOf('beside')).toBeUndefined();
});

test('rejects an output that is too large a multiple of the input, and keeps the old prices', async () => {
  await save({ model: 'kept', price: { input: 2, output: 6 } });
  await expect(save({ model: 'odd', price: { input: 1e-9, output: 1000 } })).rejects.toThrow('Completion ratio');
  expect(await priceOf('kept')).toMatchObject({ source: 'yours', price: { input: 2, output: 6 } });
});

test('rejects a price table that is too long, and keeps the old prices', async () => {
  const saveLong = (from: number) => {
    const names = Array.from({ length: 2000 }, (_, index) => `${from + index}-${'m'.repeat(190)}`);
    return save(...names.map((model) => ({ model, price: { input: 3 } })));
  };
  await admin.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"by-hand": 3}' } });
  expect([await saveLong(0), await saveLong(2000)]).toEqual([2000, 2000]);
  await expect(saveLong(4000)).rejects.toThrow('Model ratio may have at most');
  expect(await priceOf('by-hand')).toMatchObject({ source: 'yours', price: { input: 6 } });
  await admin.call(optionApi.update, { body: { key: 'ModelRatio', value: '{}' } });
});

test.each([
  ['an output price without an input price', { input: 0, output: 10 }, 'output'],
  ['a cached input price without an input price', { input: 0, cached: 1 }, 'cached input'],
  ['a reasoning price without an output price', { input: 1, output: 0, reasoning: 5 }, 'reasoning'],
])('rejects %s and names it, because it would be free', async (_, price, part) => {
  await expect(save({ model: 'half-free', price })).rejects.toThrow(`half-free: ${part}`);
  expect(await priceOf('half-free')).toBeUndefined();
  await save({ model: 'all-free', price: { input: 0, output: 0 } });
  expect(await priceOf('all-free')).toMatchObject({ source: 'yours', price: { input: 0, output: 0 } });
});

test('rejects a model that appears twice in one change', async () => {
  const twice = { model: 'x', price: { input: 1 } };
  await expect(save(twice, twice)).rejects.toThrow('x is in the list twice');
});

test('lists and rejects a model without a price, and serves it once a price is set', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()], channel: { models: 'brand-new,gpt-5' } });
  const rejected = await scene.chat({ model: 'brand-new' });
  expect([rejected.status, await rejected.json()]).toMatchObject([400, { error: { code: 'model_without_price' } }]);
  expect((await scene.books()).user.used_quota).toBe(0);
  expect(await admin.call(priceApi.unpriced, { query: {} })).toContainEqual({ model: 'brand-new', channels: 1 });
  expect(await admin.call(priceApi.unpriced, { query: { models: 'gpt-5,brand-new,typed' } })).toEqual([
    { model: 'brand-new', channels: 1 },
    { model: 'typed', channels: 0 },
  ]);
  expect(await priceOf('brand-new')).toMatchObject({ source: 'none', channels: 1 });
  await save({ model: 'brand-new', price: { input: 2, output: 2 } });
  expect((await scene.chat({ model: 'brand-new' })).status).toBe(200);
  expect((await scene.books()).user.used_quota).toBe(15);
  await scene.close();
});

test('serves a model with a price for only one channel type only on channels of that type', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()], channel: { models: 'only-here' } });
  expect((await scene.chat({ model: 'only-here' })).status).toBe(400);
  await admin.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"only-here(8)": 1}' } });
  expect((await scene.chat({ model: 'only-here' })).status).toBe(200);
  await scene.close();
});

test('charges the specified ratio of 30 for a model without a price if allowed, and marks the log entry', async () => {
  await admin.call(optionApi.update, { body: { key: 'ModelsWithoutPrice', value: 'charge' } });
  const scene = await relayFixture(app, { upstreams: [completion()], channel: { models: 'dear' } });
  expect((await scene.chat({ model: 'dear' })).status).toBe(200);
  const { user, logs } = await scene.books();
  expect(user.used_quota).toBe(15 * 30);
  expect(JSON.parse(logs[0]?.detail ?? '{}')).toMatchObject({ unpriced: true });
  await admin.call(optionApi.update, { body: { key: 'ModelsWithoutPrice', value: 'refuse' } });
  await scene.close();
});

test('shows users the prices of their models with their group ratio', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()], channel: { models: 'gpt-5,unheard-of' } });
  const ratios = JSON.stringify({ default: 1, [scene.group]: 0.5 });
  await admin.call(optionApi.update, { body: { key: 'GroupRatio', value: ratios } });
  expect(await scene.client.call(priceApi.listOwn)).toEqual([
    expect.objectContaining({ model: 'gpt-5', has_price: true, price: expect.objectContaining({ input: 0.625 }) }),
    expect.objectContaining({ model: 'unheard-of', has_price: false }),
  ]);
  await scene.close();
});

const purchase = JSON.stringify({ multiplier: 0.8, models: { 'own-deal': { input: 1, output: 2 } } });
test.each([
  ['a multiple of the list price', 'gpt-5', purchase, 10 * 0.625 * 0.8 + 5 * 0.625 * 8 * 0.8],
  ["the channel's own dollar price", 'own-deal', purchase, 10 * 0.5 + 5 * 1],
  ['the list price when no purchase price is set', 'gpt-5', '', 10 * 0.625 + 5 * 5],
  ['0 when no price is known', 'own-deal', '', 0],
])("logs the gateway's cost as %s", async (_, model, paid, points) => {
  await admin.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"own-deal": 1}' } });
  const scene = await relayFixture(app, {
    upstreams: [completion()],
    channel: { models: 'gpt-5,own-deal', purchase: paid },
  });
  expect((await scene.chat({ model })).status).toBe(200);
  expect((await scene.books()).logs).toMatchObject([{ cost: Math.ceil(points) }]);
  await scene.close();
});

test('rejects an invalid purchase price', async () => {
  const body = { name: 'c', type: 1, key: 'k', models: 'gpt-5', group: 'default' };
  const oddModels = [
    { input: -1, output: 1 },
    { input: 1e-305, output: 100_000 },
    { input: 0, output: 10 },
    { input: 0, output: 0, cached: 1 },
  ].map((x) => JSON.stringify({ models: { x } }));
  for (const odd of ['{', '{"multiplier":-1}', '[]', ...oddModels]) {
    await expect(admin.call(channelApi.create, { body: { ...body, purchase: odd } })).rejects.toThrow(/purchase price/);
  }
});
