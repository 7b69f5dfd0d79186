import type { Keeping } from './keeping-table.ts';

/** Whose request it is. */
export interface CapturedRequest {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly createdTime: number;
  readonly expiresTime: number;
}

/** The beginning of a body, and how long it really was. */
interface Copied {
  readonly bytes: Buffer;
  readonly length: number;
}

export interface CapturedBodies extends CapturedRequest {
  readonly status: number;
  readonly request: Copied;
  readonly answer: Copied;
}

/** What all that is copied may take of memory. */
interface CaptureMemory {
  /** False: there is none left. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

interface CaptureHooks {
  readonly memory: CaptureMemory;
  /** Takes over what was copied, and the memory of it. */
  readonly onCaptured: (bodies: CapturedBodies) => void;
  readonly onDropped: () => void;
}

/** Copies what one request asks and is answered while it passes: the beginning of both, as far as it is to be kept. */
export class BodyCapture {
  readonly #request: CapturedRequest;
  readonly #asked: Buffer;
  readonly #limit: number;
  readonly #hooks: CaptureHooks;
  #chunks: Buffer[] = [];
  #copied = 0;
  #length = 0;
  #isTold = false;
  #isOver = false;

  constructor(request: CapturedRequest, asked: Buffer, { bytes }: Keeping, hooks: CaptureHooks) {
    this.#request = request;
    this.#asked = asked;
    this.#limit = bytes;
    this.#hooks = hooks;
  }

  /** Notes that a row of the log tells of it: what leaves none is not kept. Gives until when it is kept. */
  told(): number {
    this.#isTold = true;
    return this.#request.expiresTime;
  }

  /** What the client is sent. Copied, as a piece of it would keep all of the buffer in memory that it is a part of. */
  push(bytes: Buffer): void {
    this.#length += bytes.length;
    const more = Math.min(bytes.length, this.#limit - this.#copied);
    if (more <= 0 || this.#isOver || !this.#take(more)) return;
    this.#chunks.push(Buffer.from(bytes.subarray(0, more)));
    this.#copied += more;
  }

  /** Nothing more is sent. */
  end(status: number): void {
    if (this.#isOver) return;
    if (!this.#isTold) {
      this.#drop();
      return;
    }
    const asked = this.#asked.subarray(0, this.#limit);
    if (!this.#take(asked.length)) return;
    this.#isOver = true;
    this.#hooks.onCaptured({
      ...this.#request,
      status,
      request: { bytes: Buffer.from(asked), length: this.#asked.length },
      answer: { bytes: Buffer.concat(this.#chunks), length: this.#length },
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
    this.#hooks.memory.giveBack(this.#copied);
    this.#copied = 0;
  }
}
