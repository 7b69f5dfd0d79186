import { crc32 } from 'node:zlib';
import { effectiveWeight } from './choose-key.ts';

interface Weighed {
  readonly id: number;
  readonly weight: number;
}

/**
 * Rendezvous hashing: each candidate gets a weighted score from the conversation and its id, and the highest score
 * wins. It is stateless and identical on every node. If a candidate becomes unavailable, only its own conversations
 * move, and they return when it recovers.
 */
export function rendezvous<T extends Weighed>(
  among: readonly T[],
  conversation: number,
  mayTake: (each: T) => boolean = any,
): T | undefined {
  let best: T | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const each of among) {
    if (!mayTake(each)) continue;
    const score = -effectiveWeight(each) / Math.log(chanceOf(conversation, each.id));
    if (score <= highest) continue;
    best = each;
    highest = score;
  }
  return best;
}

const any = () => true;

/**
 * Hash that chooses among the keys of a channel. It differs from the hash for channels, because keys and channels
 * share ids, and with the same hash some keys would never be chosen.
 */
export const keyHashOf = (conversation: number): number => (conversation << 16) ^ (conversation >>> 16) ^ 0x5bd1e995;

const largest = 2 ** 32;

/** Pseudo-random number in (0, 1). */
function chanceOf(conversation: number, id: number): number {
  let mixed = (conversation ^ Math.imul(id, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / largest;
}

/** 32-bit hash of a text, depending on the seed. Node's crc32 is five times as fast as a loop over the characters. */
export const seededHash = (text: string, seed: number): number => crc32(text, Math.imul(seed, 0x9e3779b1) >>> 0);
