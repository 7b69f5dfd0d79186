import * as z from 'zod/mini';
import { maxConfigurablePasswordLength } from '../catalog/limits.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { noData } from '../wire/list.ts';
import { loginFields } from './second-factor.ts';
import { signedInUser, turnstileToken } from './user.ts';

/** A browser session of the caller. `id` cannot be used to sign in. */
export const userSession = z.object({
  id: z.string(),
  address: z.string(),
  user_agent: z.string(),
  created_time: z.int(),
  seen_time: z.int(),
  isCurrent: z.boolean(),
});

/**
 * Ways to confirm the caller's identity. `login`: the account has no password or code, so the user has to sign in
 * again.
 */
const proofs = ['code', 'password', 'login'] as const;
export type ReauthMethod = (typeof proofs)[number];

export const sessionApi = {
  login: {
    method: 'POST',
    path: '/api/user/login',
    access: 'visitor',
    body: z.object({
      username: z.string().check(z.minLength(1), z.maxLength(100)),
      password: z.string().check(z.minLength(1), z.maxLength(maxConfigurablePasswordLength)),
      turnstile: turnstileToken,
    }),
    top: loginFields,
    reply: signedInUser,
  },
  list: {
    method: 'GET',
    path: '/api/user/session',
    access: 'user',
    reply: z.array(userSession),
  },
  end: {
    method: 'DELETE',
    path: '/api/user/session/:session',
    access: 'user',
    params: z.object({ session: z.string().check(z.maxLength(100)) }),
    reply: noData,
  },
  proof: {
    method: 'GET',
    path: '/api/user/session/proof',
    access: 'user',
    reply: z.object({ isNeeded: z.boolean(), by: z.enum(proofs) }),
  },
  prove: {
    method: 'POST',
    path: '/api/user/session/proof',
    access: 'user',
    proof: 'session',
    body: z.object({ proof: z.string().check(z.minLength(1), z.maxLength(200)) }),
    reply: noData,
  },
  logout: {
    method: 'GET',
    path: '/api/user/logout',
    access: 'visitor',
    changes: true,
    reply: z.undefined(),
  },
} as const satisfies EndpointTable;
