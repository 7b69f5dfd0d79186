import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { nothing } from '../wire/list.ts';
import { loginTop } from './second-factor.ts';
import { signedInUser, turnstileToken } from './user.ts';

/** One browser in which the own account is signed in. `id` opens nothing: it only names the session. */
export const openSession = z.object({
  id: z.string(),
  address: z.string(),
  user_agent: z.string(),
  created_time: z.int(),
  seen_time: z.int(),
  isCurrent: z.boolean(),
});

/** What shows that the person in front of a session is its owner still; without either one signs in anew. */
const proofs = ['code', 'password', 'login'] as const;
export type Proof = (typeof proofs)[number];

export const sessionApi = {
  login: {
    method: 'POST',
    path: '/api/user/login',
    access: 'visitor',
    body: z.object({
      username: z.string().check(z.minLength(1), z.maxLength(100)),
      password: z.string().check(z.minLength(1), z.maxLength(200)),
      turnstile: turnstileToken,
    }),
    top: loginTop,
    reply: signedInUser,
  },
  /** Where the own account is signed in. */
  list: {
    method: 'GET',
    path: '/api/user/session',
    access: 'user',
    reply: z.array(openSession),
  },
  end: {
    method: 'DELETE',
    path: '/api/user/session/:session',
    access: 'user',
    params: z.object({ session: z.string().check(z.maxLength(100)) }),
    reply: nothing,
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
    reply: nothing,
  },
  logout: {
    method: 'GET',
    path: '/api/user/logout',
    access: 'visitor',
    changes: true,
    reply: z.undefined(),
  },
} as const satisfies EndpointTable;
