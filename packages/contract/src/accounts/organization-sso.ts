import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData, queryInteger, rowId } from '../wire/list.ts';
import { stripControlCharacters } from '../wire/names.ts';
import { organizationNameLength } from './organization.ts';
import { directoryRoles } from './organization-directory.ts';
import { emailAddress } from './registration.ts';
import { loginFields } from './second-factor.ts';
import { signedInUser } from './user.ts';

export const maxSsoProviders = 10;
export const maxSsoDomains = 50;
export const maxSsoRoles = 200;
/** Days a domain stays verified after its DNS record goes missing. */
export const domainGraceDays = 7;

/**
 * Users who join by signing in: none, those with a verified address at a verified domain, or all users of the provider.
 */
export const ssoJoinModes = ['off', 'domain', 'all'] as const;
export type SsoJoinMode = (typeof ssoJoinModes)[number];

/** TXT record that proves a domain: `_headgate.<domain>` with `headgate-verification=<token>`. */
export const domainRecord = {
  name: (domain: string) => `_headgate.${domain}`,
  value: (token: string) => `headgate-verification=${token}`,
} as const;

const text = (max: number) => z.string().check(z.overwrite(stripControlCharacters), z.trim(), z.maxLength(max));
const requiredText = (max: number) => text(max).check(z.minLength(1));

const httpUrl = z.string().check(z.trim(), z.maxLength(1000), z.regex(/^https?:\/\/[^\s?#@]+$/));

/** A value of the roles claim, and the role assigned for it. */
export const ssoRole = z.object({ value: requiredText(200), role: z.enum(directoryRoles) });
const roles = z.array(ssoRole).check(z.maxLength(maxSsoRoles));

export const ssoProvider = z.object({
  id: z.int(),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  scopes: z.string(),
  roles_claim: z.string(),
  roles: z.array(ssoRole),
  joining: z.catch(z.enum(ssoJoinModes), 'off'),
  is_enabled: z.boolean(),
  trusts_usernames: z.boolean(),
  /** Redirect URI to register at the provider; empty while the gateway has no server address. */
  redirect_uri: z.string(),
  created_time: z.int(),
});
export type SsoProvider = z.infer<typeof ssoProvider>;

export const ssoDomain = z.object({
  id: z.int(),
  domain: z.string(),
  /** 0: not verified. */
  verified_time: z.int(),
  /** First daily check without the DNS record; 0: present. */
  missing_since: z.int(),
  record_name: z.string(),
  record_value: z.string(),
  created_time: z.int(),
});
export type SsoDomain = z.infer<typeof ssoDomain>;

export const ssoSettings = z.object({ is_required: z.boolean() });

const fields = {
  name: requiredText(60),
  /** Issuer URL, with or without `/.well-known/openid-configuration`. */
  issuer: httpUrl,
  client_id: requiredText(300),
  client_secret: text(2000),
  scopes: text(300).check(z.regex(/^[\x21-\x7e]*( [\x21-\x7e]+)*$/)),
  roles_claim: text(200),
  roles,
  joining: z.enum(ssoJoinModes),
  is_enabled: z.boolean(),
  /** Whether `preferred_username` is matched against SCIM usernames. */
  trusts_usernames: z.boolean(),
} as const;

const itemId = queryInteger(1, Number.MAX_SAFE_INTEGER);
const domainParams = z.extend(idParams, { sso_domain: itemId });

/** Sign-in providers and domains of an organization. */
export const organizationSsoApi = {
  settings: {
    method: 'GET',
    path: '/api/organization/:id/sso',
    access: 'user',
    params: idParams,
    reply: ssoSettings,
  },
  updateSettings: {
    method: 'PUT',
    path: '/api/organization/:id/sso',
    access: 'user',
    proof: 'recent',
    params: idParams,
    body: ssoSettings,
    reply: noData,
  },
  providers: {
    method: 'GET',
    path: '/api/organization/:id/sso/providers',
    access: 'user',
    params: idParams,
    reply: z.array(ssoProvider),
  },
  createProvider: {
    method: 'POST',
    path: '/api/organization/:id/sso/providers',
    access: 'user',
    proof: 'recent',
    params: idParams,
    body: z.object({
      ...fields,
      client_secret: z._default(fields.client_secret, ''),
      scopes: z._default(fields.scopes, 'openid profile email'),
      roles_claim: z._default(fields.roles_claim, ''),
      roles: z._default(fields.roles, []),
      joining: z._default(fields.joining, 'off'),
      is_enabled: z._default(fields.is_enabled, true),
      trusts_usernames: z._default(fields.trusts_usernames, false),
    }),
    reply: ssoProvider,
  },
  updateProvider: {
    method: 'PUT',
    path: '/api/organization/:id/sso/providers',
    access: 'user',
    proof: 'recent',
    params: idParams,
    body: z.extend(z.partial(z.object(fields)), { id: rowId }),
    reply: ssoProvider,
  },
  removeProvider: {
    method: 'DELETE',
    path: '/api/organization/:id/sso/providers/:sso_provider',
    access: 'user',
    proof: 'session',
    params: z.extend(idParams, { sso_provider: itemId }),
    reply: noData,
  },
  domains: {
    method: 'GET',
    path: '/api/organization/:id/sso/domains',
    access: 'user',
    params: idParams,
    reply: z.array(ssoDomain),
  },
  addDomain: {
    method: 'POST',
    path: '/api/organization/:id/sso/domains',
    access: 'user',
    proof: 'recent',
    params: idParams,
    body: z.object({ domain: requiredText(253) }),
    reply: ssoDomain,
  },
  verifyDomain: {
    method: 'POST',
    path: '/api/organization/:id/sso/domains/:sso_domain/verify',
    access: 'user',
    proof: 'recent',
    limit: 'critical',
    params: domainParams,
    reply: ssoDomain,
  },
  confirmDomain: {
    method: 'POST',
    path: '/api/organization/:id/sso/domains/:sso_domain/confirm',
    access: 'admin',
    proof: 'recent',
    params: domainParams,
    reply: ssoDomain,
  },
  removeDomain: {
    method: 'DELETE',
    path: '/api/organization/:id/sso/domains/:sso_domain',
    access: 'user',
    proof: 'session',
    params: domainParams,
    reply: noData,
  },
} as const satisfies EndpointTable;

export const ssoProviderSummary = z.object({ id: z.int(), name: z.string(), organization: z.string() });
export type SsoProviderSummary = z.infer<typeof ssoProviderSummary>;

const code = z.string().check(z.trim(), z.minLength(1), z.maxLength(4000));

/** Sign-in through organizations' own providers. */
export const ssoSignInApi = {
  /** Providers for an address at a verified domain, or for the exact name of an organization. */
  discover: {
    method: 'GET',
    path: '/api/oauth/sso',
    access: 'visitor',
    query: z.object({
      email: z.optional(emailAddress),
      organization: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(organizationNameLength.max))),
    }),
    reply: z.array(ssoProviderSummary),
  },
  /** The provider of a sign-in page. Unknown and disabled providers return the same error. */
  provider: {
    method: 'GET',
    path: '/api/oauth/sso/:id/provider',
    access: 'visitor',
    params: idParams,
    reply: ssoProviderSummary,
  },
  begin: {
    method: 'POST',
    path: '/api/oauth/sso/:id/begin',
    access: 'visitor',
    params: idParams,
    /** `link`: link the provider with the signed-in account, after a recent proof. */
    body: z.object({ link: z._default(z.boolean(), false) }),
    reply: z.object({ url: z.string() }),
  },
  finish: {
    method: 'GET',
    path: '/api/oauth/sso/:id',
    access: 'visitor',
    changes: true,
    limit: 'critical',
    params: idParams,
    query: z.object({
      code,
      state: z.string().check(z.maxLength(200)),
      /** Issuer in the response of the provider (RFC 9207). */
      iss: z.optional(z.string().check(z.maxLength(1000))),
    }),
    top: loginFields,
    reply: signedInUser,
  },
  /** Providers that may sign in to the account of the caller. */
  own: { method: 'GET', path: '/api/oauth/sso/self', access: 'user', reply: z.array(ssoProviderSummary) },
  unlink: {
    method: 'DELETE',
    path: '/api/oauth/sso/self/:id',
    access: 'user',
    proof: 'recent',
    params: idParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
