import type { IncomingMessage } from 'node:http';
import type { StringRange } from '@headgate/relay';
import { BodyBudget, type BodyOwner, type BodyShare } from './body-budget.ts';
import { BodyRefusal, tooLong } from './body-refusal.ts';
import { Gathering } from './gathering.ts';
import { Inflater, isCompressed, largestInflated, requireGzip } from './inflate.ts';
import { JsonStructure } from './json-structure.ts';

export interface BodyLimits {
  /** Of one body; pictures travel inside requests. */
  readonly largest: number;
  /** Of all bodies at once. */
  readonly budget: number;
}

export interface BodyWanted {
  readonly owner: BodyOwner;
  /** Less than what all bodies may have. */
  readonly largest?: number;
  readonly isJson: boolean;
  /** Called before more than a little is read; throws when the owner is not worth it. */
  readonly beforeLarge?: () => void;
}

/** A body that has come. It counts as long as the request is served: what was made of it lives as long. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Of JSON, when it is large: those of its strings that are best parsed apart. */
  readonly longStrings: readonly StringRange[];
  release(): void;
}

const largeBytes = 64 * 1024;

/** Above this a body is not made into objects at once. */
const pieceworkBytes = 1024 * 1024;
const none: readonly StringRange[] = [];

/** Within each such time a body that is not whole must have grown by so much; a telephone on a bad line sends more. */
const usualPatienceMs = 30_000;
const leastGrowth = 16 * 1024;

/** Reads bodies, for the relay and for the API alike: bounded in size, number, pace and structure. */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #budget: BodyBudget;
  readonly #inflater = new Inflater();
  readonly #patienceMs: number;

  constructor(limits: BodyLimits, patienceMs: number = usualPatienceMs) {
    this.#limits = limits;
    // Half of it for one, that others have room beside him; and always the room for one body.
    this.#budget = new BodyBudget(limits.budget, Math.max(limits.largest, limits.budget / 2));
    this.#patienceMs = patienceMs;
  }

  async read(request: IncomingMessage, wanted: BodyWanted): Promise<ReceivedBody> {
    const share = this.#budget.open(wanted.owner);
    try {
      const structure = wanted.isJson ? new JsonStructure() : undefined;
      const bytes = await this.#read(request, wanted, share, structure);
      const longStrings = bytes.length > pieceworkBytes ? (structure?.longStrings ?? none) : none;
      return { bytes, longStrings, release: () => share.giveBack() };
    } catch (error) {
      share.giveBack();
      throw error;
    }
  }

  async #read(
    request: IncomingMessage,
    wanted: BodyWanted,
    share: BodyShare,
    structure: JsonStructure | undefined,
  ): Promise<Buffer> {
    const { largest = this.#limits.largest, beforeLarge } = wanted;
    const encoding = request.headers['content-encoding'];
    const collecting = { request, share, largest, beforeLarge, patienceMs: this.#patienceMs };
    if (!isCompressed(encoding)) return collect({ ...collecting, structure });
    requireGzip(encoding);
    const bytes = await collect({ ...collecting, largest: Math.min(largest, largestInflated), structure: undefined });
    let length = 0;
    const inflated = await this.#inflater.inflate(bytes, largest, (piece) => {
      if (length <= largeBytes && length + piece.length > largeBytes) beforeLarge?.();
      length += piece.length;
      share.take(piece.length);
      structure?.push(piece);
    });
    share.giveBack(bytes.length);
    return inflated;
  }
}

interface Collecting {
  readonly request: IncomingMessage;
  readonly share: BodyShare;
  readonly largest: number;
  readonly structure: JsonStructure | undefined;
  readonly beforeLarge: (() => void) | undefined;
  readonly patienceMs: number;
}

function collect({ request, share, largest, structure, beforeLarge, patienceMs }: Collecting): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > largest) throw tooLong();
  // It may have left while its token was looked up.
  if (request.destroyed) throw brokeOff();
  if (declared > largeBytes) {
    beforeLarge?.();
    share.requireRoom(declared);
  }
  return new Promise((resolve, reject) => {
    const gathering = new Gathering(declared);
    let length = 0;
    const add = (chunk: Buffer) => {
      const before = length;
      length += chunk.length;
      if (length > largest) throw tooLong();
      if (before <= largeBytes && length > largeBytes) beforeLarge?.();
      share.take(chunk.length);
      structure?.push(chunk);
      gathering.push(chunk);
    };
    const stop = () => {
      clearTimeout(timer);
      request.off('data', onData);
      request.pause();
    };
    const refuse = (error: unknown) => {
      stop();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        add(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    let enough = leastGrowth;
    const timer = setTimeout(() => {
      if (length < enough) return refuse(new BodyRefusal(408, 'The body came too slowly'));
      enough = length + leastGrowth;
      timer.refresh();
    }, patienceMs);
    request.on('data', onData);
    request.on('end', () => {
      clearTimeout(timer);
      resolve(gathering.whole());
    });
    // Also after the end, when it no longer matters.
    request.on('close', () => refuse(brokeOff()));
  });
}

const brokeOff = () => new BodyRefusal(400, 'The body broke off');
