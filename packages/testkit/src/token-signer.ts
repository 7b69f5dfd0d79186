import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

const kinds = {
  ES256: { make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), digest: 'sha256' },
  RS256: { make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }), digest: 'sha256' },
  EdDSA: { make: () => generateKeyPairSync('ed25519'), digest: null },
} as const;

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signing key of an OpenID provider: signs tokens (JWS) and publishes its public key as a JWK. */
export class TokenSigner {
  readonly kid: string;
  readonly #alg: keyof typeof kinds;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(alg: keyof typeof kinds = 'ES256', kid = `key-${randomUUID()}`) {
    this.kid = kid;
    this.#alg = alg;
    ({ privateKey: this.#privateKey, publicKey: this.#publicKey } = kinds[alg].make());
  }

  get jwk(): Readonly<Record<string, unknown>> {
    return { ...this.#publicKey.export({ format: 'jwk' }), kid: this.kid, alg: this.#alg, use: 'sig' };
  }

  /** Public key. Used to attack verifiers that accept it as an HMAC secret. */
  get pem(): string {
    return this.#publicKey.export({ format: 'pem', type: 'spki' }).toString();
  }

  sign(claims: object, header: object = {}): string {
    const data = `${encoded({ alg: this.#alg, kid: this.kid, ...header })}.${encoded(claims)}`;
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${data}.${sign(kinds[this.#alg].digest, Buffer.from(data), key).toString('base64url')}`;
  }
}

/** A token signed with a shared secret (HMAC). */
export function signWithSecret(secret: string, claims: object): string {
  const data = `${encoded({ alg: 'HS256' })}.${encoded(claims)}`;
  return `${data}.${createHmac('sha256', secret).update(data).digest('base64url')}`;
}

export const unsignedToken = (claims: object): string => `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
