import { createHash } from 'node:crypto';
import { maxSubjectLength } from '@headgate/contract';
import { RelayError } from '@headgate/relay';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { claimValues } from '../../accounts/sso/sso-claims.ts';
import { type Broadcasts, disabledBroadcasts } from '../../platform/broadcasts/broadcasts.ts';
import { OutgoingError } from '../../platform/outgoing/request-json.ts';
import { clientNetwork } from '../../platform/rate-limits/client-network.ts';
import { GossipCounters } from '../../platform/rate-limits/counters.ts';
import { RateLimiter } from '../../platform/rate-limits/rate-limits.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { AcceptedIssuer, JwtIssuerTable } from './jwt-issuer-table.ts';

/** Loaded on first use: most gateways never need it. */
const library = () => import('jose');

/** Public-key algorithms only: with a shared secret, a published key could be used to sign. */
const algorithms = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const),
];
/** Other types of JWT, such as logout tokens, are not credentials. */
const types: ReadonlySet<string> = new Set(['', 'jwt', 'at+jwt', 'application/at+jwt']);
/** Accepted clock skew of the issuer. */
const skewSeconds = 30;
const maxRemembered = 10_000;
const maxAudiences = 100;
/** Invalid JWTs allowed per address; leaves room for programs that occasionally retry an expired one. */
const invalidLimit = { most: 60, seconds: 60 } as const;

/** A verified JWT. */
export interface JwtIdentity {
  readonly organizationId: number;
  /** The API token that it uses. */
  readonly tokenId: number;
  readonly subject: string;
  /** True while it has not expired, and its issuer is enabled and unchanged. */
  isValid(): boolean;
}

interface JwtVerifierDependencies {
  readonly issuers: JwtIssuerTable;
  readonly keys: IssuerKeys;
  readonly broadcasts?: Broadcasts;
}

/** Verifies JWTs that clients present as API keys. Verified JWTs are cached by hash until they expire. */
export class JwtVerifier {
  readonly #issuers: JwtIssuerTable;
  readonly #keys: IssuerKeys;
  readonly #limiter: RateLimiter;
  /** By hash, oldest first. */
  readonly #verified = new Map<string, JwtIdentity>();

  constructor({ issuers, keys, broadcasts = disabledBroadcasts }: JwtVerifierDependencies) {
    this.#issuers = issuers;
    this.#keys = keys;
    const counts = new GossipCounters(broadcasts, 'invalid-jwts', invalidLimit.seconds);
    this.#limiter = new RateLimiter(invalidLimit, 'tooManyRequests', counts);
  }

  /** Throws if the JWT is not accepted. */
  verify(jwt: string, address: string): JwtIdentity | Promise<JwtIdentity> {
    const hash = createHash('sha256').update(jwt).digest('base64url');
    const known = this.#verified.get(hash);
    return known?.isValid() ? known : this.#verifyNew(jwt, hash, address);
  }

  async #verifyNew(jwt: string, hash: string, address: string): Promise<JwtIdentity> {
    await this.#issuers.ready();
    try {
      const identity = await this.#read(jwt);
      this.#remember(hash, identity);
      return identity;
    } catch (error) {
      if (error instanceof RelayError && error.status === 401) await this.#countInvalid(address);
      throw error;
    }
  }

  /** Throws if the address sent too many invalid JWTs. A valid JWT is accepted from any address. */
  async #countInvalid(address: string): Promise<void> {
    const network = clientNetwork(address);
    const waitSeconds = await this.#limiter.secondsToWait(network);
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    await this.#limiter.count(network);
  }

  async #read(jwt: string): Promise<JwtIdentity> {
    const issuer = await this.#issuerOf(jwt);
    const { payload, protectedHeader } = await this.#checkSignature(jwt, issuer);
    const { until, subject } = requireClaims(payload, protectedHeader, issuer);
    // The issuer may have changed while its keys were read.
    if (!this.#issuers.isCurrent(issuer)) throw unauthorised('The issuer of the JWT was changed. Retry');
    return {
      organizationId: issuer.organization_id,
      tokenId: tokenOf(payload, issuer),
      subject,
      isValid: () => until > nowInSeconds() && this.#issuers.isCurrent(issuer),
    };
  }

  /** By claims that are not verified yet. */
  async #issuerOf(jwt: string): Promise<AcceptedIssuer> {
    const { iss, aud = [] } = await decode(jwt);
    const audiences = typeof aud === 'string' ? [aud] : aud;
    const isReadable = Array.isArray(audiences) && audiences.length <= maxAudiences;
    const found = typeof iss === 'string' && isReadable ? this.#issuers.matching(iss, audiences) : [];
    const [issuer] = found;
    if (!issuer?.isEnabled)
      throw unauthorised('This gateway accepts no JWTs with this issuer (iss) and audience (aud)');
    if (found.some(({ organization_id }) => organization_id !== issuer.organization_id))
      throw unauthorised('The audiences of the JWT belong to several organizations');
    return issuer;
  }

  async #checkSignature(jwt: string, issuer: AcceptedIssuer) {
    const { jwtVerify } = await library();
    const options = {
      issuer: issuer.issuer,
      audience: issuer.audience,
      algorithms,
      clockTolerance: skewSeconds,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(nowInSeconds() * 1000),
    };
    try {
      return await this.#keys.use(issuer, (keys) => jwtVerify(jwt, keys, options));
    } catch (error) {
      throw failureOf(error);
    }
  }

  #remember(hash: string, identity: JwtIdentity): void {
    this.#verified.delete(hash);
    this.#verified.set(hash, identity);
    const [oldest] = this.#verified.keys();
    if (this.#verified.size > maxRemembered && oldest !== undefined) this.#verified.delete(oldest);
  }
}

async function decode(jwt: string): Promise<JWTPayload> {
  const { decodeJwt } = await library();
  try {
    return decodeJwt(jwt);
  } catch {
    throw unauthorised('The JWT is malformed');
  }
}

function requireClaims(
  { sub = '', exp = 0, iat, cnf }: JWTPayload,
  { typ }: JWTHeaderParameters,
  issuer: AcceptedIssuer,
) {
  if (!types.has(typeof typ === 'string' ? typ.toLowerCase() : ''))
    throw unauthorised('This type of JWT is not accepted');
  // Such a token is valid only together with a proof that the client has a key.
  if (cnf !== undefined) throw unauthorised('JWTs that are bound to a key (cnf) are not accepted');
  if (!isSubject(sub)) throw unauthorised('The subject (sub) of the JWT is missing, too long or not plain text');
  if (issuer.blocked.has(sub)) throw unauthorised('The subject of the JWT is blocked', 'token_disabled');
  if (issuer.not_before > 0 && (typeof iat !== 'number' || iat < issuer.not_before))
    throw unauthorised('The JWT was revoked', 'token_disabled');
  return { subject: sub, until: exp + skewSeconds };
}

/** Text that an owner can enter to block the subject. */
const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && sub.length <= maxSubjectLength && sub.isWellFormed() && !/\p{Cc}/u.test(sub);

function tokenOf(claims: JWTPayload, { claim, values, token_id }: AcceptedIssuer): number {
  const given = claim === '' ? [] : (claimValues(claims, claim) ?? []);
  const id = values.find(({ value }) => given.includes(value))?.token_id ?? token_id;
  if (id === 0) throw new RelayError(403, `No value of the claim ${claim} of the JWT is allowed`, 'jwt_not_mapped');
  return id;
}

interface JoseFailure extends Error {
  readonly code?: unknown;
  readonly claim?: unknown;
}

/** The runtime throws many types of error for malformed keys. */
function failureOf(error: unknown): RelayError {
  if (error instanceof OutgoingError) return keysUnavailable();
  const { code, claim } = error as JoseFailure;
  switch (code) {
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
    case 'ERR_JOSE_NOT_SUPPORTED':
      return unauthorised('The signature algorithm of the JWT is not accepted');
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return unauthorised('No published key of the issuer matches the signature of the JWT');
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return unauthorised('The JWT names no key (kid), and the issuer has several');
    case 'ERR_JWT_EXPIRED':
      return unauthorised('The JWT has expired', 'token_expired');
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return unauthorised(`The claim ${String(claim)} of the JWT is missing or invalid`);
    default:
      return unauthorised('The JWT or the keys of its issuer are invalid');
  }
}

const retryAfterSeconds = 5;

/** Without the reason, which may contain an internal address. */
function keysUnavailable(): RelayError {
  const error = new RelayError(503, 'The keys of the JWT issuer cannot be read', 'jwt_keys_unavailable');
  error.retryAfter = retryAfterSeconds;
  return error;
}

function tooMany(seconds: number): RelayError {
  const message = 'Too many requests with invalid API tokens from your IP address';
  const error = new RelayError(429, message, 'too_many_invalid_keys', 'invalid_request_error');
  error.retryAfter = seconds;
  return error;
}

const unauthorised = (message: string, code = 'invalid_api_key') =>
  new RelayError(401, message, code, 'invalid_request_error');
