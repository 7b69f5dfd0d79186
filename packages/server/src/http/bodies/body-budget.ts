/** Owner whose bodies are counted together. */
export interface BodyQuotaOwner {
  /** Bytes of this owner's bodies that are being read or served. */
  bodyBytes: number;
}

const retryAfterSeconds = 1;

/** Limits the total size of all request bodies in memory, per process and per owner. */
export class BodyBudget {
  readonly #max: number;
  readonly #maxOfOne: number;
  #bytes = 0;

  constructor(max: number, maxOfOne: number) {
    this.#max = max;
    this.#maxOfOne = maxOfOne;
  }

  open(owner: BodyQuotaOwner): BodyReservation {
    return new BodyReservation(this, owner);
  }

  /** Throws when `bytes` more would exceed a limit. */
  requireRoom(owner: BodyQuotaOwner, bytes: number): void {
    if (owner.bodyBytes + bytes > this.#maxOfOne)
      throw new BodyError(
        429,
        'Your in-flight requests are too large in total. Try again when some have finished',
        retryAfterSeconds,
      );
    if (this.#bytes + bytes > this.#max)
      throw new BodyError(503, 'The in-flight requests are too large in total. Try again shortly', retryAfterSeconds);
  }

  add(owner: BodyQuotaOwner, bytes: number): void {
    owner.bodyBytes += bytes;
    this.#bytes += bytes;
  }
}

/** The part of the budget used by one request. */
export class BodyReservation {
  readonly #budget: BodyBudget;
  readonly #owner: BodyQuotaOwner;
  #bytes = 0;
  #isClosed = false;

  constructor(budget: BodyBudget, owner: BodyQuotaOwner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  requireRoom(bytes: number): void {
    this.#budget.requireRoom(this.#owner, bytes);
  }

  /** Counts received bytes only: counting declared lengths would let a few clients block all others. */
  take(bytes: number): void {
    // Bytes added after release would never be freed.
    if (this.#isClosed) throw new BodyError(400, 'The request has ended');
    this.#budget.requireRoom(this.#owner, bytes);
    this.#budget.add(this.#owner, bytes);
    this.#bytes += bytes;
  }

  close(): void {
    this.release();
    this.#isClosed = true;
  }

  release(bytes: number = this.#bytes): void {
    this.#budget.add(this.#owner, -bytes);
    this.#bytes -= bytes;
  }
}

/** A request body that was rejected before or while it was read. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly statusCode: number;
  /** Seconds until a retry may succeed; undefined if it never will. */
  readonly retryAfter: number | undefined;

  constructor(statusCode: number, message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

export const bodyTooLargeError = () => new BodyError(413, 'The request body is too large');

export const referencesTooLargeError = () =>
  new BodyError(413, 'The request body is too large together with the images, files or stored responses it refers to');
