import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { UpstreamConnectionError, type UpstreamResponse, type UpstreamSink } from './upstream-exchange.ts';

/** Maximum compression ratio. Event streams compress to 1/50, zeros to 1/1000. */
const largestRatio = 200;
/** Size below which the compression ratio is not checked. */
const minCheckedBytes = 1024 * 1024;

/** Content encoding of a response; undefined without one. */
export function encodingOf({ headers }: Pick<UpstreamResponse, 'headers'>): string | undefined {
  const header = headers['content-encoding'];
  if (header === undefined) return undefined;
  const name = String(header).trim().toLowerCase();
  return name === '' || name === 'identity' ? undefined : name;
}

const decoders: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  // Some servers omit the two-byte zlib header.
  deflate: (first) => ((first & deflateMask) === deflateMark ? createInflate() : createInflateRaw()),
};
const deflateMask = 0x0f;
const deflateMark = 8;

/**
 * Decompresses a response that was compressed although compression was not requested; passes other encodings through.
 */
export function decodedResponse(response: UpstreamResponse): UpstreamResponse {
  const encoding = encodingOf(response);
  const decoder = encoding !== undefined && Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  return decoder ? new DecodedResponse(response, decoder) : response;
}

class DecodedResponse implements UpstreamResponse, UpstreamSink {
  readonly #response: UpstreamResponse;
  readonly #open: (first: number) => Transform;
  readonly status: number;
  readonly headers: UpstreamResponse['headers'];
  #decoder: Transform | undefined;
  #sink: UpstreamSink | undefined;
  #isReading = false;
  #isPaused = false;
  #hasEnded = false;
  #isOver = false;
  #taken = 0;
  #given = 0;
  #failure: Error | undefined;

  constructor(response: UpstreamResponse, open: (first: number) => Transform) {
    this.#response = response;
    this.#open = open;
    this.status = response.status;
    const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers;
    this.headers = headers;
  }

  read(sink: UpstreamSink): void {
    this.#sink = sink;
    if (this.#isReading) return;
    this.#isReading = true;
    this.#response.read(this);
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#decoder) this.#decoder.pause();
    else this.#response.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#decoder) this.#decoder.resume();
    else this.#response.resume();
  }

  abort(): void {
    this.#response.abort();
    if (!this.#hasEnded) return;
    // All required bytes have arrived.
    this.#isOver = true;
    this.#decoder?.destroy();
  }

  data(chunk: Buffer): void {
    if (chunk.length === 0 || this.#isOver) return;
    this.#taken += chunk.length;
    this.#decoder ??= this.#start(chunk[0] ?? 0);
    if (this.#decoder.write(chunk)) return;
    this.#response.pause();
    this.#decoder.once('drain', () => this.#response.resume());
  }

  /** An empty body has nothing to decode. */
  end(): void {
    this.#hasEnded = true;
    if (this.#decoder) this.#decoder.end();
    else this.#finish();
  }

  /** Earlier bytes are decoded before the failure is reported. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.end();
  }

  #start(first: number): Transform {
    const decoder = this.#open(first);
    decoder.on('data', (piece: Buffer) => this.#give(piece));
    decoder.on('end', () => this.#finish());
    decoder.on('error', () => this.#break('decompression failed'));
    if (this.#isPaused) decoder.pause();
    return decoder;
  }

  #give(piece: Buffer): void {
    if (this.#isOver) return;
    this.#given += piece.length;
    if (this.#given > Math.max(minCheckedBytes, this.#taken * largestRatio)) {
      this.#break('the compression ratio is too high');
      return;
    }
    this.#sink?.data(piece);
  }

  #break(why: string): void {
    this.#failure ??= new UpstreamConnectionError(why, true);
    this.#finish();
    this.#response.abort();
    this.#decoder?.destroy();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#failure) this.#sink?.fail(this.#failure);
    else this.#sink?.end();
  }
}
