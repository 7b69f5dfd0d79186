import { symbols } from 'pino';

/** Writes text synchronously. */
interface Writer {
  write(text: string): unknown;
}

/** A crash loses at most this many milliseconds of lines. */
const longestWaitMs = 50;
/** Buffer size; pipes and Docker accept this much in one piece. */
const mostGathered = 16 * 1024;
/** Pino's level for errors; higher levels are worse. */
const errorLevel = 50;

/**
 * Buffers log lines and writes them together, since a write per line costs a tenth of a relayed request. Errors flush
 * immediately, including earlier lines.
 */
export class BufferedLines {
  readonly #writer: Writer;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  /** Makes Pino set the level of each line before writing it. */
  readonly [symbols.needsMetadataGsym] = true;
  lastLevel = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  write(line: string): void {
    this.gather(line);
    if (this.lastLevel >= errorLevel) this.flushSync();
  }

  /** Adds a line that can wait. */
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

  /** Called by Pino. */
  flush(done?: () => void): void {
    this.flushSync();
    done?.();
  }
}
