import { PriceBook } from '../catalog/prices/price-book.ts';
import { PriceChangeService } from '../catalog/prices/price-change-service.ts';
import { PriceRepository } from '../catalog/prices/price-repository.ts';
import type { ChangeFeed } from '../platform/db/change-feed.ts';
import type { Database } from '../platform/db/database.ts';
import type { InTransaction } from '../platform/db/transaction.ts';
import type { ManagedGuard } from '../platform/managed/managed-guard.ts';
import type { OptionRepository } from '../platform/options/option-repository.ts';
import type { OptionService } from '../platform/options/option-service.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { OptionChangeService } from '../settings/options/option-change-service.ts';

interface PriceNeeds {
  readonly options: OptionService;
  readonly optionRepository: OptionRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  readonly box: SecretBox;
}

/** The saved prices, reloaded on every node when one of them changes, and the changes of prices and options. */
export async function makePrices(database: Database, feed: ChangeFeed, needs: PriceNeeds) {
  const { options, optionRepository, ...shared } = needs;
  const prices = new PriceRepository(database);
  const priceBook = new PriceBook(prices, options);
  feed.listen((change) => (change === 'prices' || change === 'everything' ? priceBook.load() : undefined));
  await priceBook.load();
  const priceChanges = new PriceChangeService({ ...shared, prices, options: optionRepository, source: 'prices' });
  const optionChanges = new OptionChangeService({
    ...{ ...shared, options, repository: optionRepository, prices: priceChanges },
  });
  return { priceBook, priceChanges, optionChanges };
}
