import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const version = 'v1';
const nonceLength = 12;
const tagLength = 16;

/** Seals secrets for storage: a copy of the database alone opens none of them. */
export class SecretBox {
  readonly #sealingKey: Buffer;
  readonly #fingerprintKey: Buffer;

  constructor(secretKey: string, fingerprintKey?: string) {
    this.#sealingKey = derive(secretKey, 'sealing');
    this.#fingerprintKey =
      fingerprintKey === undefined ? derive(secretKey, 'fingerprints') : Buffer.from(fingerprintKey, 'base64');
  }

  /** Goes where the fingerprints go: what they were made of cannot be told from them, so that they cannot be made anew. */
  get fingerprintKey(): string {
    return this.#fingerprintKey.toString('base64');
  }

  seal(text: string): string {
    const nonce = randomBytes(nonceLength);
    const sealing = createCipheriv(cipher, this.#sealingKey, nonce);
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return `${version}:${Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64')}`;
  }

  /** Throws when the text was sealed with another key or was tampered with. */
  open(sealed: string): string {
    if (!sealed.startsWith(`${version}:`)) throw new Error('not a sealed secret of this version');
    const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64');
    const nonce = bytes.subarray(0, nonceLength);
    // Without its length a tag cut short would do, and a short one can be guessed.
    const opening = createDecipheriv(cipher, this.#sealingKey, nonce, { authTagLength: tagLength });
    opening.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    return Buffer.concat([opening.update(bytes.subarray(nonceLength + tagLength)), opening.final()]).toString('utf8');
  }

  /**
   * A keyed hash: the same for the same text and useless without the key, it finds a sealed secret by its exact value.
   */
  fingerprint(text: string): string {
    return createHmac('sha256', this.#fingerprintKey).update(text).digest('hex');
  }
}

const derive = (secretKey: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secretKey, 'headgate', purpose, 32));

/** For secrets that we made ourselves with enough chance in them: they need no key to be safe. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
