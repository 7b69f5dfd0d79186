import type { Platform } from '../platform/create-platform.ts';
import type { Records } from '../records/create-records.ts';
import { PriceCache } from './prices/price-cache.ts';
import { PriceChangeService } from './prices/price-change-service.ts';
import { PriceRepository } from './prices/price-repository.ts';

interface PriceDependencies {
  readonly platform: Platform;
  readonly records: Records;
}

export type Prices = Awaited<ReturnType<typeof createPrices>>;

/** Saved prices, reloaded on every node when one changes, and their history. */
export async function createPrices({ platform, records: { logs } }: PriceDependencies) {
  const { database, feed, box, inTransaction, managed, options, optionRepository } = platform;
  const prices = new PriceRepository(database);
  const priceBook = new PriceCache(prices, options);
  feed.listen((change) => (change === 'prices' || change === 'everything' ? priceBook.load() : undefined));
  await priceBook.load();
  const shared = { logs, box, inTransaction, managed };
  const priceChanges = new PriceChangeService({ ...shared, prices, options: optionRepository, source: 'prices' });
  return { priceRows: prices, priceBook, priceChanges };
}
