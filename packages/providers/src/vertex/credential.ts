import { createPrivateKey, type KeyObject } from 'node:crypto';
import { numberAt, textAt, UpstreamProblem } from '@headgate/dialects';
import type { CredentialExchange, JsonObject, Upstream } from '../provider.ts';
import { rs256Token } from '../signing/rs256-token.ts';
import { accountOf } from './account.ts';

const usualTokenUrl = 'https://oauth2.googleapis.com/token';

/** Google's token URLs: a channel's JSON must not choose another host. */
const tokenUrls: ReadonlySet<string> = new Set([
  usualTokenUrl,
  'https://accounts.google.com/o/oauth2/token',
  'https://www.googleapis.com/oauth2/v4/token',
]);

/** Exchanges an account's long-lived secret for a one-hour token. */
export const credential: CredentialExchange = {
  request: (upstream) => {
    const { secret } = accountOf(upstream);
    if ('apiKey' in secret) return undefined;
    const url = tokenUrlOf(secret.json, upstream);
    return {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(formOf(secret.json, url, upstream.now)).toString(),
    };
  },
  read: (body) => {
    const token = textAt(body, 'access_token');
    if (token === '') throw new UpstreamProblem(502, 'Google returned no token');
    return { credential: token, seconds: numberAt(body, 'expires_in') ?? 3600 };
  },
};

/**
 * Token URL. The channel's base URL is also accepted, because the admin who sets it already trusts it with the
 * credentials.
 */
function tokenUrlOf(account: JsonObject, { baseUrl }: Upstream): string {
  const url = textAt(account, 'token_uri') || usualTokenUrl;
  if (tokenUrls.has(url) || (baseUrl !== '' && url.startsWith(`${new URL(baseUrl).origin}/`))) return url;
  throw new UpstreamProblem(401, "The token_uri of the channel's credentials is not a Google URL");
}

function formOf(account: JsonObject, audience: string, now: number): Record<string, string> {
  const refreshToken = textAt(account, 'refresh_token');
  if (refreshToken !== '') {
    return {
      grant_type: 'refresh_token',
      client_id: textAt(account, 'client_id'),
      client_secret: textAt(account, 'client_secret'),
      refresh_token: refreshToken,
    };
  }
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(account, audience, now) };
}

function assertionOf(account: JsonObject, audience: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const claims = {
    iss: textAt(account, 'client_email'),
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: audience,
    iat,
    exp: iat + 3600,
  };
  const kid = textAt(account, 'private_key_id');
  return rs256Token({ typ: 'JWT', ...(kid !== '' && { kid }) }, claims, privateKeyOf(account));
}

function privateKeyOf(account: JsonObject): KeyObject {
  try {
    return createPrivateKey(textAt(account, 'private_key'));
  } catch {
    throw new UpstreamProblem(401, "The channel's credentials must belong to a service account or a user");
  }
}
