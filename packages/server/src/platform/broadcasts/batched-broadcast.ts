import * as z from 'zod/mini';
import type { Broadcasts } from './broadcasts.ts';

const sendEveryMs = 250;
/** PostgreSQL notifications are limited to 8,000 bytes. */
const maxTextLength = 7000;
/** Maximum messages per flush; the rest is sent with the next one. */
const maxTexts = 20;

/** Batches updates for other nodes by key and sends them at most four times a second. */
export class BatchedBroadcast<Key extends string | number, Value> {
  readonly #broadcasts: Broadcasts;
  readonly #topic: string;
  readonly #unsaid = new Map<Key, Value>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * `listener` is called for every entry that other nodes send on this topic. Entries that do not match `value`, for
   * example from another version, are rejected.
   */
  constructor(
    broadcasts: Broadcasts,
    { topic, value }: { readonly topic: string; readonly value: z.ZodMiniType<Value> },
    listener: (key: Key, value: Value, from: string) => void,
  ) {
    const entries = z.array(z.tuple([z.union([z.string(), z.int()]), value]));
    this.#broadcasts = broadcasts;
    this.#topic = topic;
    broadcasts.on(topic, (text, from) => {
      // trusted JSON: sent by another node.
      for (const [key, reported] of entries.parse(JSON.parse(text))) listener(key as Key, reported, from);
    });
  }

  /** Pending value of a key, if any. */
  get(key: Key): Value | undefined {
    return this.#unsaid.get(key);
  }

  put(key: Key, value: Value): void {
    if (!this.#broadcasts.hasOthers) return;
    this.#unsaid.set(key, value);
    this.#timer ??= setTimeout(() => this.#say(), sendEveryMs).unref();
  }

  #say(): void {
    this.#timer = undefined;
    for (let texts = 0; texts < maxTexts && this.#unsaid.size > 0; texts += 1) this.#sendOne();
    if (this.#unsaid.size > 0) this.#timer = setTimeout(() => this.#say(), sendEveryMs).unref();
  }

  #sendOne(): void {
    const payloads: string[] = [];
    let length = 0;
    for (const entry of this.#unsaid) {
      const text = JSON.stringify(entry);
      length += Buffer.byteLength(text) + 1;
      if (length > maxTextLength && payloads.length > 0) break;
      payloads.push(text);
      this.#unsaid.delete(entry[0]);
    }
    this.#broadcasts.send(this.#topic, `[${payloads.join(',')}]`);
  }
}

/** A count in a message from another node. */
export const countSchema = z.int().check(z.nonnegative());
