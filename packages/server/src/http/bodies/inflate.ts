import { createGunzip } from 'node:zlib';
import { BodyError, bodyTooLargeError } from './body-budget.ts';

/** Compressed bodies contain text, because images and audio do not compress. */
export const maxInflatedBytes = 16 * 1024 * 1024;
/** Compression ratio of text is about 10, rarely 50; that of zeros is 1,000. */
const largestRatio = 100;
/** Bodies below this size are not checked for their ratio. */
const uncheckedBytes = 1024 * 1024;
/** Below this size, decompressing is cheaper than checking the declared length. */
const minCheckedBytes = 8 * 1024;
/** Node decompresses in a pool of four threads that other work also needs. */
const maxParallel = 2;

export const isCompressed = (encoding: string | undefined): encoding is string =>
  encoding !== undefined && encoding !== 'identity';

export function requireGzip(encoding: string): void {
  if (!/^(x-)?gzip$/i.test(encoding)) throw new BodyError(415, 'The only supported Content-Encoding is gzip');
}

/** Decompresses bodies in chunks, at most two bodies in parallel. */
export class Inflater {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `onPiece` receives each chunk and may throw to stop. */
  async inflate(bytes: Buffer, largest: number, onPiece: (piece: Buffer) => void): Promise<Buffer> {
    if (declaredLength(bytes) > Math.min(largest, maxInflatedOf(bytes))) throw bodyTooLargeError();
    if (this.#running >= maxParallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await inflateInPieces(bytes, Math.min(largest, maxInflatedOf(bytes)), onPiece);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

const maxInflatedOf = (bytes: Buffer) =>
  Math.min(maxInflatedBytes, Math.max(uncheckedBytes, bytes.length * largestRatio));

/**
 * Length from the last four bytes of gzip. It may be forged, but if it exceeds the limit, the body can be rejected
 * without decompressing it.
 */
const declaredLength = (bytes: Buffer) => (bytes.length < minCheckedBytes ? 0 : bytes.readUInt32LE(bytes.length - 4));

function inflateInPieces(bytes: Buffer, max: number, onPiece: (piece: Buffer) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const inflated = new ChunkBuffer(0);
    let length = 0;
    const gunzip = createGunzip({ chunkSize: 64 * 1024 });
    const rejectWith = (error: unknown) => {
      gunzip.destroy();
      reject(error);
    };
    gunzip.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > max) return rejectWith(bodyTooLargeError());
      try {
        onPiece(piece);
        inflated.push(piece);
      } catch (error) {
        rejectWith(error);
      }
    });
    gunzip.on('end', () => resolve(inflated.whole()));
    gunzip.on('error', () => reject(new BodyError(400, 'The request body is not valid gzip')));
    gunzip.end(bytes);
  });
}

/** From this size on, chunks are copied as they arrive: copying all of them at the end would block the event loop. */
const copiedFrom = 1024 * 1024;

/** Joins the chunks of a body into one buffer. */
export class ChunkBuffer {
  /** Content-Length; 0 if absent. */
  readonly declared: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #whole: Buffer | undefined;

  constructor(declared: number) {
    this.declared = declared;
  }

  push(chunk: Buffer): void {
    const before = this.#length;
    this.#length += chunk.length;
    if (this.#whole === undefined && this.#length < copiedFrom) {
      this.#chunks.push(chunk);
      return;
    }
    chunk.copy(this.#room(before), before);
  }

  whole(): Buffer {
    if (this.#whole !== undefined) return this.#whole.subarray(0, this.#length);
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length);
  }

  /** A buffer with the earlier bytes and room for the new ones. */
  #room(before: number): Buffer {
    const { length } = this.#whole ?? { length: 0 };
    if (this.#whole !== undefined && length >= this.#length) return this.#whole;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.declared, this.#length, length * 2));
    if (this.#whole !== undefined) this.#whole.copy(larger, 0, 0, before);
    else Buffer.concat(this.#chunks, before).copy(larger);
    this.#chunks = [];
    this.#whole = larger;
    return larger;
  }
}
