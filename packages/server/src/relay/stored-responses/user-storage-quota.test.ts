import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { UserStorageQuota } from './user-storage-quota.ts';

const max = 100;

/** Stored sizes of one user, oldest first. Every access yields to the event loop. */
function storage() {
  const sizes: number[] = [];
  const total = () => sizes.reduce((sum, each) => sum + each, 0);
  let now = 0;
  let counts = 0;
  const room = new UserStorageQuota({
    most: () => max,
    count: async () => {
      counts += 1;
      await nextTurn();
      return total();
    },
    trim: async (_, left) => {
      await nextTurn();
      while (total() > left) sizes.shift();
    },
    clock: () => now,
  });
  const store = async (bytes: number) => {
    if (!room.fits(bytes)) return;
    await nextTurn();
    sizes.push(bytes);
    await room.added(1, bytes);
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { sizes, total, store, pass, counts: () => counts };
}

describe('[A66.3] storage limit per user', () => {
  it('the storage limit is not exceeded by concurrently stored responses', async () => {
    const { store, total } = storage();
    await Promise.all(Array.from({ length: 50 }, () => store(8)));
    expect(total()).toBeLessThanOrEqual(max);
  });

  it('keeps the newest responses within the storage limit and rejects a response that is too large by itself', async () => {
    const { store, sizes } = storage();
    for (let size = 20; size < 30; size += 1) await store(size);
    await store(95);
    expect(sizes).toEqual([27, 28, 29]);
  });

  it('the stored bytes are recounted after a minute, to include other nodes', async () => {
    const { store, sizes, pass, total, counts } = storage();
    await store(10);
    await store(10);
    expect(counts()).toBe(1);
    sizes.unshift(90);
    pass(60_000);
    await store(10);
    expect(total()).toBe(30);
  });
});
