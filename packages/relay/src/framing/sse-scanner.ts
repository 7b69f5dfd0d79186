const newline = 0x0a;
const longestLine = 8 * 1024 * 1024;

/**
 * Watches a stream of server-sent events as bytes go by: it finds usage, errors and the end, and counts pieces, but
 * decodes only the events that may hold something it needs.
 */
export class SseScanner {
  #rest: Buffer | undefined;
  /** The last usage an event carried; undefined when none did. */
  usage: unknown;
  /** Events that carried a piece of an answer. */
  pieces = 0;
  /** Bytes of text in those pieces, about. */
  textBytes = 0;
  /** The stream said that it is complete. */
  isComplete = false;
  /** An error inside the stream; undefined when there was none. */
  error: unknown;

  /** Bytes in, the bytes to pass on out; events for which `hides` says so are left out. */
  push(chunk: Buffer, hides: (event: unknown) => boolean = never): Buffer {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    let start = 0;
    let kept: Buffer[] | undefined;
    let keptFrom = 0;
    for (let end = bytes.indexOf(newline, start); end !== -1; end = bytes.indexOf(newline, start)) {
      if (this.#line(bytes, start, end, hides)) {
        kept ??= [];
        kept.push(bytes.subarray(keptFrom, start));
        // The blank line that ends the hidden event goes with it.
        keptFrom = bytes[end + 1] === newline ? end + 2 : end + 1;
      }
      start = end + 1;
    }
    const whole = Math.max(start, keptFrom);
    this.#rest = whole < bytes.length ? Buffer.from(bytes.subarray(whole)) : undefined;
    if (this.#rest && this.#rest.length > longestLine) throw new Error('a line of the stream is too long');
    if (!kept) return bytes.subarray(0, whole);
    if (keptFrom < whole) kept.push(bytes.subarray(keptFrom, whole));
    return Buffer.concat(kept);
  }

  /** The stream ended: what is left without a newline is a line too. */
  finish(): Buffer {
    const rest = this.#rest;
    if (!rest) return Buffer.alloc(0);
    this.#rest = undefined;
    this.#line(rest, 0, rest.length, never);
    return rest;
  }

  /** True when the line is to be left out. */
  #line(bytes: Buffer, from: number, to: number, hides: (event: unknown) => boolean): boolean {
    if (!startsWith(bytes, from, dataField)) return false;
    const start = bytes[from + dataField.length] === 0x20 ? from + dataField.length + 1 : from + dataField.length;
    const first = bytes[start];
    if (first !== 0x7b) {
      if (startsWith(bytes, start, doneMark)) this.isComplete = true;
      return false;
    }
    const line = bytes.subarray(start, to);
    this.#count(line);
    // `"usage":null` stands in every event of an upstream that was asked for usage.
    const usageAt = line.lastIndexOf(usageField);
    const mayHoldUsage = usageAt !== -1 && line[usageAt + usageField.length] !== 0x6e;
    if (!mayHoldUsage && line.indexOf(errorField) === -1) return false;
    const event = parse(line.toString('utf8'));
    if (typeof event !== 'object' || event === null) return false;
    const { usage, error } = event as { usage?: unknown; error?: unknown };
    if (usage) this.usage = usage;
    if (error) this.error = error;
    return hides(event);
  }

  #count(line: Buffer): void {
    const at = line.indexOf(contentField);
    if (at === -1) return;
    const from = at + contentField.length;
    const to = line.indexOf(0x22, from);
    if (to <= from) return;
    this.pieces += 1;
    this.textBytes += to - from;
  }
}

const dataField = Buffer.from('data:');
const doneMark = Buffer.from('[DONE]');
const usageField = Buffer.from('"usage":');
const errorField = Buffer.from('"error":');
const contentField = Buffer.from('content":"');

const never = () => false;

function startsWith(bytes: Buffer, from: number, prefix: Buffer): boolean {
  for (let index = 0; index < prefix.length; index += 1) {
    if (bytes[from + index] !== prefix[index]) return false;
  }
  return true;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
