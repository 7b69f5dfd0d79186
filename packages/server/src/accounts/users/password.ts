import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { isBcryptHash, verifyBcrypt } from './bcrypt.ts';

const derive = promisify(argon2);

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
export const recommendedMemoryKib = 19_456;
const passes = 2;
const parallelism = 1;
const tagLength = 32;

/** Argon2id in PHC notation, so that the cost can change without breaking existing hashes. */
export async function hashPassword(password: string, memory: number = recommendedMemoryKib): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, tagLength, memory, passes, parallelism });
  const parameters = `m=${memory},t=${passes},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$${unpadded(nonce)}$${unpadded(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** True for a hash imported from another gateway, which is replaced at the first login. */
export const isImportedHash = (hash: string | null): hash is string => hash !== null && isBcryptHash(hash);

/**
 * Takes as long for an unknown account (`hash` null) as for an existing one. Accounts imported from another gateway
 * differ until their first login.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  memoryOfNew: number = recommendedMemoryKib,
): Promise<boolean> {
  if (isImportedHash(hash)) return verifyBcrypt(password, hash);
  const match = phc.exec(hash ?? (await decoyHash(memoryOfNew)));
  if (!match) return false;
  const [, memory, hashPasses, lanes, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(hashPasses),
    parallelism: Number(lanes),
  });
  return timingSafeEqual(actual, expected) && hash !== null;
}

/** One decoy per cost, so that an unknown account takes as long as one whose password was set at this cost. */
const decoys = new Map<number, Promise<string>>();

function decoyHash(memory: number): Promise<string> {
  const decoy = decoys.get(memory) ?? hashPassword(randomBytes(12).toString('base64'), memory);
  decoys.set(memory, decoy);
  return decoy;
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
