import { createHash } from 'node:crypto';
import { withoutTrailingSlash } from '@headgate/contract';
import type { CryptoKey, JSONWebKeySet, JWTPayload, JWTVerifyGetKey, LocalJWKSet } from 'jose';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import {
  jsonFields,
  OutgoingError,
  type OutgoingRequest,
  requestJson,
  stringField,
} from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import {
  type LoginProvider,
  readAccessToken,
  readUserFields,
  requiredText,
  UntrustedResponseError,
} from './provider.ts';

interface Discovery {
  readonly issuer: string;
  readonly authorization: string;
  readonly token: string;
  readonly userinfo: string;
  readonly keys: string;
  readonly usesBasic: boolean;
}

const discoveryPath = '/.well-known/openid-configuration';
const cacheSeconds = 300;

/** Any provider with OpenID Connect Discovery. */
export function oidc(options: OptionService, home: PublicUrl): LoginProvider {
  const redirectUri = () => `${home.require('signInAddressNeeded')}/oauth/oidc`;
  const discover = cachedDiscovery();
  const readIdToken = createIdTokenReader();
  return {
    isOn: ({ OidcEnabled, OidcClientId, OidcWellKnown }) => OidcEnabled && OidcClientId !== '' && OidcWellKnown !== '',
    page: async ({ state, verifier, nonce }) => {
      const redirect_uri = redirectUri();
      const { authorization } = await discover(options.values.OidcWellKnown);
      const url = new URL(authorization);
      const query = {
        client_id: options.values.OidcClientId,
        redirect_uri,
        response_type: 'code',
        scope: 'openid profile',
        state,
        nonce,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.toString();
    },
    identify: async (code, { verifier, nonce }) => {
      const { OidcClientId, OidcClientSecret, OidcWellKnown } = options.values;
      const found = await discover(OidcWellKnown);
      const client = { id: OidcClientId, secret: OidcClientSecret };
      const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri(), code_verifier: verifier };
      const answer = await requestJson(found.token, tokenRequest(client, body, found.usesBasic));
      const authorization = `Bearer ${readAccessToken(answer)}`;
      const { issuer, keys } = found;
      const sub = await readIdToken(stringField(jsonFields(answer), 'id_token'), { issuer, keys, client, nonce });
      const fields = readUserFields(await requestJson(found.userinfo, { headers: { authorization } }));
      if (requiredText(fields, 'sub') !== sub)
        throw new OutgoingError('unreadable', 'the responses name different users');
      const [login, name] = [stringField(fields, 'preferred_username'), stringField(fields, 'name')];
      return { id: sub, login, name, issuer: withoutTrailingSlash(issuer) };
    },
  };
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

interface Client {
  readonly id: string;
  readonly secret: string;
}

/** RFC 6749 requires a form body; a client without a secret sends its id there. */
function tokenRequest({ id, secret }: Client, body: Record<string, string>, usesBasic: boolean): OutgoingRequest {
  const form = new URLSearchParams(body);
  if (secret !== '' && usesBasic) {
    const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    return { method: 'POST', body: form, headers: { authorization } };
  }
  form.set('client_id', id);
  if (secret !== '') form.set('client_secret', secret);
  return { method: 'POST', body: form };
}

/** Caches the discovery document, which changes rarely and is needed twice per sign-in. */
function cachedDiscovery() {
  let known: { address: string; until: number; discovery: Discovery } | undefined;
  return async (address: string): Promise<Discovery> => {
    const now = nowInSeconds();
    if (known?.address === address && known.until > now) return known.discovery;
    const discovery = await discoverAt(address);
    known = { address, until: now + cacheSeconds, discovery };
    return discovery;
  };
}

async function discoverAt(address: string): Promise<Discovery> {
  const named = address.endsWith(discoveryPath) ? address.slice(0, -discoveryPath.length) : address;
  const fields = readUserFields(await requestJson(named + discoveryPath));
  const issuer = requiredText(fields, 'issuer');
  // Otherwise one provider could impersonate another.
  if (withoutTrailingSlash(issuer) !== named) throw new OutgoingError('unreadable', 'the issuer does not match');
  const methods = fields['token_endpoint_auth_methods_supported'];
  return {
    issuer,
    authorization: endpointIn(fields, 'authorization_endpoint'),
    token: endpointIn(fields, 'token_endpoint'),
    userinfo: endpointIn(fields, 'userinfo_endpoint'),
    keys: endpointIn(fields, 'jwks_uri'),
    usesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
  };
}

function endpointIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const address = stringField(fields, name);
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address;
  throw new OutgoingError('unreadable', `the response has no ${name}`);
}

interface ExpectedIdToken {
  readonly issuer: string;
  /** URL of the provider's published keys (JWKS). */
  readonly keys: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly nonce: string;
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

/** Reads the subject of an ID token after verifying that the provider signed it for this sign-in. */
function createIdTokenReader(): (idToken: string, expected: ExpectedIdToken) => Promise<string> {
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

/** The runtime throws many types of error for malformed keys. */
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
