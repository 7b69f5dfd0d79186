import * as z from 'zod/mini';
import type { EndpointTable } from './endpoint.ts';
import { signedInUser, turnstileToken } from './user.ts';

export const sessionApi = {
  login: {
    method: 'POST',
    path: '/api/user/login',
    access: 'visitor',
    summary: 'Sign in with a username or e-mail address and a password; after repeated failures with a bot check too',
    body: z.object({
      username: z.string().check(z.minLength(1), z.maxLength(100)),
      password: z.string().check(z.minLength(1), z.maxLength(200)),
      turnstile: turnstileToken,
    }),
    reply: signedInUser,
  },
  logout: {
    method: 'GET',
    path: '/api/user/logout',
    access: 'visitor',
    summary: 'End the current session',
    changes: true,
    reply: z.undefined(),
  },
} as const satisfies EndpointTable;
