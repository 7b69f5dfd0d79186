import { createCipheriv, createDecipheriv } from 'node:crypto';
import { StartFailure } from '../../platform/errors/start-failure.ts';

const cipher = 'aes-256-gcm';
const blockLength = 64 * 1024;
const tagLength = 16;
const sealedLength = blockLength + tagLength;

/**
 * Each block is encrypted under its number and a flag for the last one, so that none can be changed, removed,
 * duplicated, moved or added. The key belongs to one file, so a nonce is never used twice with it.
 */
function nonceOf(block: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(block, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Encrypts the bytes in blocks of one length; the last may be shorter. */
export async function* encryptBlocks(bytes: AsyncIterable<Uint8Array>, key: Buffer): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const { block, isLast } of inBlocks(bytes, blockLength)) {
    const sealing = createCipheriv(cipher, key, nonceOf(count, isLast));
    yield Buffer.concat([sealing.update(block), sealing.final(), sealing.getAuthTag()]);
    count += 1;
  }
}

/** Decrypts the blocks; throws at the first modified block. */
export async function* decryptBlocks(bytes: AsyncIterable<Uint8Array>, key: Buffer): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const { block, isLast } of inBlocks(bytes, sealedLength)) {
    yield decryptBlock(block, key, { count, isLast });
    count += 1;
  }
}

function decryptBlock(block: Buffer, key: Buffer, { count, isLast }: { count: number; isLast: boolean }): Buffer {
  try {
    const opening = createDecipheriv(cipher, key, nonceOf(count, isLast), { authTagLength: tagLength });
    const end = Math.max(0, block.length - tagLength);
    opening.setAuthTag(block.subarray(end));
    return Buffer.concat([opening.update(block.subarray(0, end)), opening.final()]);
  } catch {
    throw new StartFailure(
      count === 0
        ? 'The passphrase is wrong, or the start of the file is damaged. Nothing was changed.'
        : `The file is damaged in or after block ${count + 1}, or incomplete. Nothing was changed.`,
    );
  }
}

interface Block {
  readonly block: Buffer;
  readonly isLast: boolean;
}

/** Yields a block once it is known whether another one follows; there is always a last block. */
async function* inBlocks(bytes: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Block> {
  let buffered = Buffer.alloc(0);
  for await (const some of bytes) {
    buffered = buffered.length === 0 ? Buffer.from(some) : Buffer.concat([buffered, some]);
    let start = 0;
    for (; buffered.length - start > length; start += length) {
      yield { block: buffered.subarray(start, start + length), isLast: false };
    }
    buffered = buffered.subarray(start);
  }
  yield { block: buffered, isLast: true };
}
