import type { Platform } from '../platform/create-platform.ts';
import type { Records } from '../records/create-records.ts';
import { ChannelOverviewRepository } from './channel-overview/channel-overview-repository.ts';
import { ChannelOverviewService } from './channel-overview/channel-overview-service.ts';
import { AbilityRepository } from './channels/ability-repository.ts';
import { ChannelBulkRepository } from './channels/channel-bulk-repository.ts';
import { ChannelBulkService } from './channels/channel-bulk-service.ts';
import { ChannelHealthRepository } from './channels/channel-health-repository.ts';
import { ChannelHealthService } from './channels/channel-health-service.ts';
import { ChannelKeyRepository } from './channels/channel-key-repository.ts';
import { ChannelKeyService } from './channels/channel-key-service.ts';
import { ChannelPreviewService } from './channels/channel-preview-service.ts';
import { ChannelRepository } from './channels/channel-repository.ts';
import { ChannelService } from './channels/channel-service.ts';
import { type ChannelUpstream, ChannelUpstreamService } from './channels/channel-upstream-service.ts';
import { KeyUsageService } from './channels/key-usage-service.ts';
import { RelayChannelReader } from './channels/relay-channel-reader.ts';
import { BreakerRepository } from './circuit-breaker/breaker-repository.ts';
import type { Prices } from './create-prices.ts';
import { LimitRuleRepository } from './limit-rules/limit-rule-repository.ts';
import { LimitRuleService } from './limit-rules/limit-rule-service.ts';
import { ModelCatalogRepository } from './models/model-catalog-repository.ts';
import { ModelCatalogService } from './models/model-catalog-service.ts';
import { PriceListService } from './prices/price-list-service.ts';
import { PriceService } from './prices/price-service.ts';
import { RoutingRepository } from './routing-rules/routing-repository.ts';
import { RoutingService } from './routing-rules/routing-service.ts';

interface CatalogDependencies {
  readonly platform: Platform;
  readonly records: Records;
  readonly prices: Prices;
  /** Requests models and balance from a channel's upstream. */
  readonly upstream: ChannelUpstream;
  /** Remaining cooldown of a channel, in milliseconds. */
  readonly cooldownOf: (channel: number) => number;
  /** Remaining cooldown of a key, in milliseconds. */
  readonly keyCooldownOf: (key: number) => number;
  /** Paused models of a channel; an empty name means all models. */
  readonly pausedOn: (channel: number) => readonly string[];
  /** Current usage of limit rules on this node. */
  readonly usedOf: ConstructorParameters<typeof LimitRuleService>[0]['usedOf'];
}

export type Catalog = Awaited<ReturnType<typeof createCatalog>>;

/** Channels with their keys, prices, routing rules and limit rules. */
export async function createCatalog(dependencies: CatalogDependencies) {
  const { platform, records, cooldownOf, keyCooldownOf, pausedOn } = dependencies;
  const { database, box, inTransaction, managed } = platform;
  const shared = { logs: records.logs, box, inTransaction, managed };
  const keyRows = new ChannelKeyRepository(database);
  const rows = { channels: new ChannelRepository(database), keys: keyRows };
  const abilities = new AbilityRepository(database);
  const channels = new ChannelService({ ...shared, ...rows, abilities, cooldownOf, pausedOn });
  const limitRuleRows = new LimitRuleRepository(database);
  return {
    channels,
    relayChannels: new RelayChannelReader({ ...rows, box, onUnreadable: unreadableLog(platform) }),
    keyRows,
    channelKeys: new ChannelKeyService({ ...shared, ...rows, states: channels, cooldownOf: keyCooldownOf }),
    channelBulk: new ChannelBulkService({
      ...shared,
      runs: records.bulkRuns,
      bulk: new ChannelBulkRepository(database),
      abilities,
      keys: keyRows,
      coolingDown: () => channels.coolingDown(),
    }),
    channelPreviews: new ChannelPreviewService(channels, dependencies.upstream),
    channelUpstreams: new ChannelUpstreamService(channels, dependencies.upstream),
    pauseRows: new BreakerRepository(database),
    channelOverviews: new ChannelOverviewService({
      rows: new ChannelOverviewRepository(database),
      book: dependencies.prices.priceBook,
      pausedOn,
      cacheMs: records.usageCacheMs,
    }),
    modelCatalog: new ModelCatalogService({
      rows: new ModelCatalogRepository(database),
      book: dependencies.prices.priceBook,
      options: platform.options,
      cooldownOf,
      pausedOn,
      cacheMs: records.usageCacheMs,
    }),
    ...createPriceServices(platform, dependencies.prices, channels),
    routing: new RoutingService({ ...shared, routing: new RoutingRepository(database) }),
    limitRuleRows,
    limitRules: new LimitRuleService({ ...shared, rules: limitRuleRows, usedOf: dependencies.usedOf }),
    ...(await createChannelRecorders(platform, keyRows)),
  };
}

/** Results of requests for channels and keys, written in batches. */
async function createChannelRecorders(
  { database, inTransaction, logger, lifecycle }: Platform,
  keys: ChannelKeyRepository,
) {
  const keyUse = new KeyUsageService({
    keys,
    inTransaction,
    onFailure: (error) => logger.error({ err: error }, 'failed to store key usage'),
  });
  const channelHealth = new ChannelHealthService({
    channels: new ChannelHealthRepository(database),
    inTransaction,
    onFailure: (error) => logger.error({ err: error }, 'failed to store channel failures'),
  });
  lifecycle.add({ name: 'key use', stop: () => keyUse.flush() });
  lifecycle.add({ name: 'channel health', stop: () => channelHealth.flush() });
  await channelHealth.load();
  return { keyUse, channelHealth };
}

/** Prices of models, and their updates from a price list. */
function createPriceServices(
  { options, managed, logger, lifecycle }: Platform,
  { priceBook: book, priceRows, priceChanges: changes }: Prices,
  channels: ChannelService,
) {
  const prices = new PriceService({
    ...{ book, prices: priceRows },
    availableModels: (groups) => channels.availableModels(groups),
  });
  const priceLists = new PriceListService({
    ...{ options, managed, book, repository: priceRows, changes },
    prices: () => prices.all(),
    onFailure: (error) => logger.error({ err: error }, 'failed to update prices from the price list'),
    onUpdated: (result) => logger.info(result, 'updated prices from the price list'),
  });
  lifecycle.add({ name: 'price list', start: () => priceLists.start(), drain: () => priceLists.close() });
  return { prices, priceLists };
}

/** Logs a channel that cannot be read, once. */
function unreadableLog({ logger }: Pick<Platform, 'logger'>): (channel: number, error: unknown) => void {
  const known = new Set<number>();
  return (channel, error) => {
    if (!known.has(channel)) logger.error({ err: error, channel }, 'a stored channel cannot be read and is not used');
    known.add(channel);
  };
}
