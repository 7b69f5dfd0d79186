import type { FileResponse } from './call.ts';

/** Downloaded data is moved into blobs of this size, which the browser can store on disk. */
const bytesPerPart = 4 * 1024 * 1024;

const newline = 0x0a;
const quote = 0x22;

/** Counts lines. A line break inside quotes is part of a cell. */
class LineCount {
  lines = 0;
  #isQuoted = false;
  readonly #hasQuotes: boolean;

  constructor(hasQuotes: boolean) {
    this.#hasQuotes = hasQuotes;
  }

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === newline && !this.#isQuoted) this.lines += 1;
      else if (byte === quote && this.#hasQuotes) this.#isQuoted = !this.#isQuoted;
    }
  }
}

interface CollectedFile {
  readonly content: Blob;
  readonly rows: number;
  /** True if all rows and the summary line were received. */
  readonly isWhole: boolean;
}

/** Reads a file to its end and reports the number of rows received. Rejects if reading fails. */
export async function readWholeFile(
  { body, total, name }: FileResponse,
  report: (rows: number) => void,
): Promise<CollectedFile> {
  const hasHead = name.endsWith('.csv');
  const headLines = hasHead ? 1 : 0;
  const count = new LineCount(hasHead);
  const parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  const rowsSoFar = () => Math.min(Math.max(count.lines - headLines, 0), total ?? Number.POSITIVE_INFINITY);
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    count.add(value);
    pending.push(value);
    pendingBytes += value.length;
    if (pendingBytes >= bytesPerPart) {
      parts.push(new Blob(pending));
      pending = [];
      pendingBytes = 0;
    }
    report(rowsSoFar());
  }
  const isWhole = total === undefined || count.lines > total + headLines;
  return { content: new Blob([...parts, ...pending]), rows: rowsSoFar(), isWhole };
}
