import { expect, test } from 'vitest';
import { counterKey, maxCounters } from './limit-counters.ts';
import { LimitService } from './limit-service.ts';
import type { StoredLimitRule } from './limit-table.ts';

const rule: StoredLimitRule = {
  ...{ id: 1, token_id: 0, user_id: 0, group: '', model: '', channel_id: 0, tag: 'team=*', amount: 1 },
  measure: 'requests_per_minute',
  counts_per: 'tag',
};

test('[A74.4] when half of the counters are in use, further tag values of a limit share one counter', async () => {
  const limits = new LimitService(async () => [rule], { id: 'a', hasOthers: false, send: () => undefined });
  await limits.load();
  const isAdmitted = async (team: string) => {
    const caller = { userId: 1, tokenId: 1, requestTags: new Map([['team', team]]) };
    const usage = limits.for(caller as never, { model: 'm', group: 'g', channels: [] });
    try {
      await usage?.admit({ tokens: 1, points: () => 1 });
      return true;
    } catch {
      return false;
    }
  };
  expect([await isAdmitted('a'), await isAdmitted('b')]).toEqual([true, true]);
  for (let owner = 1; owner < maxCounters / 2; owner += 1)
    limits.counters.get(counterKey(2, 'requests_per_minute', owner), 'requests_per_minute', performance.now());
  expect([await isAdmitted('a'), await isAdmitted('c'), await isAdmitted('d')]).toEqual([false, true, false]);
});
