import { createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { commandLine } from '../../platform/errors/command-line.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';

const format = 'headgate-archive';
const version = 1;
/** Maximum length of the first line, in bytes. */
export const maxHeaderBytes = 1024;
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
export function newHeader(cost = defaultCost): Buffer {
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
export async function deriveArchiveKey(line: Buffer, passphrase: string): Promise<Buffer> {
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
