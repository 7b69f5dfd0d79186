import { BodyRefusal } from './body-refusal.ts';

/** Whose bodies are counted together. */
export interface BodyOwner {
  /** The bytes of this owner's bodies that are being read or served now. */
  bodyBytes: number;
}

const retryAfterSeconds = 1;

/** The bytes of all bodies that are in memory, or on their way there: bounded for the process, and for each owner. */
export class BodyBudget {
  readonly #most: number;
  readonly #mostOfOne: number;
  #bytes = 0;

  constructor(most: number, mostOfOne: number) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  open(owner: BodyOwner): BodyShare {
    return new BodyShare(this, owner);
  }

  /** Throws when so many more would be too many. */
  requireRoom(owner: BodyOwner, bytes: number): void {
    if (owner.bodyBytes + bytes > this.#mostOfOne)
      throw new BodyRefusal(429, 'Your requests under way are too large together', retryAfterSeconds);
    if (this.#bytes + bytes > this.#most)
      throw new BodyRefusal(503, 'The requests under way are too large together', retryAfterSeconds);
  }

  add(owner: BodyOwner, bytes: number): void {
    owner.bodyBytes += bytes;
    this.#bytes += bytes;
  }
}

/** What one request has of the budget. */
export class BodyShare {
  readonly #budget: BodyBudget;
  readonly #owner: BodyOwner;
  #bytes = 0;
  #isClosed = false;

  constructor(budget: BodyBudget, owner: BodyOwner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  requireRoom(bytes: number): void {
    this.#budget.requireRoom(this.#owner, bytes);
  }

  /** Takes what has really come: a length that is only declared would let a few keep out everybody. */
  take(bytes: number): void {
    // What is still on its way then would never be given back.
    if (this.#isClosed) throw new BodyRefusal(400, 'The request is over');
    this.#budget.requireRoom(this.#owner, bytes);
    this.#budget.add(this.#owner, bytes);
    this.#bytes += bytes;
  }

  close(): void {
    this.giveBack();
    this.#isClosed = true;
  }

  giveBack(bytes: number = this.#bytes): void {
    this.#budget.add(this.#owner, -bytes);
    this.#bytes -= bytes;
  }
}
