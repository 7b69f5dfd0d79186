import type { Cooldowns } from '@headgate/relay';
import * as z from 'zod/mini';
import { BatchedBroadcast, countSchema } from '../../platform/broadcasts/batched-broadcast.ts';
import type { Broadcasts } from '../../platform/broadcasts/broadcasts.ts';

/** Update: whether the channel or key has succeeded since, its failures, and the requested cooldown. */
type News = readonly [hasAnswered: 0 | 1, failures: number, waitMs: number];
const newsSchema = z.tuple([z.literal([0, 1]), countSchema, z.number().check(z.nonnegative())]);

/**
 * Shares failures of channels or keys between nodes, so that they cool down after as many failures as with a single
 * process.
 */
export function shareCooldowns(cooldowns: Cooldowns, broadcasts: Broadcasts, topic: 'rests' | 'key-rests'): void {
  const broadcast = new BatchedBroadcast<number, News>(
    broadcasts,
    { topic, value: newsSchema },
    (channel, [hasAnswered, failures, waitMs]) => {
      const now = performance.now();
      cooldowns.hear(channel, { hasAnswered: hasAnswered === 1, failures, waitMs }, now);
    },
  );
  cooldowns.onNews = (channel, waitMs) => {
    const [hasAnswered, failures, longest] = broadcast.get(channel) ?? ([0, 0, 0] as const);
    const news: News = waitMs === undefined ? [1, 0, 0] : [hasAnswered, failures + 1, Math.max(longest, waitMs)];
    broadcast.put(channel, news);
  };
}
