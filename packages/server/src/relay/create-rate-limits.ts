import type { Platform } from '../platform/create-platform.ts';
import type { ChangeFeed } from '../platform/db/change-feed.ts';
import { LimitMemory } from './limits/limit-memory.ts';
import { type LimitBus, limitNews } from './limits/limit-news.ts';
import { LimitService } from './limits/limit-service.ts';
import { LimitUseRepository } from './limits/limit-use-repository.ts';

const topic = 'limits';

interface RateLimitDependencies {
  readonly platform: Platform;
  /** The enabled limit rules. */
  readonly readRules: ConstructorParameters<typeof LimitService>[0];
  /** True while other nodes serve too. */
  readonly hasOthers: () => Promise<boolean>;
}

/** Rate limits: the rules in memory, counted over all nodes. */
export async function createRateLimits({
  platform,
  readRules,
  hasOthers,
}: RateLimitDependencies): Promise<LimitService> {
  const { feed, lifecycle } = platform;
  const limits = new LimitService(readRules, busOf(feed));
  const { exchange } = limits;
  feed.broadcasts.on(
    topic,
    // trusted JSON: sent by another node.
    (text, from) => exchange.hear(limitNews.parse(JSON.parse(text)), from),
    // trusted JSON: sent by this node.
    (text) => exchange.hearOwn(limitNews.parse(JSON.parse(text))),
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

const memoryOf = ({ database, logger }: Platform, { counters }: LimitService): LimitMemory =>
  new LimitMemory({
    counters,
    uses: new LimitUseRepository(database),
    onFailure: (error) => logger.warn({ err: error }, 'what counts against limits of days was not saved'),
  });

const busOf = ({ id, broadcasts }: ChangeFeed): LimitBus => ({
  id,
  get isHeard() {
    return broadcasts.isHeard;
  },
  say: (news) => broadcasts.say(topic, JSON.stringify(news)),
});
