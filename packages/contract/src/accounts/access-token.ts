import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData } from '../wire/list.ts';
import { stripControlCharacters } from '../wire/names.ts';
import { expiredTime, neverExpires } from './token.ts';

/** Scopes of access tokens. scope-coverage.ts lists the endpoints that each one covers. */
export const accessScopes = ['all', 'read', 'usage', 'channels'] as const;
export type AccessScope = (typeof accessScopes)[number];

export const accessTokenNameLength = { max: 50 } as const;
/** Limits runaway scripts; well above what a user needs. */
export const accessTokensPerUser = 50;
/** Prefix of every named access token, by which secret scanners recognize leaked tokens. */
export const accessTokenPrefix = 'hg_';

/** A named access token as its owner sees it. The key is returned only on creation. */
export const accessToken = z.object({
  id: z.int(),
  name: z.string(),
  scope: z.string(),
  created_time: z.int(),
  /** Unix seconds; -1 for never. */
  expired_time: z.int(),
  /** Last use in Unix seconds, accurate to a minute; 0 for never. */
  used_time: z.int(),
});
export type AccessToken = z.infer<typeof accessToken>;

export const accessTokenApi = {
  list: {
    method: 'GET',
    path: '/api/user/access_token',
    access: 'user',
    reply: z.array(accessToken),
  },
  create: {
    method: 'POST',
    path: '/api/user/access_token',
    access: 'user',
    proof: 'recent',
    body: z.object({
      name: z
        .string()
        .check(z.overwrite(stripControlCharacters), z.trim(), z.minLength(1), z.maxLength(accessTokenNameLength.max)),
      scope: z.enum(accessScopes),
      expired_time: z._default(expiredTime, neverExpires),
    }),
    reply: z.extend(accessToken, { key: z.string() }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api/user/access_token/:id',
    access: 'user',
    proof: 'session',
    params: idParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
