import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { isBcryptHash, verifyBcrypt } from './bcrypt.ts';

const derive = promisify(argon2);

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;

/** Argon2id in PHC notation, so that the cost can be raised later without breaking old rows. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, tagLength, ...cost });
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${unpadded(nonce)}$${unpadded(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether a hash came from another gateway: it opens the account, and is replaced when it does. */
export const isOldHash = (hash: string | null): hash is string => hash !== null && isBcryptHash(hash);

/**
 * Takes as long for an account that does not exist (`hash` null) as for one that does; not for one that came from another
 * gateway and has not been signed in to since.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  if (isOldHash(hash)) return verifyBcrypt(password, hash);
  const match = phc.exec(hash ?? (await decoyHash()));
  if (!match) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected) && hash !== null;
}

let decoy: Promise<string> | undefined;

function decoyHash(): Promise<string> {
  decoy ??= hashPassword(randomBytes(12).toString('base64'));
  return decoy;
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
