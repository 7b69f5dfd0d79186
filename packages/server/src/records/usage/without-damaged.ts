import { DamagedPack } from './damaged-pack.ts';
import type { UsagePackRepository } from './usage-pack-repository.ts';

/** Days whose packs are dropped in one go: more of them are damage that somebody should look at. */
const mostDays = 100;

/** Does some work over packs; those that are damaged are dropped on the way, and made anew later from the sums they add up. */
export async function withoutDamaged<T>(packs: UsagePackRepository, work: () => Promise<T>): Promise<T> {
  for (let day = 0; ; day += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DamagedPack) || day === mostDays) throw error;
      await packs.forgetDay(error.start);
    }
  }
}
