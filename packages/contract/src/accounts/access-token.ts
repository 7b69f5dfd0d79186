import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, nothing } from '../wire/list.ts';
import { withoutControls } from '../wire/names.ts';
import { expiredTime, neverExpires } from './token.ts';

/** What an access token may be used for; which calls each of them covers stands in scope-coverage.ts. */
export const accessScopes = ['all', 'read', 'usage', 'channels'] as const;
export type AccessScope = (typeof accessScopes)[number];

export const accessTokenNameLength = { max: 50 } as const;
/** No person needs more; a script in a loop stops here. */
export const accessTokensPerUser = 50;
/** Stands before every key of a named access token: programs that look for leaked secrets know it by that. */
export const accessTokenPrefix = 'hg_';

/** A named access token as its owner sees it. The key is told once, when it is made. */
export const accessToken = z.object({
  id: z.int(),
  name: z.string(),
  scope: z.string(),
  created_time: z.int(),
  /** -1: never. */
  expired_time: z.int(),
  /** To the minute; 0: never yet. */
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
        .check(z.overwrite(withoutControls), z.trim(), z.minLength(1), z.maxLength(accessTokenNameLength.max)),
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
    reply: nothing,
  },
} as const satisfies EndpointTable;
