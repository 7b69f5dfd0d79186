import { LimitRuleRepository } from '../catalog/limit-rules/limit-rule-repository.ts';
import { LimitRuleService } from '../catalog/limit-rules/limit-rule-service.ts';
import type { ChangeFeed } from '../platform/db/change-feed.ts';
import { LimitMemory } from '../relay/limits/limit-memory.ts';
import { type LimitBus, limitNews } from '../relay/limits/limit-news.ts';
import { LimitService } from '../relay/limits/limit-service.ts';
import { LimitUseRepository } from '../relay/limits/limit-use-repository.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

const topic = 'limits';

/** Limits of requests: the rules in memory for the relay, counted over all nodes, and the service that changes them. */
export async function makeRequestLimits(app: AppContext, core: CoreServices) {
  const { feed, logs, inTransaction, managed } = core;
  const rules = new LimitRuleRepository(app.database);
  const limits = new LimitService(() => rules.enabled(), busOf(feed));
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
  const others = (await core.nodes.list()).filter(({ is_this, is_silent }) => !is_this && !is_silent);
  const limitMemory = memoryOf(app, limits);
  if (others.length > 0) exchange.lost();
  else await limitMemory.load();
  app.lifecycle.add({ name: 'limit counters', start: () => limitMemory.start(), stop: () => limitMemory.close() });
  const usedOf = (rules: readonly number[]) => limits.usedOf(rules);
  const limitRules = new LimitRuleService({ rules, logs, inTransaction, managed, usedOf });
  return { limits, limitRules };
}

const memoryOf = ({ database, logger }: AppContext, { counters }: LimitService): LimitMemory =>
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
