import * as z from 'zod/mini';
import type { EndpointTable } from './endpoint.ts';
import { nothing } from './list.ts';
import { password, username } from './user.ts';

const optionalText = z._default(z.nullable(z.string().check(z.trim(), z.maxLength(200))), '');

export const registrationApi = {
  register: {
    method: 'POST',
    path: '/api/user/register',
    access: 'visitor',
    summary: 'Make an own account',
    limit: 'critical',
    query: z.object({ turnstile: z.optional(z.string().check(z.maxLength(4000))) }),
    body: z.object({
      username,
      password,
      email: optionalText,
      verification_code: optionalText,
      aff_code: optionalText,
    }),
    reply: nothing,
  },
} as const satisfies EndpointTable;
