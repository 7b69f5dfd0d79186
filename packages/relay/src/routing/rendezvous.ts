import { crc32 } from 'node:zlib';
import { weightOf } from './choose-channel.ts';

interface Weighed {
  readonly id: number;
  readonly weight: number;
}

/**
 * The one of these that a conversation belongs to: each draws a number from the conversation and its id, and the highest
 * wins, weights respected. It needs no memory and is the same on every node; when one is missing only its own
 * conversations move, and when it is back they come back.
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
    const score = -weightOf(each) / Math.log(chanceOf(conversation, each.id));
    if (score <= highest) continue;
    best = each;
    highest = score;
  }
  return best;
}

const any = () => true;

/**
 * The number by which a conversation chooses among the keys of its channel. Not the one by which it chose the channel:
 * numbers of keys are numbers of channels too, and a key would never win against one that has just won as a channel.
 */
export const amongKeys = (conversation: number): number => (conversation << 16) ^ (conversation >>> 16) ^ 0x5bd1e995;

const largest = 2 ** 32;

/** A number in (0, 1) that looks drawn by lot. */
function chanceOf(conversation: number, id: number): number {
  let mixed = (conversation ^ Math.imul(id, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / largest;
}

/** A number of 32 bits for a text; another one for each seed. Node's own: character by character it took five times as long. */
export const hashOf = (text: string, seed: number): number => crc32(text, Math.imul(seed, 0x9e3779b1) >>> 0);
