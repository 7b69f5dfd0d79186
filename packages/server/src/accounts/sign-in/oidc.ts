import { createHash } from 'node:crypto';
import { withoutTrailingSlash } from '@headgate/contract';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { jsonFields, stringField } from '../../platform/outgoing/json-response.ts';
import { OutgoingError, type OutgoingRequest, requestJson } from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { createIdTokenReader } from './oidc-id-token.ts';
import { type LoginProvider, readAccessToken, readUserFields, requiredText } from './provider.ts';

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

/** RFC 6749 requires a form; a client without a secret sends its id in it. */
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
