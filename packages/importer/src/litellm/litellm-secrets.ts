import { createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { openSecretBox } from './secret-box.ts';

/**
 * Decrypts a value of LiteLLM's database with the first of these keys that works; undefined if none does. LiteLLM
 * encrypts with `LITELLM_SALT_KEY`, or with its master key if that is not set.
 */
export type Decrypt = (value: string) => string | undefined;

interface Format {
  readonly prefix: string;
  readonly keyOf: (secret: string) => Uint8Array;
  readonly open: (sealed: Buffer, key: Uint8Array) => Buffer | undefined;
}

const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();
const hkdf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'litellm-at-rest-v3', sha256('').length));

/** Newest format first. Values without a prefix have the oldest format. */
const formats: readonly Format[] = [
  { prefix: 'v3:gcm:', keyOf: hkdf, open: openGcm },
  { prefix: 'v2:gcm:', keyOf: sha256, open: openGcm },
  { prefix: '', keyOf: sha256, open: openSecretBox },
];

const versionedPrefix = /^v\d+:\w+:/;
/** Nonce and tag alone take 40 bytes. */
const sealedText = /^[\w+/-]{54,}={0,2}$/;

/** True for text that is certainly or very likely encrypted. */
export const isProbablyEncrypted = (text: string): boolean => versionedPrefix.test(text) || sealedText.test(text);

export function decryptWith(secrets: readonly string[]): Decrypt {
  const keys = new Map(formats.map(({ prefix, keyOf }) => [prefix, secrets.map(keyOf)]));
  return (value) => {
    const format = formats.find(({ prefix }) => value.startsWith(prefix));
    if (!format || !isProbablyEncrypted(value)) return undefined;
    // Both base64 alphabets occur, and Node decodes both.
    const sealed = Buffer.from(value.slice(format.prefix.length), 'base64');
    for (const key of keys.get(format.prefix) ?? []) {
      const opened = format.open(sealed, key);
      if (opened) return opened.toString('utf8');
    }
    return undefined;
  };
}

const gcmNonceLength = 12;
const gcmTagLength = 16;

function openGcm(sealed: Buffer, key: Uint8Array): Buffer | undefined {
  if (sealed.length < gcmNonceLength + gcmTagLength) return undefined;
  const [nonce, end] = [sealed.subarray(0, gcmNonceLength), sealed.length - gcmTagLength];
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: gcmTagLength });
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(gcmNonceLength, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}
