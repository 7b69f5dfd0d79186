import { symbols } from 'pino';

/** Writes text to where lines go, at once. */
interface Writer {
  write(text: string): unknown;
}

/** A crash loses at most the lines of so long. */
const longestWaitMs = 50;
/** As much as Docker and pipes take in one piece. */
const mostGathered = 16 * 1024;
/** Pino's number for errors; those above are worse. */
const errorLevel = 50;

/**
 * Lines of the log on their way out: gathered and written together, since a write for each costs as much as a tenth of a
 * relayed request. An error does not wait, and takes along what came before it.
 */
export class GatheredLines {
  readonly #writer: Writer;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  /** Pino asks for this, and then tells the level of each line before it writes it. */
  readonly [symbols.needsMetadataGsym] = true;
  lastLevel = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  write(line: string): void {
    this.gather(line);
    if (this.lastLevel >= errorLevel) this.flushSync();
  }

  /** A line that can wait, whoever made it. */
  gather(line: string): void {
    this.#text += line;
    if (this.#text.length >= mostGathered) this.flushSync();
    else this.#timer ??= setTimeout(() => this.flushSync(), longestWaitMs).unref();
  }

  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#writer.write(text);
  }

  /** As Pino calls it. */
  flush(done?: () => void): void {
    this.flushSync();
    done?.();
  }
}
