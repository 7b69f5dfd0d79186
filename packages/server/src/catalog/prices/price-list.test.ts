import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultOptions, logType, optionApi, priceApi } from '@headgate/contract';
import { afterAll, expect, test } from 'vitest';
import { localChangeFeed } from '../../platform/db/change-feed.ts';
import { createTransactions } from '../../platform/db/transaction.ts';
import { createLogger } from '../../platform/logging/log-lines.ts';
import { noManagedGuard } from '../../platform/managed/managed-guard.ts';
import { OptionRepository } from '../../platform/options/option-repository.ts';
import { LogRepository } from '../../records/logs/log-repository.ts';
import { LogService } from '../../records/logs/log-service.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { PriceCache } from './price-cache.ts';
import { PriceChangeService } from './price-change-service.ts';
import { PriceListService } from './price-list-service.ts';
import { PriceRepository } from './price-repository.ts';
import { PriceService } from './price-service.ts';

const app = await useTestApp({ isUntouched: true });
const admin = await app.as('admin');

/** Serves a price list; strings are sent unchanged. */
let served: unknown = {};
const server = createServer((_, response) => {
  if (served === 503) response.writeHead(503);
  response.end(typeof served === 'string' ? served : JSON.stringify(served));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`;

const listOf = (models: Readonly<Record<string, object>>) => ({
  openai: { id: 'openai', models: Object.fromEntries(Object.entries(models).map(([name, cost]) => [name, { cost }])) },
});

const compare = () => admin.call(priceApi.compare, { body: { url } });

test('compares prices with a list, and saves the selected ones with the list as their source', async () => {
  served = listOf({ 'gpt-5': { input: 1.5, output: 12, cache_read: 0.15 }, 'gpt-5-mini': { input: 0.25, output: 2 } });
  const { format, prices, proposals } = await compare();
  expect([format, prices]).toEqual(['models_dev', 2]);
  expect(proposals).toMatchObject([{ model: 'gpt-5', kind: 'rise', percent: 20, before: { input: 1.25 } }]);
  const changes = proposals.flatMap(({ model, after }) => (after ? [{ model, price: after }] : []));
  expect(await admin.call(priceApi.save, { body: { changes, list: format } })).toBe(1);
  expect(await admin.call(priceApi.changes, { query: { model: 'gpt-5' } })).toMatchObject([{ source: 'models_dev' }]);
  expect((await compare()).proposals).toEqual([]);
});

test('[A72.3] reports the errors in a list', async () => {
  served = { hello: 'world' };
  await expect(compare()).rejects.toThrow('not a known price list');
  served = '<html>';
  await expect(compare()).rejects.toThrow('did not respond with JSON');
  served = `{"a":{"models":[${'{},'.repeat(100_001)}{}]}}`;
  await expect(compare()).rejects.toThrow('did not respond with JSON');
  served = 503;
  await expect(compare()).rejects.toThrow('status 503');
  const metadata = admin.call(priceApi.compare, { body: { url: 'http://169.254.169.254/latest' } });
  await expect(metadata).rejects.toThrow('the address is not allowed');
});

/** The service on the database of the app, with its own options. */
async function priceLists(options: Partial<typeof defaultOptions>) {
  const repository = new PriceRepository(app.database);
  const values = { ...defaultOptions, PriceListUrl: url, ...options };
  const book = new PriceCache(repository, { values });
  await book.load();
  const prices = new PriceService({ book, prices: repository, availableModels: async () => [] });
  const results: object[] = [];
  const lists = new PriceListService({
    ...{ options: { values }, book, repository, managed: noManagedGuard },
    changes: new PriceChangeService({
      prices: repository,
      options: new OptionRepository(app.database),
      logs: new LogService(new LogRepository(app.database), { values }),
      managed: noManagedGuard,
      inTransaction: createTransactions(app.database, localChangeFeed(createLogger('silent'))),
      source: 'prices',
    }),
    prices: () => prices.all(),
    onFailure: () => undefined,
    onUpdated: (result) => results.push(result),
  });
  return { lists, results };
}

test('applies small changes when they are due, except to prices that an admin has set', async () => {
  await admin.call(priceApi.save, { body: { changes: [{ model: 'o3', price: { input: 2.1, output: 8 } }] } });
  served = listOf({
    'gpt-4.1': { input: 2.1, output: 8, cache_read: 0.5 },
    'gpt-4.1-mini': { input: 0.8, output: 1.6 },
    'gpt-4.1-nano': { input: 0, output: 0 },
    o3: { input: 2.2, output: 8, cache_read: 0.5 },
  });
  const day = 86_400;
  const now = 1_000 * day;
  const off = await priceLists({ PriceListDays: 0 });
  await off.lists.update(now);
  const { lists, results } = await priceLists({ PriceListDays: 1, PriceListMaxPercent: 10 });
  await lists.update(now);
  await lists.update(now + day - 1);
  expect([...off.results, ...results]).toEqual([{ applied: 1, waiting: 3 }]);
  const saved = await admin.call(priceApi.changes, { query: { model: 'gpt-4.1' } });
  expect(saved[0]).toMatchObject({ amount: '2.1', source: 'models_dev', changed_by: '@price-list' });
  const event = app.database.selectFrom('logs').select('type').where('username', '=', '@price-list');
  expect((await event.executeTakeFirst())?.type).toBe(logType.management);
  await lists.update(now + day);
  expect(results).toHaveLength(2);
});

test('uses the list in the options when no URL is given', async () => {
  await admin.call(optionApi.update, { body: { key: 'PriceListUrl', value: url } });
  served = listOf({});
  await expect(admin.call(priceApi.compare, { body: {} })).resolves.toMatchObject({ url });
});
