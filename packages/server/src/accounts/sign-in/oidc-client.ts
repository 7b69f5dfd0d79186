import { createHash } from 'node:crypto';
import { stripTrailingSlash } from '@headgate/contract';
import {
  type Fields,
  jsonFields,
  OutgoingError,
  type OutgoingRequest,
  requestJson,
  stringField,
} from '../../platform/outgoing/request-json.ts';
import { cacheKey, ExpiringCache, type OidcCacheLimits } from './oidc-cache.ts';
import { type ClientCredentials, createIdTokenReader, idTokenReasons } from './oidc-id-token.ts';
import {
  readAccessToken,
  readUserFields,
  requiredText,
  type SignInAttempt,
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

/** One registration at an OpenID Connect provider. */
export interface OidcRegistration {
  /** Issuer URL, with or without the path of the discovery document. */
  readonly address: string;
  readonly client: ClientCredentials;
  readonly scope: string;
  readonly redirectUri: string;
  /** True if the provider must be on the public internet. */
  readonly isPublicOnly?: boolean;
}

/** Claims of the ID token and the user info, verified for one sign-in; ID token claims take precedence. */
export interface OidcAccount {
  readonly sub: string;
  readonly issuer: string;
  readonly claims: Fields;
  readonly userInfo: Fields;
}

/** OpenID Connect client: authorization code flow with PKCE. */
export class OidcClient {
  readonly #discover = cachedDiscovery();
  readonly #readIdToken = createIdTokenReader();

  /** URL of the authorization page. */
  async page(registration: OidcRegistration, { state, verifier, nonce }: SignInAttempt): Promise<string> {
    const { authorization } = await this.#discover(registration.address, registration);
    const url = new URL(authorization);
    const query = {
      client_id: registration.client.id,
      redirect_uri: registration.redirectUri,
      response_type: 'code',
      scope: registration.scope,
      state,
      nonce,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.toString();
  }

  /** Exchanges an authorization code for the account. `iss` is the issuer in the response, if the provider sends it. */
  async account(
    registration: OidcRegistration,
    code: string,
    { verifier, nonce, iss }: Omit<SignInAttempt, 'state'> & { readonly iss?: string | undefined },
  ): Promise<OidcAccount> {
    const { address, client, redirectUri: redirect_uri, isPublicOnly = false } = registration;
    const bounds = { isPublicOnly };
    const found = await this.#discover(address, bounds);
    const { issuer, keys } = found;
    if (iss !== undefined && stripTrailingSlash(iss) !== stripTrailingSlash(issuer))
      throw new UntrustedResponseError(idTokenReasons.iss);
    const body = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
    const response = await requestJson(found.token, { ...tokenRequest(client, body, found.usesBasic), ...bounds });
    const authorization = `Bearer ${readAccessToken(response)}`;
    const expected = { issuer, keys, client, nonce, bounds };
    const claims = await this.#readIdToken(stringField(jsonFields(response), 'id_token'), expected);
    const sub = requiredText(claims, 'sub');
    const fields = readUserFields(await requestJson(found.userinfo, { headers: { authorization }, ...bounds }));
    if (requiredText(fields, 'sub') !== sub)
      throw new OutgoingError('unreadable', 'the responses name different users');
    return {
      sub,
      issuer: stripTrailingSlash(issuer),
      claims: mergeClaims(claims, fields),
      userInfo: fields,
    };
  }
}

/** Those of the ID token come first. An address and whether it is verified are both from the same response. */
export function mergeClaims(idToken: Fields, userInfo: Fields): Fields {
  const { email, email_verified } = 'email' in idToken ? idToken : userInfo;
  return { ...userInfo, ...idToken, email, email_verified };
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** RFC 6749 requires a form body; a client without a secret sends its id there. */
function tokenRequest(
  { id, secret }: ClientCredentials,
  body: Record<string, string>,
  usesBasic: boolean,
): OutgoingRequest {
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
  const cache = new ExpiringCache<Discovery>();
  return async (address: string, bounds: OidcCacheLimits): Promise<Discovery> => {
    const known = cache.get(cacheKey(address, bounds));
    if (known) return known;
    const discovery = await discoverAt(address, bounds);
    cache.set(cacheKey(address, bounds), discovery);
    return discovery;
  };
}

async function discoverAt(address: string, bounds: OidcCacheLimits): Promise<Discovery> {
  const named = address.endsWith(discoveryPath) ? address.slice(0, -discoveryPath.length) : address;
  const fields = readUserFields(await requestJson(named + discoveryPath, bounds));
  const issuer = requiredText(fields, 'issuer');
  // Otherwise one provider could impersonate another.
  if (stripTrailingSlash(issuer) !== named) throw new OutgoingError('unreadable', 'the issuer does not match');
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
