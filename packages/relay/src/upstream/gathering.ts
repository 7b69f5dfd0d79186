import { RelayError } from '../ports/relay-error.ts';
import { GuardedSink } from './guarded-sink.ts';
import type { UpstreamResponse, UpstreamSink } from './upstream-exchange.ts';

/** The most bytes of an answer that are gathered before it is passed on; a longer one is passed on while it comes. */
export const mostGathered = 8 * 1024 * 1024;
/** The most bytes of an answer that must be read as a whole, in order to be translated. */
export const mostConverted = 64 * 1024 * 1024;
/** The most bytes of all answers at once. */
const mostInAll = 256 * 1024 * 1024;
/** Bytes that every answer may have, whatever the others take: enough to tell an error from an answer. */
const alwaysGathered = 64 * 1024;

/** The memory for answers that are gathered before they are sent, shared by all requests. */
export class Gathering {
  readonly #most: number;
  #taken = 0;

  constructor(most = mostInAll) {
    this.#most = most;
  }

  /** Memory for the answer of one request; given back when its client is served. */
  share(): GatheringShare {
    return new GatheringShare(this);
  }

  /** False when there is no room for so much. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#most) return false;
    this.#taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** One request's part of the memory for answers. */
export class GatheringShare implements Disposable {
  readonly #gathering: Gathering;
  #own = 0;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  take(bytes: number): boolean {
    if (!this.#gathering.take(bytes)) return false;
    this.#own += bytes;
    return true;
  }

  [Symbol.dispose](): void {
    this.#gathering.giveBack(this.#own);
    this.#own = 0;
  }
}

export interface Gathered {
  readonly body: Buffer;
  /** Otherwise the answer waits where it stopped, for whoever reads on and resumes it. */
  readonly isWhole: boolean;
}

/** Reads an answer to its end, as far as there is room for it. */
export function gather(response: UpstreamResponse, most: number, share: GatheringShare): Promise<Gathered> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (isWhole: boolean) => {
      const [first] = chunks;
      resolve({ body: chunks.length === 1 && first ? first : Buffer.concat(chunks, length), isWhole });
    };
    const sink: UpstreamSink = {
      data(chunk) {
        chunks.push(chunk);
        length += chunk.length;
        const hasRoom = length <= alwaysGathered || share.take(chunk.length);
        if (hasRoom && length <= most) return;
        response.pause();
        stop(false);
      },
      end: () => stop(true),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}

/** The whole of an answer that cannot be passed on in pieces. */
export async function gatherWhole(response: UpstreamResponse, share: GatheringShare, begun?: Buffer): Promise<Buffer> {
  const { body, isWhole } = await resumed(response, mostConverted - (begun?.length ?? 0), share, begun);
  if (isWhole) return begun ? Buffer.concat([begun, body]) : body;
  response.abort();
  throw answerTooLong(body.length + (begun?.length ?? 0) > mostConverted);
}

function resumed(response: UpstreamResponse, most: number, share: GatheringShare, begun: Buffer | undefined) {
  const gathering = gather(response, most, share);
  if (begun) response.resume();
  return gathering;
}

const tooLongCode = 'answer_too_long';

/** The upstream did its work: another one would only do it again. */
export function answerTooLong(isOverLimit: boolean): RelayError {
  if (isOverLimit) return new RelayError(502, 'The answer is too long to be put into other words', tooLongCode);
  const error = new RelayError(503, 'Too many long answers are under way', tooLongCode);
  error.retryAfter = 1;
  return error;
}

export const isTooLong = (error: unknown): error is RelayError =>
  error instanceof RelayError && error.code === tooLongCode;
