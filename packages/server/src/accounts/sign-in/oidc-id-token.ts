import type { CryptoKey, JSONWebKeySet, JWTPayload, JWTVerifyGetKey, LocalJWKSet } from 'jose';
import { OutgoingError, requestJson } from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { readUserFields, requiredText, UntrustedResponseError } from './provider.ts';

export interface ExpectedIdToken {
  readonly issuer: string;
  /** URL of the provider's published keys (JWKS). */
  readonly keys: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly nonce: string;
}

const cacheSeconds = 300;
/** Accepted clock skew of the provider. */
const skewSeconds = 60;

const publicKeyAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Algorithms that sign with the client secret, which only the provider and the gateway have. */
const secretAlgorithms = ['HS256', 'HS384', 'HS512'];

/** Loaded on first use: most gateways never need it. */
const library = () => import('jose');

/** Reads the subject of an ID token after verifying that the provider signed it for this sign-in. */
export function createIdTokenReader(): (idToken: string, expected: ExpectedIdToken) => Promise<string> {
  const publishedKeys = cachedKeys();
  return async (idToken, { issuer, keys, client, nonce }) => {
    const { jwtVerify, errors } = await library();
    const algorithms = client.secret === '' ? publicKeyAlgorithms : [...publicKeyAlgorithms, ...secretAlgorithms];
    const options = {
      issuer,
      audience: client.id,
      algorithms,
      clockTolerance: skewSeconds,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(nowInSeconds() * 1000),
    };
    const keyFor: JWTVerifyGetKey = async (header, token) =>
      secretAlgorithms.includes(header.alg)
        ? new TextEncoder().encode(client.secret)
        : publishedKeys(keys, (published) => published(header, token));
    try {
      const { payload } = await jwtVerify(idToken, keyFor, options).catch(async (error: unknown) => {
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
        return firstMatching(error, (key) => jwtVerify(idToken, key, options));
      });
      return subjectIn(payload, client.id, nonce);
    } catch (error) {
      if (error instanceof OutgoingError || error instanceof UntrustedResponseError) throw error;
      throw failureOf(error as JoseFailure);
    }
  };
}

function subjectIn(claims: JWTPayload, clientId: string, nonce: string): string {
  if (claims['nonce'] !== nonce) throw new UntrustedResponseError(reasons.nonce);
  // A token with several audiences must name this client as the authorized party.
  if (claims['azp'] !== undefined && claims['azp'] !== clientId) throw new UntrustedResponseError(reasons.aud);
  return requiredText(claims, 'sub');
}

/** A token without a key id may be signed by any of the matching keys. */
async function firstMatching<T>(keys: AsyncIterable<CryptoKey>, verify: (key: CryptoKey) => Promise<T>): Promise<T> {
  const { errors } = await library();
  for await (const key of keys) {
    const verified = await verify(key).catch((error: unknown) => {
      if (error instanceof errors.JWSSignatureVerificationFailed) return undefined;
      throw error;
    });
    if (verified) return verified;
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/** Caches the keys, which change rarely; an unknown key id triggers one refresh. */
function cachedKeys() {
  let known: { address: string; until: number; keys: LocalJWKSet } | undefined;
  const read = async (address: string): Promise<LocalJWKSet> => {
    const { createLocalJWKSet } = await library();
    // Not parsed here: the library validates the key set.
    const keys = createLocalJWKSet(readUserFields(await requestJson(address)) as unknown as JSONWebKeySet);
    known = { address, until: nowInSeconds() + cacheSeconds, keys };
    return keys;
  };
  return async <T>(address: string, find: (keys: LocalJWKSet) => Promise<T>): Promise<T> => {
    const { errors } = await library();
    if (known?.address !== address || known.until <= nowInSeconds()) return find(await read(address));
    return find(known.keys).catch(async (error: unknown) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return find(await read(address));
    });
  };
}

const reasons = {
  iss: { en: 'the issuer does not match', zh: '签发者不符' },
  aud: { en: 'it was issued for another application', zh: '并非签发给本应用' },
  nonce: { en: 'it was issued for another sign-in', zh: '不属于此次登录' },
  exp: { en: 'it has expired, or the clocks differ', zh: '已过期，或双方时钟不一致' },
  signature: { en: 'no published key matches its signature', zh: '签名与公布的密钥不符' },
  algorithm: { en: 'its signature algorithm is not accepted', zh: '签名方式不被接受' },
} as const;

interface JoseFailure extends Error {
  readonly code?: unknown;
  readonly claim?: unknown;
}

/** Malformed keys fail inside the runtime with errors of many types. */
function failureOf(error: JoseFailure): Error {
  switch (error.code) {
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
    case 'ERR_JOSE_NOT_SUPPORTED':
      return new UntrustedResponseError(reasons.algorithm);
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return new UntrustedResponseError(reasons.signature);
    case 'ERR_JWT_EXPIRED':
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return new UntrustedResponseError(
        error.claim === 'iss' || error.claim === 'aud' ? reasons[error.claim] : reasons.exp,
      );
    default:
      return new OutgoingError('unreadable', `the ID token or the keys are invalid (${error.name})`);
  }
}
