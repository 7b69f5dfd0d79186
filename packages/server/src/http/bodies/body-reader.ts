import type { IncomingMessage } from 'node:http';
import { type StringRange, Ticker, type TimeoutTarget } from '@headgate/relay';
import {
  BodyBudget,
  BodyError,
  type BodyQuotaOwner,
  type BodyReservation,
  bodyTooLargeError,
  referencesTooLargeError,
} from './body-budget.ts';
import { ChunkBuffer, Inflater, isCompressed, maxInflatedBytes, requireGzip } from './inflate.ts';
import { JsonStructure } from './json-structure.ts';

export interface BodyLimits {
  /** Largest body in bytes; images are sent inside requests. */
  readonly maxBytes: number;
  /** Limit for all bodies together, in bytes. */
  readonly budget: number;
  /** Limit for one owner's bodies, in bytes; half of the budget by default. */
  readonly perOwner?: number;
}

export interface BodyRequest {
  readonly owner: BodyQuotaOwner;
  /** Overrides the general limit with a smaller one. */
  readonly largest?: number;
  readonly isJson: boolean;
  /** Called before more than a small part is read; throws to reject the request. */
  readonly beforeLarge?: () => void;
}

/** A complete body. Its bytes count until it is released, because objects parsed from it live as long. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Long strings of large JSON, which are parsed separately. */
  readonly longStrings: readonly StringRange[];
  /** True for JSON that takes milliseconds to parse. */
  readonly isHeavy: boolean;
  /** Number of JSON numbers with an exponent, which get longer when serialized again. */
  readonly exponents: number;
  /** Counts referenced content as part of the body; throws when it is too large or the body was released. */
  take(bytes: number): void;
  /** Counts the part of an upstream body that exceeds the bytes already counted; throws like `take`. */
  countUpTo(bytes: number): void;
  release(): void;
}

/** Larger bodies are read only for callers with quota left. */
export const largeBodyBytes = 64 * 1024;

/** Bodies above this size have their long strings parsed separately. */
const pieceworkBytes = 1024 * 1024;
const none: readonly StringRange[] = [];

/**
 * An incomplete body must grow by `minGrowthBytes` within this time, which is slow enough for a phone on a bad
 * connection.
 */
const defaultGrowthTimeoutMs = 30_000;
const minGrowthBytes = 16 * 1024;
const maxTickMs = 1000;
const ticksInPatience = 10;

/** Reads request bodies for relay and API, with limits on size, total memory, speed and structure. */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #budget: BodyBudget;
  readonly #inflater = new Inflater();
  readonly #patienceMs: number;
  readonly #ticker: Ticker;

  constructor(limits: BodyLimits, patienceMs: number = defaultGrowthTimeoutMs) {
    this.#limits = limits;
    // One owner never gets the whole budget, but always enough for one body.
    this.#budget = new BodyBudget(limits.budget, Math.max(limits.maxBytes, limits.perOwner ?? limits.budget / 2));
    this.#patienceMs = patienceMs;
    this.#ticker = new Ticker(Math.min(maxTickMs, patienceMs / ticksInPatience));
  }

  read(request: IncomingMessage, wanted: BodyRequest): Promise<ReceivedBody> {
    const share = this.#budget.open(wanted.owner);
    const encoding = request.headers['content-encoding'];
    const reading = isCompressed(encoding)
      ? this.#readCompressed(request, wanted, share, encoding)
      : this.#collect(request, wanted, share, wanted.isJson ? new JsonStructure() : undefined);
    return reading.catch((error: unknown) => {
      share.release();
      throw error;
    });
  }

  async #readCompressed(
    request: IncomingMessage,
    { isJson, ...wanted }: BodyRequest,
    share: BodyReservation,
    encoding: string,
  ): Promise<ReceivedBody> {
    requireGzip(encoding);
    const { largest = this.#limits.maxBytes, beforeLarge } = wanted;
    const compressed = { ...wanted, isJson: false, largest: Math.min(largest, maxInflatedBytes) };
    const { bytes } = await this.#collect(request, compressed, share, undefined);
    const structure = isJson ? new JsonStructure() : undefined;
    let length = 0;
    const inflated = await this.#inflater.inflate(bytes, largest, (piece) => {
      if (length <= largeBodyBytes && length + piece.length > largeBodyBytes) beforeLarge?.();
      length += piece.length;
      share.take(piece.length);
      structure?.push(piece);
    });
    share.release(bytes.length);
    return new WholeBody(inflated, { structure, share, largest });
  }

  #collect(
    request: IncomingMessage,
    { largest = this.#limits.maxBytes, beforeLarge }: BodyRequest,
    share: BodyReservation,
    structure: JsonStructure | undefined,
  ): Promise<ReceivedBody> {
    return new Promise((resolve, reject) => {
      const collection = { request, share, structure, largest, beforeLarge, resolve, reject };
      new BodyCollector(collection, this.#ticker, this.#patienceMs).start();
    });
  }
}

class WholeBody implements ReceivedBody {
  readonly bytes: Buffer;
  readonly longStrings: readonly StringRange[];
  readonly isHeavy: boolean;
  readonly exponents: number;
  readonly #largest: number;
  readonly #share: BodyReservation;
  /** Bytes counted for this request. */
  #counted: number;
  #fetched = 0;

  constructor(bytes: Buffer, { structure, share, largest }: Pick<Collection, 'structure' | 'share' | 'largest'>) {
    this.bytes = bytes;
    this.#counted = bytes.length;
    this.#largest = largest;
    this.longStrings = structure !== undefined && bytes.length > pieceworkBytes ? structure.longStrings : none;
    this.isHeavy = structure?.isHeavy ?? false;
    this.exponents = structure?.exponents ?? 0;
    this.#share = share;
  }

  take(bytes: number): void {
    if (this.bytes.length + this.#fetched + bytes > this.#largest) throw referencesTooLargeError();
    this.#share.take(bytes);
    this.#fetched += bytes;
    this.#counted += bytes;
  }

  countUpTo(bytes: number): void {
    if (bytes <= this.#counted) return;
    this.#share.take(bytes - this.#counted);
    this.#counted = bytes;
  }

  release(): void {
    this.#share.close();
  }
}

interface Collection {
  readonly request: IncomingMessage;
  readonly share: BodyReservation;
  readonly structure: JsonStructure | undefined;
  readonly largest: number;
  readonly beforeLarge: (() => void) | undefined;
  readonly resolve: (body: ReceivedBody) => void;
  readonly reject: (error: unknown) => void;
}

/** A body being received. */
class BodyCollector implements TimeoutTarget {
  readonly #collection: Collection;
  /** One timer for all bodies is cheaper than one each, since most bodies arrive immediately. */
  readonly #ticker: Ticker;
  readonly #patienceMs: number;
  readonly #chunks: ChunkBuffer;
  #length = 0;
  /** Bytes that must have arrived by the next speed check. */
  #enough = minGrowthBytes;
  /** Ticks since the last speed check; the first tick may fire immediately. */
  #ticks = 0;
  #isOver = false;
  index = -1;

  constructor(collection: Collection, ticker: Ticker, patienceMs: number) {
    this.#collection = collection;
    this.#ticker = ticker;
    this.#patienceMs = patienceMs;
    this.#chunks = new ChunkBuffer(Number(collection.request.headers['content-length'] ?? 0));
  }

  start(): void {
    const { request, share, largest, beforeLarge } = this.#collection;
    const { declared } = this.#chunks;
    if (declared > largest) throw bodyTooLargeError();
    // The client may have disconnected during the token lookup.
    if (request.destroyed) throw clientDisconnected();
    if (declared > largeBodyBytes) {
      beforeLarge?.();
      share.requireRoom(declared);
    }
    this.#ticker.add(this);
    request.on('data', this.#onData);
    request.on('end', this.#onEnd);
    request.on('close', this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#add(chunk);
    } catch (error) {
      this.#reject(error);
    }
  };

  readonly #onEnd = (): void => {
    const { resolve } = this.#collection;
    this.#isOver = true;
    this.#ticker.remove(this);
    resolve(new WholeBody(this.#chunks.whole(), this.#collection));
  };

  readonly #onClose = (): void => {
    if (!this.#isOver) this.#reject(clientDisconnected());
  };

  #add(chunk: Buffer): void {
    const { share, structure, largest, beforeLarge } = this.#collection;
    const before = this.#length;
    this.#length += chunk.length;
    if (this.#length > largest) throw bodyTooLargeError();
    if (before <= largeBodyBytes && this.#length > largeBodyBytes) beforeLarge?.();
    share.take(chunk.length);
    structure?.push(chunk);
    this.#chunks.push(chunk);
  }

  tick(): void {
    this.#ticks += 1;
    if ((this.#ticks - 1) * this.#ticker.everyMs < this.#patienceMs) return;
    if (this.#length < this.#enough) {
      this.#reject(new BodyError(408, 'The request body arrived too slowly'));
      return;
    }
    this.#enough = this.#length + minGrowthBytes;
    this.#ticks = 1;
  }

  #reject(error: unknown): void {
    const { request, reject } = this.#collection;
    this.#isOver = true;
    this.#ticker.remove(this);
    request.off('data', this.#onData);
    request.off('end', this.#onEnd);
    request.pause();
    reject(error);
  }
}

const clientDisconnected = () => new BodyError(400, 'The request body is incomplete: the client disconnected');
