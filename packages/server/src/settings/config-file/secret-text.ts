import { inspect } from 'node:util';

const hidden = '(secret)';

/** A string that is not exposed by accident: printing, logging or serializing it shows only that it is set. */
export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The plain text, for encryption and comparison. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}
