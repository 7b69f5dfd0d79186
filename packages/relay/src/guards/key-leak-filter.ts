import type { RelayChannel } from '../ports/relay-channel.ts';
import { type MaskedKeys, maskedKeysOf } from './mask-secrets.ts';
import { MultiTextSearch } from './multi-text-search.ts';

/** Text as latin1, one character per byte, as used for searching. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Finds a channel's own keys in its upstream's successful responses and replaces them with asterisks. */
export class KeyLeakFilter {
  /** In all encodings, including base64. */
  readonly #spelled: readonly string[];
  readonly #longest: number;
  readonly #search: MultiTextSearch;
  /** All proper prefixes of the encoded keys. */
  #beginnings: ReadonlySet<string> | undefined;

  constructor({ spelled }: MaskedKeys) {
    this.#spelled = spelled.map(asBytes);
    this.#longest = Math.max(0, ...this.#spelled.map(({ length }) => length));
    this.#search = new MultiTextSearch(spelled.map((spelling) => Buffer.from(spelling)));
  }

  /** Returns the bytes without keys, or the same buffer when it contains none. Does not read every byte. */
  mask(bytes: Buffer): Buffer {
    if (!this.#search.isIn(bytes)) return bytes;
    const text = bytes.toString('latin1');
    const masked = this.#spelled.reduce((left, spelling) => left.replaceAll(spelling, '***'), text);
    return masked === text ? bytes : Buffer.from(masked, 'latin1');
  }

  /** Number of trailing bytes that may be the start of a key. */
  begunAtEnd(bytes: Buffer): number {
    const tail = bytes.toString('latin1', Math.max(0, bytes.length - this.#longest + 1));
    this.#beginnings ??= new Set(this.#spelled.flatMap(beginningsOf));
    for (let at = 0; at < tail.length; at += 1) if (this.#beginnings.has(tail.slice(at))) return tail.length - at;
    return 0;
  }
}

const beginningsOf = (text: string): readonly string[] =>
  Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 1));

const guards = new WeakMap<MaskedKeys, KeyLeakFilter>();

export function createKeyLeakFilter(channel: RelayChannel): KeyLeakFilter {
  const keys = maskedKeysOf(channel);
  const known = guards.get(keys);
  if (known) return known;
  const guard = new KeyLeakFilter(keys);
  guards.set(keys, guard);
  return guard;
}

/** Removes keys from bytes that may be split anywhere: a possible start of a key is held back until the next chunk. */
export class KeyFilter {
  readonly #guard: KeyLeakFilter;
  #rest: Buffer = emptyBuffer;

  constructor(channel: RelayChannel) {
    this.#guard = createKeyLeakFilter(channel);
  }

  pass(chunk: Buffer): Buffer {
    const masked = this.#guard.mask(this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk);
    const whole = masked.length - this.#guard.begunAtEnd(masked);
    this.#rest = masked.subarray(whole);
    return masked.subarray(0, whole);
  }

  /** Returns the bytes that were held back, which turned out not to be a key. */
  finish(): Buffer {
    const rest = this.#rest;
    this.#rest = emptyBuffer;
    return rest;
  }
}

const emptyBuffer = Buffer.alloc(0);
