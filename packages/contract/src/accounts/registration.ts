import * as z from 'zod/mini';
import { emailLength } from '../catalog/limits.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { noData } from '../wire/list.ts';
import { password, turnstileToken, username } from './user.ts';

const optionalText = z._default(z.nullable(z.string().check(z.trim(), z.maxLength(200))), '');

/** Case-insensitive; stored in lowercase. */
export const emailAddress = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(emailLength.max), z.email());

const turnstile = turnstileToken;

export const registrationApi = {
  register: {
    method: 'POST',
    path: '/api/user/register',
    access: 'visitor',
    limit: 'critical',
    query: z.object({ turnstile }),
    body: z.object({
      username,
      password,
      /** Ignored: the console compares the two passwords before sending. */
      password2: z.optional(z.string().check(z.maxLength(200))),
      email: optionalText,
      verification_code: optionalText,
      aff_code: optionalText,
    }),
    reply: noData,
  },
  sendCode: {
    method: 'GET',
    path: '/api/verification',
    access: 'visitor',
    limit: 'critical',
    changes: true,
    query: z.object({ email: emailAddress, turnstile }),
    reply: noData,
  },
  requestReset: {
    method: 'GET',
    path: '/api/reset_password',
    access: 'visitor',
    limit: 'critical',
    changes: true,
    query: z.object({ email: emailAddress, turnstile }),
    reply: noData,
  },
  reset: {
    method: 'POST',
    path: '/api/user/reset',
    access: 'visitor',
    limit: 'critical',
    body: z.object({ email: emailAddress, token: z.string().check(z.minLength(1), z.maxLength(200)) }),
    /** The new password, returned only once. */
    reply: z.string(),
  },
} as const satisfies EndpointTable;
