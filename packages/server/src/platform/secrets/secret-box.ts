import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const version = 'v1';
/** Prefix of every sealed text. */
export const sealedPrefix = `${version}:`;

export const isSealed = (text: string): boolean => text.startsWith(sealedPrefix);

const bytesVersion = 1;
const nonceLength = 12;
const tagLength = 16;

/** Encrypts secrets for storage, so that a copy of the database alone reveals none of them. */
export class SecretBox {
  readonly #sealingKey: Buffer;
  readonly #fingerprintKey: Buffer;
  readonly #bytesKey: Buffer;

  constructor(secretKey: string, fingerprintKey?: string) {
    this.#sealingKey = derive(secretKey, 'sealing');
    this.#fingerprintKey =
      fingerprintKey === undefined ? derive(secretKey, 'fingerprints') : Buffer.from(fingerprintKey, 'base64');
    this.#bytesKey = derive(secretKey, 'bytes');
  }

  /** Must be moved together with the fingerprints, which cannot be recomputed without the original secrets. */
  get fingerprintKey(): string {
    return this.#fingerprintKey.toString('base64');
  }

  seal(text: string): string {
    const nonce = randomBytes(nonceLength);
    const sealing = createCipheriv(cipher, this.#sealingKey, nonce);
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return `${sealedPrefix}${Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64')}`;
  }

  /** Throws if the value was encrypted with another key or tampered with. */
  open(sealed: string): string {
    if (!isSealed(sealed)) throw new Error('Unsupported sealed-secret version');
    const bytes = Buffer.from(sealed.slice(sealedPrefix.length), 'base64');
    const nonce = bytes.subarray(0, nonceLength);
    // Without a fixed length, truncated authentication tags would be accepted, and short tags can be guessed.
    const opening = createDecipheriv(cipher, this.#sealingKey, nonce, { authTagLength: tagLength });
    opening.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    return Buffer.concat([opening.update(bytes.subarray(nonceLength + tagLength)), opening.final()]).toString('utf8');
  }

  /** Undefined if the value cannot be decrypted, for lists that one damaged row must not break. */
  openIfReadable(sealed: string): string | undefined {
    try {
      return this.open(sealed);
    } catch {
      return undefined;
    }
  }

  /**
   * Encrypts any number of byte strings, each of which can be decrypted only with the same context. Each context has a
   * derived key, so that no key is used often enough to weaken the cipher.
   */
  sealBytes(bytes: Uint8Array, about: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const sealing = createCipheriv(cipher, this.#keyFor(about), nonce);
    const sealed = sealing.update(bytes);
    const rest = sealing.final();
    return Buffer.concat([Buffer.of(bytesVersion), nonce, sealing.getAuthTag(), sealed, rest]);
  }

  /** Throws if they were encrypted with another key or context, or tampered with. */
  openBytes(sealed: Uint8Array, about: string): Buffer {
    const [head, nonce, tag] = [1, 1 + nonceLength, 1 + nonceLength + tagLength];
    if (sealed[0] !== bytesVersion || sealed.length < tag) throw new Error('not sealed bytes of this version');
    const opening = createDecipheriv(cipher, this.#keyFor(about), sealed.subarray(head, nonce), {
      authTagLength: tagLength,
    });
    opening.setAuthTag(sealed.subarray(nonce, tag));
    return Buffer.concat([opening.update(sealed.subarray(tag)), opening.final()]);
  }

  #keyFor(about: string): Buffer {
    return createHmac('sha256', this.#bytesKey).update(about).digest();
  }

  /** Keyed hash that finds an encrypted secret by its exact value. */
  fingerprint(text: string): string {
    return createHmac('sha256', this.#fingerprintKey).update(text).digest('hex');
  }
}

const derive = (secretKey: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secretKey, 'headgate', purpose, 32));

/** Hash for generated secrets, whose entropy makes a key unnecessary. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
