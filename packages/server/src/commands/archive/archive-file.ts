import { createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';
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
import { z } from 'zod';
import { commandLine } from '../../platform/errors/command-line.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { type ArchivePart, parseArchiveParts, type SchemaAt, splitLines } from './archive-parser.ts';
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
export const temporaryPath = (path: string): string => `${path}.${randomBytes(4).toString('hex')}.part`;

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
  const partial = temporaryPath(path);
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
    // Only after everything is read is it certain that the last block really is the last.
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

const format = 'headgate-archive';
const version = 1;
/** Maximum length of the first line, in bytes. */
const maxHeaderBytes = 1024;
const saltLength = 32;

/** About half a second and 128 MB for each passphrase attempt. */
const defaultCost = 2 ** 17;
/** Costs that a file may require. */
const costs = [2 ** 14, 2 ** 15, 2 ** 16, defaultCost, 2 ** 18];
const blockSize = 8;

const named = z.object({ format: z.literal(format), version: z.int() });

const header = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  compression: z.literal('zstd'),
  cipher: z.literal('aes-256-gcm'),
  scrypt: z.strictObject({
    cost: z.int().refine((cost) => costs.includes(cost)),
    salt: z.base64().length(44),
  }),
});

type Header = z.infer<typeof header>;

/** The only line of a file that is readable without the passphrase; it describes the encryption of the rest. */
function newHeader(cost = defaultCost): Buffer {
  const made: Header = {
    format,
    version,
    compression: 'zstd',
    cipher: 'aes-256-gcm',
    scrypt: { cost, salt: randomBytes(saltLength).toString('base64') },
  };
  return Buffer.from(`${JSON.stringify(made)}\n`);
}

/** Derives the key of a file from passphrase and header, so that changing the header makes the file unreadable. */
async function deriveArchiveKey(line: Buffer, passphrase: string): Promise<Buffer> {
  const { cost, salt } = readHeader(line).scrypt;
  const stretched = await deriveKey(passphrase, Buffer.from(salt, 'base64'), cost);
  const context = createHash('sha256').update(line).digest();
  return Buffer.from(hkdfSync('sha256', stretched, context, 'headgate archive', 32));
}

function readHeader(line: Buffer): Header {
  const given = parsed(line);
  const { data: known } = named.safeParse(given);
  if (!known) throw new StartFailure(`This is not a file created by ${commandLine('export')}.`);
  if (known.version > version) {
    throw new StartFailure('This file was created by a newer version of Headgate. Restore it with that version.');
  }
  const { data } = header.safeParse(given);
  if (!data) throw new StartFailure('The file is damaged: its first line cannot be read. Nothing was changed.');
  return data;
}

function parsed(line: Buffer): unknown {
  try {
    // trusted JSON: at most 1 kB.
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

function deriveKey(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC normalization: an accented letter may be typed as one character or as two.
    const text = passphrase.normalize('NFKC');
    const options = { cost, blockSize, parallelization: 1, maxmem: 2 * 128 * cost * blockSize };
    scrypt(text, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
