import { createGunzip } from 'node:zlib';
import { BodyRefusal, tooLong } from './body-refusal.ts';
import { ChunkBuffer } from './chunk-buffer.ts';

/** Compressed bodies are of text: pictures and sound do not become smaller by it. */
export const largestInflated = 16 * 1024 * 1024;
/** Text becomes a tenth of itself, hardly ever a fiftieth; zeros become a thousandth. */
const largestRatio = 100;
/** Below this nobody minds the ratio. */
const harmlessBytes = 1024 * 1024;
/** Below this it is sooner inflated than asked. */
const worthAsking = 8 * 1024;
/** Node inflates in four threads, which others need as well. */
const mostAtOnce = 2;

export const isCompressed = (encoding: string | undefined): encoding is string =>
  encoding !== undefined && encoding !== 'identity';

export function requireGzip(encoding: string): void {
  if (!/^(x-)?gzip$/i.test(encoding)) throw new BodyRefusal(415, 'A body may be encoded by gzip only');
}

/** Inflates bodies a piece at a time, two of them at once. */
export class Inflater {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `onPiece` sees each piece as it comes out, and throws to have the rest left. */
  async inflate(bytes: Buffer, largest: number, onPiece: (piece: Buffer) => void): Promise<Buffer> {
    if (saidLength(bytes) > Math.min(largest, mostOf(bytes))) throw tooLong();
    if (this.#running >= mostAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await inflateInPieces(bytes, Math.min(largest, mostOf(bytes)), onPiece);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

const mostOf = (bytes: Buffer) => Math.min(largestInflated, Math.max(harmlessBytes, bytes.length * largestRatio));

/** The last four bytes of gzip say how long it was. They may lie, and save the work where they do not. */
const saidLength = (bytes: Buffer) => (bytes.length < worthAsking ? 0 : bytes.readUInt32LE(bytes.length - 4));

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
      if (length > most) return refuse(tooLong());
      try {
        onPiece(piece);
        inflated.push(piece);
      } catch (error) {
        refuse(error);
      }
    });
    gunzip.on('end', () => resolve(inflated.whole()));
    gunzip.on('error', () => reject(new BodyRefusal(400, 'The body is not valid gzip')));
    gunzip.end(bytes);
  });
}
