import type { PayloadRetention } from './payload-setting-table.ts';

/** The request whose payloads are captured. */
export interface CapturedRequest {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly createdTime: number;
  readonly expiresTime: number;
  /** Without credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Beginning of a body, and its full length. */
interface Copied {
  readonly bytes: Buffer;
  readonly length: number;
}

export interface CapturedPayload extends CapturedRequest {
  readonly status: number;
  readonly request: Copied;
  readonly response: Copied;
}

/** Memory shared by all copies. */
interface CaptureMemory {
  /** False if no memory is left. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

interface CaptureHooks {
  readonly memory: CaptureMemory;
  /** Takes over the copies and their memory. */
  readonly onCaptured: (bodies: CapturedPayload) => void;
  readonly onDropped: () => void;
}

/** Copies the bodies of one request and its response while they are transferred, each up to the size to be stored. */
export class PayloadCapture {
  readonly #request: CapturedRequest;
  readonly #requested: Buffer;
  readonly #limit: number;
  readonly #hooks: CaptureHooks;
  #chunks: Buffer[] = [];
  #copied = 0;
  #length = 0;
  #isReported = false;
  #isOver = false;

  constructor(request: CapturedRequest, requestBody: Buffer, { bytes }: PayloadRetention, hooks: CaptureHooks) {
    this.#request = request;
    this.#requested = requestBody;
    this.#limit = bytes;
    this.#hooks = hooks;
  }

  /** Records that a log row exists, because payloads without one are not stored. Returns the expiry time. */
  markLogged(): number {
    this.#isReported = true;
    return this.#request.expiresTime;
  }

  /** Adds bytes sent to the client. They are copied, because a slice would keep its whole buffer in memory. */
  push(bytes: Buffer): void {
    this.#length += bytes.length;
    const more = Math.min(bytes.length, this.#limit - this.#copied);
    if (more <= 0 || this.#isOver || !this.#take(more)) return;
    this.#chunks.push(Buffer.from(bytes.subarray(0, more)));
    this.#copied += more;
  }

  /** Called after the last byte is sent. */
  end(status: number): void {
    if (this.#isOver) return;
    if (!this.#isReported) {
      this.#drop();
      return;
    }
    const requestBody = this.#requested.subarray(0, this.#limit);
    if (!this.#take(requestBody.length)) return;
    this.#isOver = true;
    this.#hooks.onCaptured({
      ...this.#request,
      status,
      request: { bytes: Buffer.from(requestBody), length: this.#requested.length },
      response: { bytes: Buffer.concat(this.#chunks), length: this.#length },
    });
    this.#chunks = [];
  }

  #take(bytes: number): boolean {
    if (this.#hooks.memory.take(bytes)) return true;
    this.#drop();
    this.#hooks.onDropped();
    return false;
  }

  #drop(): void {
    this.#isOver = true;
    this.#chunks = [];
    this.#hooks.memory.release(this.#copied);
    this.#copied = 0;
  }
}
