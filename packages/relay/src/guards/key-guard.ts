import type { RelayChannel } from '../ports/relay-channel.ts';
import { type GuardedKeys, keysToGuard } from './mask-secrets.ts';
import { SampledSearch } from './sampled-search.ts';

/** Text as latin1, one character for each byte, the form in which passing bytes are searched. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Finds a channel's own keys in what its upstream answers well, and puts stars in their place. */
export class KeyGuard {
  /** In all their spellings, base64 among them. */
  readonly #spelled: readonly string[];
  readonly #longest: number;
  readonly #search: SampledSearch;
  /** Beginnings of the spellings, all but the whole. */
  #beginnings: ReadonlySet<string> | undefined;

  constructor({ spelled }: GuardedKeys) {
    this.#spelled = spelled.map(asBytes);
    this.#longest = Math.max(0, ...this.#spelled.map(({ length }) => length));
    this.#search = new SampledSearch(spelled.map((spelling) => Buffer.from(spelling)));
  }

  /** The bytes without keys; the same ones when there is none in them, which is found out without reading them all. */
  mask(bytes: Buffer): Buffer {
    if (!this.#search.isIn(bytes)) return bytes;
    const text = bytes.toString('latin1');
    const masked = this.#spelled.reduce((left, spelling) => left.replaceAll(spelling, '***'), text);
    return masked === text ? bytes : Buffer.from(masked, 'latin1');
  }

  /** How many bytes at the end may be the beginning of a key. */
  begunAtEnd(bytes: Buffer): number {
    const tail = bytes.toString('latin1', Math.max(0, bytes.length - this.#longest + 1));
    this.#beginnings ??= new Set(this.#spelled.flatMap(beginningsOf));
    for (let at = 0; at < tail.length; at += 1) if (this.#beginnings.has(tail.slice(at))) return tail.length - at;
    return 0;
  }
}

const beginningsOf = (text: string): readonly string[] =>
  Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 1));

const guards = new WeakMap<GuardedKeys, KeyGuard>();

export function keyGuardOf(channel: RelayChannel): KeyGuard {
  const keys = keysToGuard(channel);
  const known = guards.get(keys);
  if (known) return known;
  const guard = new KeyGuard(keys);
  guards.set(keys, guard);
  return guard;
}

/** Takes keys out of bytes that are cut anywhere: what may be the beginning of a key waits for the rest of it. */
export class KeyFilter {
  readonly #guard: KeyGuard;
  #rest: Buffer = emptyBuffer;

  constructor(channel: RelayChannel) {
    this.#guard = keyGuardOf(channel);
  }

  pass(chunk: Buffer): Buffer {
    const masked = this.#guard.mask(this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk);
    const whole = masked.length - this.#guard.begunAtEnd(masked);
    this.#rest = masked.subarray(whole);
    return masked.subarray(0, whole);
  }

  /** What waited in vain. */
  finish(): Buffer {
    const rest = this.#rest;
    this.#rest = emptyBuffer;
    return rest;
  }
}

const emptyBuffer = Buffer.alloc(0);
