import type { CryptoKey, JSONWebKeySet, JWTPayload, JWTVerifyGetKey, LocalJWKSet } from 'jose';
import { type Fields, OutgoingError, requestJson } from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { cacheKey, ExpiringCache, type OidcCacheLimits } from './oidc-cache.ts';
import { readUserFields, requiredText, UntrustedResponseError } from './provider.ts';

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

interface ExpectedIdToken {
  readonly issuer: string;
  /** URL of the provider's published keys (JWKS). */
  readonly keys: string;
  readonly client: ClientCredentials;
  readonly nonce: string;
  readonly bounds: OidcCacheLimits;
}
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

/** Reads the claims of an ID token after verifying that the provider signed it for this sign-in. */
export function createIdTokenReader(): (idToken: string, expected: ExpectedIdToken) => Promise<Fields> {
  const publishedKeys = cachedKeys();
  return async (idToken, { issuer, keys, client, nonce, bounds }) => {
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
        : publishedKeys({ address: keys, bounds }, (published) => published(header, token));
    try {
      const { payload } = await jwtVerify(idToken, keyFor, options).catch(async (error: unknown) => {
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
        return firstMatching(error, (key) => jwtVerify(idToken, key, options));
      });
      return claimsOf(payload, client.id, nonce);
    } catch (error) {
      if (error instanceof OutgoingError || error instanceof UntrustedResponseError) throw error;
      throw failureOf(error as JoseFailure);
    }
  };
}

function claimsOf(claims: JWTPayload, clientId: string, nonce: string): Fields {
  if (claims['nonce'] !== nonce) throw new UntrustedResponseError(idTokenReasons.nonce);
  // A token with several audiences must have this client as the authorized party.
  if (claims['azp'] !== undefined && claims['azp'] !== clientId) throw new UntrustedResponseError(idTokenReasons.aud);
  requiredText(claims, 'sub');
  return claims;
}

/** A token without a key id may be signed with any of the matching keys. */
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

interface KeyUrl {
  readonly address: string;
  readonly bounds: OidcCacheLimits;
}

/** Caches the keys, which change rarely; an unknown key id triggers one refresh. */
function cachedKeys() {
  const cache = new ExpiringCache<LocalJWKSet>();
  const read = async ({ address, bounds }: KeyUrl): Promise<LocalJWKSet> => {
    const { createLocalJWKSet } = await library();
    // Not parsed here: the library validates the key set.
    const keys = createLocalJWKSet(readUserFields(await requestJson(address, bounds)) as unknown as JSONWebKeySet);
    cache.set(cacheKey(address, bounds), keys);
    return keys;
  };
  return async <T>(url: KeyUrl, find: (keys: LocalJWKSet) => Promise<T>): Promise<T> => {
    const { errors } = await library();
    const known = cache.get(cacheKey(url.address, url.bounds));
    if (!known) return find(await read(url));
    return find(known).catch(async (error: unknown) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return find(await read(url));
    });
  };
}

export const idTokenReasons = {
  iss: { en: 'the issuer does not match', zh: '签发者不符' },
  aud: { en: 'it was issued for another application', zh: '并非签发给本应用' },
  nonce: { en: 'it was issued for another login', zh: '不属于此次登录' },
  exp: { en: 'it has expired, or the clocks differ', zh: '已过期，或双方时钟不一致' },
  signature: { en: 'no published key matches its signature', zh: '签名与公布的密钥不符' },
  algorithm: { en: 'its signature algorithm is not accepted', zh: '签名方式不被接受' },
} as const;

interface JoseFailure extends Error {
  readonly code?: unknown;
  readonly claim?: unknown;
}

/** The runtime throws many types of error for malformed keys. */
function failureOf(error: JoseFailure): Error {
  switch (error.code) {
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
    case 'ERR_JOSE_NOT_SUPPORTED':
      return new UntrustedResponseError(idTokenReasons.algorithm);
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return new UntrustedResponseError(idTokenReasons.signature);
    case 'ERR_JWT_EXPIRED':
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return new UntrustedResponseError(
        error.claim === 'iss' || error.claim === 'aud' ? idTokenReasons[error.claim] : idTokenReasons.exp,
      );
    default:
      return new OutgoingError('unreadable', `the ID token or the keys are invalid (${error.name})`);
  }
}
