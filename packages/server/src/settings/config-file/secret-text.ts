import { inspect } from 'node:util';

const hidden = '(secret)';

/** A text that is told to nobody by accident: written out, logged or made JSON it is only said to be there. */
export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for sealing and comparing it. */
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
