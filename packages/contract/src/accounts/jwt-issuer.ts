import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData, queryInteger, rowId } from '../wire/list.ts';
import { stripControlCharacters } from '../wire/names.ts';

export const maxJwtIssuers = 10;
export const maxJwtClaimValues = 200;
export const maxBlockedSubjects = 500;
/** Longer subjects are rejected. */
export const maxSubjectLength = 300;

const text = (max: number) => z.string().check(z.overwrite(stripControlCharacters), z.trim(), z.maxLength(max));
const requiredText = (max: number) => text(max).check(z.minLength(1));
const httpUrl = z.string().check(z.trim(), z.maxLength(1000), z.regex(/^https?:\/\/[^\s?#@]+$/));
/** May have a query. */
const keysUrl = z.string().check(z.trim(), z.maxLength(1000), z.regex(/^(https?:\/\/[^\s#@]+)?$/));
const tokenId = z.int().check(z.minimum(0));

/** A value of the claim, and the API token that JWTs with this value use. */
export const jwtClaimValue = z.object({ value: requiredText(200), token_id: rowId });

export const jwtIssuer = z.object({
  id: z.int(),
  name: z.string(),
  issuer: z.string(),
  audience: z.string(),
  keys_url: z.string(),
  claim: z.string(),
  values: z.array(jwtClaimValue),
  token_id: z.int(),
  blocked_subjects: z.array(z.string()),
  not_before: z.int(),
  is_enabled: z.boolean(),
  created_time: z.int(),
});
export type JwtIssuer = z.infer<typeof jwtIssuer>;

const fields = {
  name: requiredText(60),
  /** Exact value of the claim `iss`. */
  issuer: httpUrl,
  /** Exact value, or one of the values, of the claim `aud`. */
  audience: requiredText(300),
  /** URL of the public keys (JWKS); empty: from the discovery document of the issuer. */
  keys_url: keysUrl,
  /** Claim that selects the API token, or its path; empty: all JWTs use `token_id`. */
  claim: text(200),
  values: z.array(jwtClaimValue).check(z.maxLength(maxJwtClaimValues)),
  /** API token of JWTs without a listed claim value; 0: they are rejected. */
  token_id: tokenId,
  /** Subjects (`sub`) whose JWTs are rejected. */
  blocked_subjects: z
    .array(z.string().check(z.minLength(1), z.maxLength(maxSubjectLength), z.regex(/^\P{Cc}*$/u)))
    .check(z.maxLength(maxBlockedSubjects)),
  /** JWTs issued before this time are rejected, Unix seconds; 0: none. */
  not_before: z.int().check(z.minimum(0)),
  is_enabled: z.boolean(),
} as const;

/** Issuers whose JWTs are accepted as API credentials of an organization. */
export const jwtIssuerApi = {
  list: {
    method: 'GET',
    path: '/api/organization/:id/jwt_issuers',
    access: 'user',
    params: idParams,
    reply: z.array(jwtIssuer),
  },
  create: {
    method: 'POST',
    path: '/api/organization/:id/jwt_issuers',
    access: 'user',
    proof: 'recent',
    params: idParams,
    body: z.object({
      ...fields,
      keys_url: z._default(fields.keys_url, ''),
      claim: z._default(fields.claim, ''),
      values: z._default(fields.values, []),
      token_id: z._default(fields.token_id, 0),
      blocked_subjects: z._default(fields.blocked_subjects, []),
      not_before: z._default(fields.not_before, 0),
      is_enabled: z._default(fields.is_enabled, true),
    }),
    reply: jwtIssuer,
  },
  update: {
    method: 'PUT',
    path: '/api/organization/:id/jwt_issuers',
    access: 'user',
    proof: 'recent',
    params: idParams,
    body: z.extend(z.partial(z.object(fields)), { id: rowId }),
    reply: jwtIssuer,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/:id/jwt_issuers/:jwt_issuer',
    access: 'user',
    proof: 'session',
    params: z.extend(idParams, { jwt_issuer: queryInteger(1, Number.MAX_SAFE_INTEGER) }),
    reply: noData,
  },
} as const satisfies EndpointTable;
