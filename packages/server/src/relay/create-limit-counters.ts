import type { Platform } from '../platform/create-platform.ts';
import type { ChangeFeed } from '../platform/db/change-feed.ts';
import { type LimitBus, limitMessage } from './limit-counters/limit-messages.ts';
import { LimitService } from './limit-counters/limit-service.ts';
import { LimitUsageRepository } from './limit-counters/limit-usage-repository.ts';
import { LimitUsageSaver } from './limit-counters/limit-usage-saver.ts';

const topic = 'limits';

interface LimitCounterDependencies {
  readonly platform: Platform;
  /** Enabled limit rules. */
  readonly readRules: ConstructorParameters<typeof LimitService>[0];
  /** True while there are other live nodes. */
  readonly hasOthers: () => Promise<boolean>;
}

/** Rate limits: rules in memory, counted across all nodes. */
export async function createLimitCounters({
  platform,
  readRules,
  hasOthers,
}: LimitCounterDependencies): Promise<LimitService> {
  const { feed, lifecycle } = platform;
  const limits = new LimitService(readRules, busOf(feed));
  const { exchange } = limits;
  feed.broadcasts.on(
    topic,
    // trusted JSON: sent by another node.
    (text, from) => exchange.receive(limitMessage.parse(JSON.parse(text)), from),
    // trusted JSON: sent by this node.
    (text) => exchange.receiveOwn(limitMessage.parse(JSON.parse(text))),
  );
  feed.listen((change) => (change === 'limits' || change === 'everything' ? limits.load() : undefined));
  feed.listen((change) => (change === 'everything' ? exchange.lost() : undefined));
  await limits.load();
  const limitMemory = memoryOf(platform, limits);
  if (await hasOthers()) exchange.lost();
  else await limitMemory.load();
  lifecycle.add({ name: 'limit counters', start: () => limitMemory.start(), stop: () => limitMemory.close() });
  return limits;
}

const memoryOf = ({ database, logger }: Platform, { counters }: LimitService): LimitUsageSaver =>
  new LimitUsageSaver({
    counters,
    uses: new LimitUsageRepository(database),
    onFailure: (error) => logger.warn({ err: error }, 'the usage of daily limits could not be saved'),
  });

const busOf = ({ id, broadcasts }: ChangeFeed): LimitBus => ({
  id,
  get hasOthers() {
    return broadcasts.hasOthers;
  },
  send: (message) => broadcasts.send(topic, JSON.stringify(message)),
});
