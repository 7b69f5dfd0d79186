/** Sizes of a message's type and length fields in bytes. */
const typeBytes = 1;
const lengthBytes = 4;

/** Splits the bytes of a PostgreSQL connection into messages. */
export class MessageSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #headBytes: number;

  /** `introduced`: the first message has no type, like a client's startup message. */
  constructor(form: 'introduced' | 'typed') {
    this.#headBytes = form === 'introduced' ? 0 : typeBytes;
  }

  /** Returns the messages that are now complete. */
  add(bytes: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: Buffer[] = [];
    for (;;) {
      if (this.#rest.length < this.#headBytes + lengthBytes) return messages;
      const length = this.#headBytes + this.#rest.readUInt32BE(this.#headBytes);
      if (this.#rest.length < length) return messages;
      messages.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
      this.#headBytes = typeBytes;
    }
  }
}
