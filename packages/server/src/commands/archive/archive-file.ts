import { randomBytes } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { deriveArchiveKey, maxHeaderBytes, newHeader } from './archive-header.ts';
import { splitLines } from './archive-lines.ts';
import { type ArchivePart, parseArchiveParts, type SchemaAt } from './archive-parser.ts';
import { decryptBlocks, encryptBlocks } from './encrypted-blocks.ts';

/** Chunk size; holds a few thousand rows. */
const chunkSize = 1024 * 1024;

interface NewArchive {
  readonly path: string;
  readonly passphrase: string;
  /** Cost of each passphrase attempt; the default unless given. */
  readonly cost?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Temporary name of a file while it is written. */
export const partialName = (path: string): string => `${path}.${randomBytes(4).toString('hex')}.part`;

export function rejectExisting(path: string): void {
  if (existsSync(path)) throw new StartFailure(`${path} already exists and was not changed.`);
}

/** Renames so that the new name survives a power failure. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  // Windows cannot sync a directory.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(to), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Writes a file completely or not at all: it gets its final name once all of it is on disk. */
export async function writeArchive(text: AsyncIterable<string>, archive: NewArchive): Promise<void> {
  const { path, passphrase, cost, signal } = archive;
  rejectExisting(path);
  const header = newHeader(cost);
  const key = await deriveArchiveKey(header, passphrase);
  const partial = partialName(path);
  async function* sealed(bytes: AsyncIterable<Uint8Array>) {
    yield header;
    yield* encryptBlocks(bytes, key);
  }
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.from(text), createZstdCompress(), sealed, file, signal ? { signal } : {});
    rejectExisting(path);
    renameDurably(partial, path);
  } catch (error) {
    // An abort may come before the file is created.
    if (!file.closed) await new Promise((resolve) => file.once('close', resolve));
    rmSync(partial, { force: true });
    throw asFailure(error, `${path} cannot be written`);
  }
}

interface ExistingArchive {
  readonly path: string;
  readonly passphrase: string;
  readonly schemaAt: SchemaAt;
}

/** Yields the contents of a file in order. Throws with a message at the position of any damage. */
export async function* readArchive({ path, passphrase, schemaAt }: ExistingArchive): AsyncGenerator<ArchivePart> {
  const text = createZstdDecompress({ chunkSize });
  const reading = pipeline(Readable.from(openFile(path, passphrase)), text);
  // The consumer of the text receives the error.
  reading.catch(() => undefined);
  try {
    yield* parseArchiveParts(splitLines(text), schemaAt);
    // Only after reading everything is it certain that the last block is really the last.
    await reading;
  } catch (error) {
    throw asFailure(error, `${path} cannot be read`);
  } finally {
    text.destroy();
  }
}

async function* openFile(path: string, passphrase: string): AsyncGenerator<Buffer> {
  const bytes: AsyncIterator<Buffer> = createReadStream(path)[Symbol.asyncIterator]();
  try {
    const { line, rest } = await firstLine(bytes);
    const key = await deriveArchiveKey(line, passphrase);
    yield* decryptBlocks(from(rest, bytes), key);
  } finally {
    await bytes.return?.();
  }
}

async function firstLine(bytes: AsyncIterator<Buffer>): Promise<{ line: Buffer; rest: Buffer }> {
  let read = Buffer.alloc(0);
  while (read.length < maxHeaderBytes && !read.includes('\n')) {
    const { value, done } = await bytes.next();
    if (done) break;
    read = Buffer.concat([read, value]);
  }
  const end = read.subarray(0, maxHeaderBytes).indexOf('\n') + 1;
  return { line: read.subarray(0, end), rest: read.subarray(end) };
}

async function* from(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** File system errors are reported with their own message. */
function asFailure(error: unknown, sentence: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof StartFailure || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error;
  return new StartFailure(`${sentence} (${code}).`);
}
