import type { ChangeFeed } from '../platform/db/change-feed.ts';
import { CountRepository } from '../platform/rate-limits/count-repository.ts';
import type { CountsFor } from '../platform/rate-limits/counts.ts';
import { MemoryCounts } from '../platform/rate-limits/memory-counts.ts';
import { RateLimiter } from '../platform/rate-limits/rate-limits.ts';
import { ToldCounts } from '../platform/rate-limits/told-counts.ts';
import type { AppContext } from './app-dependencies.ts';

/** Where limits count: over all nodes, where there may be several. */
export function makeLimits({ config, database }: AppContext, { broadcasts }: ChangeFeed) {
  const { api, critical } = config.rateLimits;
  const countsFor: CountsFor = (name, seconds) =>
    config.databaseUrl === undefined ? new MemoryCounts(seconds) : new CountRepository(database, name, seconds);
  return {
    countsFor,
    requestLimiters: {
      api: new RateLimiter(api, 'tooManyRequests', new ToldCounts(broadcasts, 'api-calls', api.seconds)),
      critical: new RateLimiter(critical, 'tooManyRequests', countsFor('critical calls', critical.seconds)),
    },
  };
}
