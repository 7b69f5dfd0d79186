import { createGunzip } from 'node:zlib';
import { BodyError, bodyTooLargeError } from './body-error.ts';
import { ChunkBuffer } from './chunk-buffer.ts';

/** Compressed bodies contain text, since images and audio do not compress. */
export const maxInflatedBytes = 16 * 1024 * 1024;
/** Text compresses to a tenth, rarely to a fiftieth; zeros compress to a thousandth. */
const largestRatio = 100;
/** Bodies below this size are not checked for their ratio. */
const uncheckedBytes = 1024 * 1024;
/** Below this size decompressing is cheaper than checking the declared length. */
const minCheckedBytes = 8 * 1024;
/** Node decompresses in a pool of four threads that other work needs too. */
const maxParallel = 2;

export const isCompressed = (encoding: string | undefined): encoding is string =>
  encoding !== undefined && encoding !== 'identity';

export function requireGzip(encoding: string): void {
  if (!/^(x-)?gzip$/i.test(encoding)) throw new BodyError(415, 'The only supported Content-Encoding is gzip');
}

/** Decompresses bodies in pieces, at most two in parallel. */
export class Inflater {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `onPiece` receives each piece and may throw to stop. */
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
 * Length from the last four bytes of gzip. It may be wrong; if it is right and too large, the body need not be
 * decompressed.
 */
const declaredLength = (bytes: Buffer) => (bytes.length < minCheckedBytes ? 0 : bytes.readUInt32LE(bytes.length - 4));

function inflateInPieces(bytes: Buffer, most: number, onPiece: (piece: Buffer) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const inflated = new ChunkBuffer(0);
    let length = 0;
    const gunzip = createGunzip({ chunkSize: 64 * 1024 });
    const refuse = (error: unknown) => {
      gunzip.destroy();
      reject(error);
    };
    gunzip.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > most) return refuse(bodyTooLargeError());
      try {
        onPiece(piece);
        inflated.push(piece);
      } catch (error) {
        refuse(error);
      }
    });
    gunzip.on('end', () => resolve(inflated.whole()));
    gunzip.on('error', () => reject(new BodyError(400, 'The request body is not valid gzip')));
    gunzip.end(bytes);
  });
}
